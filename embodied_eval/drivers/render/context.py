"""The GL context and its programs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib.resources import files
from typing import Any

from embodied_eval.errors import MissingPart

VERSION = 430
LIBRARIES = "apt-get install libegl1 libgl1-mesa-dri libgles2"
PACKAGE = "pip install 'embodied-eval[mujoco]'"


def open_context() -> Any:
    """A new standalone `moderngl.Context` on EGL. Raises MissingPart, naming what to install."""
    try:
        import moderngl
    except ImportError as error:
        raise MissingPart(f"The renderer needs moderngl ({error}).", fix=PACKAGE) from error
    create: Any = moderngl.create_context
    try:
        context = create(standalone=True, backend="egl")
    except Exception as error:
        raise MissingPart(f"No OpenGL context could be made through EGL ({error}).", fix=LIBRARIES) from error
    if context.version_code < VERSION:
        have, name = context.version_code, context.info["GL_RENDERER"]
        context.release()
        raise MissingPart(
            f"{name} offers OpenGL {have / 100:.1f}; the renderer needs {VERSION / 100:.1f}.", fix=LIBRARIES
        )
    return context


@contextmanager
def current(context: Any) -> Iterator[None]:
    """Make `context` the thread's current one for a block: two renderers may live in one thread."""
    with context:
        yield


@cache
def shader_text(name: str) -> str:
    """A file of the `glsl` folder with its `#include`s put in."""
    text = files("embodied_eval.drivers.render").joinpath("glsl", name).read_text(encoding="utf-8")
    return re.sub(r'#include "([a-z./]+)"', lambda match: shader_text(match.group(1)), text)


def program(context: Any, vertex: str, fragment: str, *, defines: tuple[str, ...] = ()) -> Any:
    """Compile a program from two texts of `shader_text`."""
    head = "#version 430 core\n" + "".join(f"#define {name}\n" for name in defines)
    return context.program(vertex_shader=head + vertex, fragment_shader=head + fragment)
