"""An event loop that hears Ctrl-C at once."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import socket
import threading
from collections.abc import Coroutine, Iterator
from typing import Any, TypeVar

T = TypeVar("T")


def run_async(main: Coroutine[Any, Any, T]) -> T:
    """`asyncio.run(main)`: the first Ctrl-C cancels `main`, which tidies up; the second ends it at once.

    A signal that comes just before the loop begins to wait would be noticed only at its next event: for a
    simulator that is stuck, at its deadline. A byte on a socket of its own wakes the loop (Python's
    `signal.set_wakeup_fd`).
    """

    async def woken() -> T:
        with _waking(asyncio.get_running_loop()):
            return await main

    return asyncio.run(woken())


@contextlib.contextmanager
def _waking(loop: asyncio.AbstractEventLoop) -> Iterator[None]:
    in_main_thread = threading.current_thread() is threading.main_thread()
    # Windows' own loop does this by itself.
    if not in_main_thread or not isinstance(loop, asyncio.SelectorEventLoop):
        yield
        return
    reader, writer = socket.socketpair()
    with reader, writer:
        reader.setblocking(False)
        writer.setblocking(False)
        loop.add_reader(reader, reader.recv, 4096)
        before = signal.set_wakeup_fd(writer.fileno(), warn_on_full_buffer=False)
        try:
            yield
        finally:
            signal.set_wakeup_fd(before)
            loop.remove_reader(reader)
