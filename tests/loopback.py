"""A loopback server that speaks the OpenAI-compatible chat and video protocols, and every fault of them.

    with LoopbackServer(worldaudit_player()) as server:
        os.environ["OPENAI_API_KEY"] = "loopback"
        Gateway(api_base=server.base_url)

`respond(body, n)` gets the request body and its number (from 0) and returns a `Say` or a `Fault`.
`python -m tests.loopback` serves the player until interrupted.
"""

from __future__ import annotations

import argparse
import json
import re
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from email import message_from_bytes
from email.policy import HTTP
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Literal

Body = dict[str, Any]


@dataclass(frozen=True)
class Say:
    """A chat reply. `calls` are (tool name, arguments): a dict, or a string sent as it is."""

    text: str = ""
    calls: Sequence[tuple[str, Any]] = ()
    finish: str = ""
    refusal: str = ""
    tokens: tuple[int, int] | None = None
    usage: bool = True
    ids: Sequence[str] | None = None


@dataclass(frozen=True)
class Fault:
    """Something that goes wrong on the wire.

    `status` answers with that code; `stall` sends nothing until the server closes; `cut` sends half a body
    and closes; `refuse` closes before any byte; `malformed` answers 200 with a body that is not JSON.
    """

    kind: Literal["status", "stall", "cut", "refuse", "malformed"]
    status: int = 500
    message: str = "the server had an error"
    code: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)


def rate_limited(retry_after: str = "") -> Fault:
    """429, with `Retry-After` where given (seconds or an HTTP date)."""
    headers = {"Retry-After": retry_after} if retry_after else {}
    return Fault("status", 429, "slow down", "rate_limit_exceeded", headers)


def server_error(status: int = 500) -> Fault:
    """A server error."""
    return Fault("status", status)


def wrong_arguments(tool: str, how: Literal["not-json", "not-object", "wrong-types"]) -> Say:
    """A call of `tool` whose arguments are no JSON, a list, or an object of wrong types."""
    sent = {"not-json": "{distance: far", "not-object": "[1, 2]", "wrong-types": '{"distance_m": "far"}'}
    return Say(calls=[(tool, sent[how])])


REFUSAL = Say(refusal="I can't help with that.", finish="stop")
FILTERED = Say(text="", finish="content_filter")
EMPTY = Say(text="")

Respond = Callable[[Body, int], Say | Fault]


@dataclass
class Videos:
    """How the video endpoint behaves.

    `polls` answers say "in_progress" before the last says `status`; None never finishes. `faults` meet the
    submissions, `poll_faults` the polls, first come first. `serve` is how the file comes: `whole`;
    `truncated` (closed before Content-Length bytes); `cut-box` (a third is missing, Content-Length agrees);
    `endless` (no Content-Length, `data` over and over); `stall`.
    """

    data: bytes = b""
    polls: int | None = 1
    status: str = "completed"
    error: Mapping[str, str] | None = None
    serve: Literal["whole", "truncated", "cut-box", "endless", "stall"] = "whole"
    media_type: str = "video/mp4"
    faults: list[Fault] = field(default_factory=list)
    poll_faults: list[Fault] = field(default_factory=list)
    submitted: list[Body] = field(default_factory=list)
    polled: int = 0
    downloads: int = 0
    sent_bytes: int = 0


class LoopbackServer:
    """The server, on a free port of 127.0.0.1. `requests` holds every chat body, `headers` their headers."""

    def __init__(
        self, respond: Respond | Sequence[Say | Fault] = (), *, videos: Videos | None = None, port: int = 0
    ) -> None:
        self._respond = respond if callable(respond) else _in_turn(respond)
        self.videos = videos or Videos()
        self.requests: list[Body] = []
        self.headers: list[dict[str, str]] = []
        self.released = threading.Event()
        self.arrived = threading.Semaphore(0)
        self._lock = threading.Lock()
        self._http = _Http(("127.0.0.1", port), _handler(self))
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True)

    @property
    def base_url(self) -> str:
        """The API base, `http://127.0.0.1:PORT/v1`."""
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    def __enter__(self) -> LoopbackServer:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.released.set()
        self._http.shutdown()
        self._thread.join()
        self._http.server_close()

    def answer(self, body: Body, headers: dict[str, str]) -> tuple[int, Say | Fault]:
        """Record `body`, give it its number and ask `respond`."""
        with self._lock:
            number = len(self.requests)
            self.requests.append(body)
            self.headers.append(headers)
            made = self._respond(body, number)
        self.arrived.release()
        return number, made


