"""A game that cannot listen on the first port it is given, says so and goes on without."""

import signal
import sys
from pathlib import Path

from tests.drivers.unrealcv.games.serving import serve, server, settings

if __name__ == "__main__":
    first = Path(sys.argv[0]).with_name("first-port")
    if "-always" in sys.argv or not first.exists():
        first.write_text(settings()["Port"])
        sys.stdout.write(f"LogUnrealCV: Error: Failed to start listening on port {settings()['Port']}\n")
        sys.stdout.flush()
        signal.pause()
    serve(server())
