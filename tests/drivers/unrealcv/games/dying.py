"""A game that dies in an episode: at the word `die`."""

import os
import sys

from tests.drivers.unrealcv.games.serving import serve, server

if __name__ == "__main__":
    game = server()
    answer = game.answer

    def answer_or_die(command: str) -> bytes:
        if command == "vget /unrealcv/echo die":
            sys.stdout.write("Fatal error: the texture pool is on fire\n")
            sys.stdout.flush()
            os._exit(3)
        return answer(command)

    game.answer = answer_or_die  # type: ignore[method-assign]
    serve(game)