def worldaudit_player() -> Respond:
    """A `respond` that plays a plausible tool-calling episode with whatever tools are offered."""
    from tests.loopback_player import player

    return player()


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 64

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is part of the tests."""


def _in_turn(answers: Sequence[Say | Fault]) -> Respond:
    def respond(body: Body, n: int) -> Say | Fault:
        return answers[min(n, len(answers) - 1)]

    return respond


def completion(body: Body, say: Say, n: int) -> Body:
    """`say` as a chat completion of `body`; tokens are a quarter of the characters, 500 an image."""
    calls = [
        {
            "id": say.ids[i] if say.ids else f"call_{n}_{i}",
            "type": "function",
            "function": {"name": name, "arguments": value if isinstance(value, str) else json.dumps(value)},
        }
        for i, (name, value) in enumerate(say.calls)
    ]
    message: Body = {"role": "assistant", "content": say.text or None}
    if calls:
        message["tool_calls"] = calls
    if say.refusal:
        message["refusal"] = say.refusal
    made: Body = {
        "id": f"chatcmpl-{n}",
        "object": "chat.completion",
        "created": 1_700_000_000,
        "model": body.get("model", "loopback"),
        "choices": [
            {
                "index": 0,
                "message": message,
                "finish_reason": say.finish or ("tool_calls" if calls else "stop"),
            }
        ],
    }
    if say.usage:
        tokens_in, tokens_out = say.tokens or (_tokens(body), 1 + len(json.dumps(message)) // 4)
        made["usage"] = {
            "prompt_tokens": tokens_in,
            "completion_tokens": tokens_out,
            "total_tokens": tokens_in + tokens_out,
        }
    return made


def _tokens(body: Body) -> int:
    text = json.dumps({key: body.get(key) for key in ("messages", "tools")})
    bare, images = re.subn(r"data:image/[^\"]*", "", text)
    return len(bare) // 4 + 500 * images


def _handler(server: LoopbackServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def log_message(self, format: str, *args: Any) -> None:
            """Quiet."""

        def do_POST(self) -> None:
            raw = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            if self.path == "/v1/videos":
                videos = server.videos
                videos.submitted.append(_form(raw, self.headers.get("Content-Type", "")))
                if videos.faults:
                    return self._fault(videos.faults.pop(0))
                return self._json(
                    200, {"id": "video_1", "object": "video", "status": "queued", "progress": 0}
                )
            body = json.loads(raw)
            n, made = server.answer(body, {key.lower(): value for key, value in self.headers.items()})
            if isinstance(made, Fault):
                return self._fault(made)
            if self.path == "/v1/chat/completions":
                return self._json(200, completion(body, made, n))
            # Other providers' protocols are not spoken here, but their faults are the same.
            return self._json(404, {"error": {"message": f"no {self.path}", "code": "not_found"}})

        def do_GET(self) -> None:
            if self.path == "/v1/videos/video_1":
                return self._poll()
            if self.path == "/v1/videos/video_1/content":
                return self._download()
            if self.path == "/v1/models":
                return self._json(200, {"object": "list", "data": [{"id": "loopback", "object": "model"}]})
            return self._json(404, {"error": {"message": f"no {self.path}", "code": "not_found"}})

        def _poll(self) -> None:
            videos = server.videos
            if videos.poll_faults:
                return self._fault(videos.poll_faults.pop(0))
            videos.polled += 1
            done = videos.polls is not None and videos.polled > videos.polls
            status = videos.status if done else "in_progress"
            made = {"id": "video_1", "object": "video", "status": status, "progress": 100 * done}
            return self._json(200, {**made, "error": dict(videos.error) if done and videos.error else None})

        def _download(self) -> None:
            videos = server.videos
            videos.downloads += 1
            if videos.serve == "stall":
                server.released.wait()
                return self._close()
            self.send_response(200)
            self.send_header("Content-Type", videos.media_type)
            data = videos.data[: len(videos.data) * 2 // 3] if videos.serve == "cut-box" else videos.data
            if videos.serve == "endless":
                self.send_header("Connection", "close")
                self.end_headers()
                while not server.released.is_set():
                    self.wfile.write(data)
                    videos.sent_bytes += len(data)
                return self._close()
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data[: len(data) // 2] if videos.serve == "truncated" else data)
            if videos.serve == "truncated":
                self._close()

        def _fault(self, fault: Fault) -> None:
            if fault.kind == "status":
                error = {"message": fault.message, "type": "error", "param": None, "code": fault.code or None}
                return self._json(fault.status, {"error": error}, fault.headers)
            if fault.kind == "stall":
                server.released.wait()
            elif fault.kind != "refuse":
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                text = b'{"id": "chatcmpl-1", "choices": [{"mess'
                self.send_header("Content-Length", str(len(text) + (4000 if fault.kind == "cut" else 0)))
                self.end_headers()
                self.wfile.write(text)
                if fault.kind == "malformed":
                    return
            self._close()

        def _json(self, status: int, value: Body, headers: Mapping[str, str] | None = None) -> None:
            data = json.dumps(value).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            for name, text in (headers or {}).items():
                self.send_header(name, text)
            self.end_headers()
            self.wfile.write(data)

        def _close(self) -> None:
            self.close_connection = True
            self.connection.shutdown(2)

    return Handler


def _form(raw: bytes, content_type: str) -> Body:
    """A JSON or multipart body as fields; files as {"filename", "media_type", "bytes"}."""
    if content_type.startswith("application/json"):
        return dict(json.loads(raw))
    made = message_from_bytes(b"Content-Type: " + content_type.encode() + b"\r\n\r\n" + raw, policy=HTTP)
    fields: Body = {}
    for part in made.iter_parts():
        name = str(part.get_param("name", header="content-disposition"))
        payload = part.get_payload(decode=True)
        if part.get_filename():
            fields[name] = {
                "filename": part.get_filename(),
                "media_type": part.get_content_type(),
                "bytes": payload,
            }
        else:
            fields[name] = bytes(payload).decode()
    return fields


def main() -> None:
    """Serve the player until interrupted."""
    parser = argparse.ArgumentParser(prog="python -m tests.loopback")
    parser.add_argument("--port", type=int, default=0)
    with LoopbackServer(worldaudit_player(), port=parser.parse_args().port) as server:
        print(server.base_url, flush=True)
        threading.Event().wait()


if __name__ == "__main__":
    main()
