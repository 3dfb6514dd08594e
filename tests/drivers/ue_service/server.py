"""A server of ours with the interface of the official UE service, over a small made-up hall, and its faults."""

from __future__ import annotations

import base64
import io
import json
import math
import threading
from collections import OrderedDict
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import numpy as np
from PIL import Image

STEP_S = 1.0 / 30.0
SAMPLE_S = 0.5
WALK_CM_S, TURN_DEG_S = 220.0, 90.0
HALL_CM = 1000.0
DOOR = (400.0, 0.0)
REACH_CM = 250.0
KEPT = 256
Row = dict[str, Any]


class Refused(Exception):
    """A request that is answered with a status other than 200."""

    def __init__(self, status: int, words: str) -> None:
        super().__init__(words)
        self.status = status


@dataclass
class Game:
    """One task, one episode: a square hall with walls at 10 m, a door 4 m ahead of the start, time in steps.

    Axes are UE's: centimetres, left-handed, yaw clockwise, look down positive.
    """

    task_id: str = "S91"
    build_sha256: str = "ab" * 32
    size: tuple[int, int] = (64, 36)
    one_reset: bool = True
    steps: int = 0
    x: float = 0.0
    y: float = 0.0
    z: float = 90.0
    yaw: float = 0.0
    look: float = 0.0
    open: bool = False
    episode: str = ""
    resets: int = 0
    number: int = 0
    told: list[str] = field(default_factory=list)
    actions: list[Row] = field(default_factory=list)
    last: Row = field(default_factory=dict)

    @property
    def t_s(self) -> float:
        return self.steps * STEP_S

    def health(self) -> Row:
        return {
            "ok": True,
            "action_in_progress": False,
            "task_id": self.task_id,
            "build_sha256": self.build_sha256,
            "sampling_interval_seconds": SAMPLE_S,
            "startup_rng_seeded": False,
            "episode_started": bool(self.resets),
        }

    def reset(self, body: Row) -> Row:
        if body["task_id"].upper() != self.task_id.upper():
            raise Refused(400, "another task")
        if self.resets and (self.one_reset or body.get("episode_id") != self.episode):
            raise Refused(409, "the episode has begun")
        self.resets += 1
        self.steps, self.x, self.y, self.yaw, self.look, self.open = 30, 0.0, 0.0, 0.0, 0.0, False
        self.episode = f"episode-{self.resets}"
        return {**self.observation([], 0.0, "reset"), "episode_id": self.episode, "task_id": self.task_id}

    def step(self, body: Row) -> Row:
        action = body["action"]
        self.actions.append(action)
        frames: list[Row] = []
        begun, start = self.steps, (self.x, self.y)
        result = self._do(action, frames, begun)
        return self.observation(frames, math.dist(start, (self.x, self.y)), result)

    def _do(self, action: Row, frames: list[Row], begun: int) -> str:
        name = action["name"]
        if name in ("move_up", "move_down"):
            wanted = action["distance"]
            if type(wanted) is not int or not 1 <= wanted <= 2000:
                raise Refused(400, "distance")
            sign = 1.0 if name == "move_up" else -1.0
            return self._walk(sign, float(wanted), frames, begun)
        if name in ("turn", "look"):
            degree = action["degree"]
            if type(degree) is not int or abs(degree) > 360:
                raise Refused(400, "degree")
            left = float(abs(degree))
            while left > 0:
                part = min(left, TURN_DEG_S * STEP_S)
                left -= part
                self._turn(name, math.copysign(part, degree))
                self._pass(frames, begun)
            self._pass(frames, begun)
            return "ok"
        if name == "idle":
            seconds = float(action["time"].removesuffix("s"))
            if not (STEP_S <= seconds <= 10.0 and action["time"].endswith("s")):
                raise Refused(400, "time")
            for _ in range(math.ceil(seconds / STEP_S - 1e-6)):
                self._pass(frames, begun)
            return "ok"
        if name == "interact":
            self._pass(frames, begun)
            ahead = math.degrees(math.atan2(DOOR[1] - self.y, DOOR[0] - self.x))
            if math.dist(DOOR, (self.x, self.y)) > REACH_CM or abs(ahead - self.yaw) > 15.0:
                return "no_target"
            self.open = not self.open
            return "door"
        if name in ("flag", "done"):
            self.told.append(str(action.get("bug", "done")))
            return "ok"
        raise Refused(400, f"no action {name}")

    def _walk(self, sign: float, left: float, frames: list[Row], begun: int) -> str:
        along = math.radians(self.yaw)
        while left > 1e-9:
            part = min(left, WALK_CM_S * STEP_S)
            x, y = (
                self.x + sign * part * math.cos(along),
                self.y + sign * part * math.sin(along),
            )
            if max(abs(x), abs(y)) > HALL_CM - 30.0:
                return "blocked"
            self.x, self.y, left = x, y, left - part
            self._pass(frames, begun)
        return "ok"

    def _turn(self, name: str, degrees: float) -> None:
        if name == "turn":
            self.yaw = 180.0 - (180.0 - (self.yaw + degrees)) % 360.0
        else:
            self.look = max(-80.0, min(80.0, self.look + degrees))

    def _pass(self, frames: list[Row], begun: int) -> None:
        self.steps += 1
        if (self.steps - begun) % round(SAMPLE_S / STEP_S) == 0:
            frames.append({"simulation_time": self.t_s, "rgb": self._rgb()})

    def observation(self, frames: list[Row], moved: float, result: str) -> Row:
        self.number += 1
        self.last = {
            "observation_id": f"o{self.number}",
            "rgb": self._rgb(),
            "frames": frames,
            "position_cm": [self.x, self.y, self.z],
            "yaw_degree": self.yaw,
            "look_degree": self.look,
            "simulation_time": self.t_s,
            "paused": True,
            "actual_distance_cm": moved,
            "result": result,
            "boundary_clearance_cm": HALL_CM - 30.0 - max(abs(self.x), abs(self.y)),
        }
        return self.last

    def _rgb(self) -> Row:
        """A picture that differs with place, gaze, time and the door."""
        width, height = self.size
        across = np.linspace(0.0, 120.0, width)[None, :] + np.zeros((height, 1))
        down = np.linspace(0.0, 90.0, height)[:, None] + np.zeros((1, width))
        picture = np.stack(
            [across + self.yaw % 120.0, down + self.look + 80.0, across * 0.0 + self.steps % 200], axis=-1
        )
        picture[0, 0] = (self.x % 256, self.y % 256, 255 if self.open else 0)
        out = io.BytesIO()
        Image.fromarray(picture.astype(np.uint8)).save(out, "PNG", compress_level=1)
        return {"base64": base64.b64encode(out.getvalue()).decode()}


