"""Small worlds, a driver in a thread of its own, and a model that says what it is told to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from embodied_eval.driver_thread import DriverThread
from embodied_eval.errors import ModelError
from embodied_eval.models.types import Image, Message, Reply, Role, Tool, ToolCall
from embodied_eval.records import Json

THREE = "https://cdnjs.cloudflare.com/ajax/libs/three.js/r128/three.min.js"
HEAD = '<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8"><title>island</title></head>\n<body>\n'
SCENE = """const scene = new THREE.Scene();
const camera = new THREE.PerspectiveCamera(50, innerWidth / innerHeight, 0.1, 100);
camera.position.set(4, 4, 6);
camera.lookAt(0, 0, 0);
const renderer = new THREE.WebGLRenderer();
renderer.setSize(innerWidth, innerHeight);
document.body.appendChild(renderer.domElement);
const cube = new THREE.Mesh(new THREE.BoxGeometry(2, 2, 2), new THREE.MeshBasicMaterial({ color: 0x44aa33 }));
scene.add(cube);
function draw() {
  requestAnimationFrame(draw);
  cube.rotation.y += 0.01;
  renderer.render(scene, camera);
}
draw();
"""


def page(script: str, *, kind: str = "") -> str:
    """A page that loads three.js and runs `script`."""
    attribute = f' type="{kind}"' if kind else ""
    return (
        f'{HEAD}<script src="{THREE}"></script>\n<script{attribute}>\n{script}</script>\n</body>\n</html>\n'
    )


GOOD = page(SCENE)


class OwnThread:
    """A `DriverHandle` without an episode."""

    def __init__(self, thread: DriverThread) -> None:
        self._thread = thread

    async def load(self, *args: Any, **named: Any) -> Any:
        raise AssertionError("no world is walked in here")

    async def call(self, function: Any) -> Any:
        return await self._thread.run(function)


class Says:
    """A `ModelHandle` that answers with the given replies, one after the other, and keeps what it was asked."""

    def __init__(self, *replies: Reply | str | ModelError) -> None:
        self._replies = list(replies)
        self.asked: list[tuple[Message, ...]] = []
        self.offered: list[tuple[str, ...]] = []

    async def complete(
        self,
        messages: Sequence[Message],
        *,
        tools: Sequence[Tool] = (),
        schema: Mapping[str, Json] | None = None,
        role: Role = "agent",
        sampling: Mapping[str, Json] | None = None,
    ) -> Reply:
        self.asked.append(tuple(messages))
        self.offered.append(tuple(tool.name for tool in tools))
        made = self._replies.pop(0)
        if isinstance(made, ModelError):
            raise made
        return Reply(made) if isinstance(made, str) else made

    @property
    def images(self) -> int:
        """Pictures in everything it was asked."""
        return sum(isinstance(part, Image) for asked in self.asked for one in asked for part in one.parts)


def replace(old: str, new: str, name: str = "replace") -> Reply:
    """A turn that calls the tool once."""
    return Reply("", (ToolCall(f"c{len(old)}", name, {"old": old, "new": new}),))
