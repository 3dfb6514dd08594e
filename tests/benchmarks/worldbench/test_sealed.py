"""A world that tries every way out is captured, graded and reported whole, and no packet leaves."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.listeners import Listeners, addresses
from tests.listeners import listeners as listeners

pytestmark = [pytest.mark.browser, pytest.mark.gl]
ISLAND = Path(__file__).parent / "capture" / "island.html"
CALLS = """
<script>
for (const host of HOSTS) {
  const at = `${host}:PORT`;
  const tries = [
    () => fetch(`http://${at}/fetch`, { mode: "no-cors", keepalive: true }),
    () => navigator.sendBeacon(`http://${at}/beacon`, "x"),
    () => new WebSocket(`ws://${at}/socket`),
    () => new EventSource(`http://${at}/events`),
    () => { new Image().src = `http://${at}/image`; },
    () => document.head.append(Object.assign(document.createElement("script"), { src: `http://${at}/script.js` })),
    () => document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href: `http://${at}/a.css` })),
    () => document.body.append(Object.assign(document.createElement("iframe"), { src: `http://${at}/frame` })),
    () => window.open(`http://${at}/popup`),
    () => new Worker(URL.createObjectURL(new Blob([`fetch("http://${at}/worker")`]))),
    () => new RTCPeerConnection({ iceServers: [{ urls: `stun:${at}` }] }).createDataChannel("x"),
  ];
  const all = () => tries.forEach((one) => { try { Promise.resolve(one()).catch(() => {}); } catch {} });
  all();
  setTimeout(all, 20000);
}
</script>
"""


def command(*words: str) -> Any:
    done = subprocess.run(
        [sys.executable, "-m", "embodied_eval", *words, "--json"], capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_a_world_that_calls_out_is_graded_and_never_heard(tmp_path: Path, listeners: Listeners) -> None:
    calls = CALLS.replace("HOSTS", json.dumps(addresses())).replace("PORT", str(listeners.port))
    world, store = tmp_path / "caller.html", str(tmp_path / "store")
    world.write_text(ISLAND.read_text("utf-8").replace("</body>", f"{calls}</body>"), "utf-8")
    quick = [word for option in ("width=320", "height=180", "masks=false") for word in ("--set", option)]
    ran = command(
        "run", "worldbench", "--world", str(world), "--model", "somebody/model", "--store", store, *quick
    )
    asked = "SELECT data->'$.isolation', data->'$.refused' FROM events WHERE kind = 'capture'"
    (row,) = command("query", asked, "--store", store)["rows"]
    isolation, refused = (json.loads(one) for one in row)
    assert isolation in ("netns", "route-only")
    assert {one.rpartition("/")[2] for one in refused} >= {"fetch", "socket", "events", "image", "script.js"}
    command("judge", ran["run"], "--judge-model", "rule", "--again", "--store", store)
    command("report", ran["run"], "--store", store, "--out", str(tmp_path / "report"))
    assert (tmp_path / "report" / "index.html").is_file()
    assert listeners.heard() == []
