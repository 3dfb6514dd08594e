"""A game that ignores SIGTERM, and so does its child."""

import signal
import subprocess
import sys

from tests.drivers.unrealcv.games.serving import server

CHILD = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); signal.pause()"

if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    child = subprocess.Popen([sys.executable, "-S", "-c", CHILD])
    server().serve_forever()
