#!/bin/sh
# Install Debian packages, or say which are missing where that cannot be done.
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null
else
  echo "These system packages are missing: $*" >&2
  echo "On Debian or Ubuntu: sudo apt-get install $*" >&2
  exit 5
fi