class UeService:
    """The service on a port of its own. `faults` maps a path and the number of the request to it (from 1) to what
    goes wrong then; `log` holds every request's path and id, in order."""

    def __init__(self, game: Game | None = None, faults: dict[tuple[str, int], str] | None = None) -> None:
        self.game = game or Game()
        self.faults = faults or {}
        self.log: list[tuple[str, str]] = []
        self.replies: OrderedDict[str, tuple[str, Row]] = OrderedDict()
        self.evicted: set[str] = set()
        self.counts: dict[str, int] = {}
        self.stopped = threading.Event()
        self.reached = threading.Event()
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                service.answer(self, {})

            def do_POST(self) -> None:
                length = int(self.headers["Content-Length"])
                service.answer(self, json.loads(self.rfile.read(length)))

            def log_message(self, format: str, *args: Any) -> None:
                """Nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()

    def __enter__(self) -> UeService:
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()

    def stop(self) -> None:
        self.stopped.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def answer(self, handler: BaseHTTPRequestHandler, body: Row) -> None:
        path = handler.path
        self.counts[path] = self.counts.get(path, 0) + 1
        fault = self.faults.get((path, self.counts[path])) or self.faults.get((path, 0), "")
        self.log.append((path, str(body.get("request_id", ""))))
        try:
            if fault.isdecimal():
                raise Refused(int(fault), "on purpose")
            row = self._reply(path, body)
            status = 200
        except Refused as refused:
            row, status = {"error": str(refused)}, refused.status
        self._send(handler, status, row, fault)

    def _reply(self, path: str, body: Row) -> Row:
        if path == "/health":
            return self.game.health()
        if path == "/observe":
            if body.get("episode_id") != self.game.episode:
                raise Refused(409, "another episode")
            return self.game.last
        if path not in ("/reset", "/step"):
            raise Refused(404, "no such call")
        key, text = str(body["request_id"]), json.dumps(body, sort_keys=True)
        if key in self.evicted:
            raise Refused(410, "evicted")
        if key in self.replies:
            known, row = self.replies[key]
            if known != text:
                raise Refused(409, "the id was used for something else")
            return row
        if path == "/step" and body.get("episode_id") != self.game.episode:
            raise Refused(409, "another episode")
        row = self.game.reset(body) if path == "/reset" else self.game.step(body)
        self.replies[key] = (text, row)
        while len(self.replies) > KEPT:
            self.evicted.add(self.replies.popitem(last=False)[0])
        return row

    def _send(self, handler: BaseHTTPRequestHandler, status: int, row: Row, fault: str) -> None:
        row = _spoiled(row, fault)
        data = b"[1, 2" if fault == "no_json" else json.dumps(row).encode()
        if fault == "lost":
            handler.close_connection = True
            return
        if fault in ("hang", "drip"):
            self.reached.set()
            if fault == "hang":
                self.stopped.wait()
                return
        handler.send_response(status)
        handler.send_header("Content-Length", str(len(data)))
        handler.end_headers()
        if fault == "drip":
            for at in range(len(data) - 1):
                handler.wfile.write(data[at : at + 1])
                if self.stopped.wait(0.02):
                    return
            return
        handler.wfile.write(data[: len(data) // 2] if fault == "half" else data)


def _spoiled(row: Row, fault: str) -> Row:
    """`row` with one thing wrong."""
    changes: dict[str, Row] = {
        "not_paused": {"paused": False},
        "paused_missing": {"paused": None},
        "clock_back": {"simulation_time": 0.25, "frames": []},
        "runs_on": {"simulation_time": row.get("simulation_time", 0.0) + 5.0},
        "nan": {"position_cm": [0.0, float("nan"), 0.0]},
        "infinite_yaw": {"yaw_degree": float("inf")},
        "two_numbers": {"position_cm": [1.0, 2.0]},
        "truth_for_number": {"look_degree": True},
        "stale": {"observation_id": "o1"},
        "no_picture": {"rgb": {"base64": base64.b64encode(b"GIF89a" + bytes(40)).decode()}},
        "broken_base64": {"rgb": {"base64": "%%%"}},
        "late_frame": {"frames": [{"simulation_time": 1e6, "rgb": row.get("rgb")}]},
        "early_frame": {"frames": [{"simulation_time": 0.0, "rgb": row.get("rgb")}]},
        "frames_backwards": {
            "frames": [{"simulation_time": t, "rgb": row.get("rgb")} for t in (1.4, 1.2)],
        },
        "no_episode": {"episode_id": ""},
        "another_task": {"task_id": "S92"},
    }
    return {**row, **changes.get(fault, {})}
