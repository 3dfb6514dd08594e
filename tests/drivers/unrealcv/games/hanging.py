"""A game that hangs at its start: it accepts connections and greets nobody."""

import signal
import socket
import sys

from tests.drivers.unrealcv.games.serving import settings

if __name__ == "__main__":
    listener = socket.create_server(("", int(settings()["Port"])))
    sys.stdout.write("LogInit: loading for ever\n")
    sys.stdout.flush()
    signal.pause()
