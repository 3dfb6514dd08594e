"""`embodied-eval sim`: a world as a simulator that other programs can use."""

from __future__ import annotations

import json
import re
import signal
import sys
from typing import TYPE_CHECKING, get_args

import click

from embodied_eval.cli.output import json_option

if TYPE_CHECKING:
    from embodied_eval.drivers.unrealcv.server import Server

SCHEMA = "embodied-eval/sim/1"
MODES = ("compat", "strict", "linux-handover")


@click.group(name="sim")
def command() -> None:
    """Serve worlds to programs that speak UnrealCV."""


@command.command(name="serve")
@click.option(
    "--world", "world_name", default="indoor", show_default=True, help="A bundled world, or a .json file."
)
@click.option(
    "--driver",
    "driver_name",
    type=click.Choice(["mujoco", "threejs"]),
    default="mujoco",
    show_default=True,
    help="What simulates and draws it.",
)
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen at.")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=9000, show_default=True, help="0 = any free one."
)
@click.option("--size", default="640x480", show_default=True, help="Pixels of pictures, WIDTHxHEIGHT.")
@click.option(
    "--mode",
    type=click.Choice(MODES),
    default="compat",
    show_default=True,
    help="strict: only what the public UnrealCV server does; linux-handover: the same, with its change to a "
    "Unix socket after the first client.",
)
@click.option("--fault", default="", help="Faults to show, e.g. hang@3,no-greeting/1 (docs/unrealcv.md).")
@json_option
def serve(
    world_name: str,
    driver_name: str,
    host: str,
    port: int,
    size: str,
    mode: str,
    fault: str,
    as_json: bool,
) -> None:
    """Serve a world over the UnrealCV protocol until Ctrl-C.

    With --json one line says where, once clients can connect.
    """
    from embodied_eval.drivers.unrealcv.faults import FaultPlan
    from embodied_eval.drivers.unrealcv.game import Mode
    from embodied_eval.drivers.unrealcv.server import Server, is_loopback
    from embodied_eval.plugins import make_driver
    from embodied_eval.worlds.bundled import load_world

    assert get_args(Mode) == MODES
    pixels = _size(size)
    plan = FaultPlan.parse(fault)
    world = load_world(world_name)
    server = Server(
        make_driver(driver_name),
        world,
        host=host,
        port=port,
        mode=mode,  # type: ignore[arg-type]
        size=pixels,
        faults=plan,
    )
    if not is_loopback(host):
        click.echo(
            f"warning: whoever reaches {host} can use this server; it asks for no password. Use a firewall, "
            "or --host 127.0.0.1.",
            err=True,
        )

    def say() -> None:
        if as_json:
            document = {
                "schema": SCHEMA,
                "address": server.address,
                "host": host,
                "port": server.port,
                "world": world.name,
                "driver": driver_name,
                "mode": mode,
                "size": list(pixels),
            }
            click.echo(json.dumps(document))
        else:
            click.echo(
                f"Serving {world.name} ({driver_name}) over UnrealCV at {server.address}; Ctrl-C ends it."
            )
        sys.stdout.flush()

    server.on_ready = say
    _until_told_to_stop(server)


def _until_told_to_stop(server: Server) -> None:
    """Serve until SIGINT or SIGTERM; both end it cleanly."""
    before = {
        number: signal.signal(number, lambda *_: server.stop()) for number in (signal.SIGINT, signal.SIGTERM)
    }
    try:
        server.serve_forever()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _size(text: str) -> tuple[int, int]:
    match = re.fullmatch(r"(\d{1,4})x(\d{1,4})", text)
    if match is None or not all(1 <= int(side) <= 4096 for side in match.groups()):
        raise click.BadParameter(
            f"{text!r} is no size; e.g. 640x480, at most 4096 a side", param_hint="--size"
        )
    return int(match[1]), int(match[2])
