"""The published UnrealCV client and its high-level class against our server, in a process of its own: they print,
and start threads."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from embodied_eval.drivers.mujoco.driver import MujocoDriver
from embodied_eval.drivers.unrealcv.server import Server
from tests.worlds import small

CALLS = """
import json, sys, warnings
import unrealcv
from unrealcv.api import UnrealCv_API

port, out = int(sys.argv[1]), {}
client = unrealcv.Client(("127.0.0.1", port))
assert client.connect(timeout=5) and client.connect(timeout=5)
out["echo"] = client.request("vget /unrealcv/echo word")
out["list"] = client.request(["vget /unrealcv/echo %d" % n for n in range(100)])
client.request("vset /object/crate/hide", -1)
client.request("vset /object/crate/show", -1)
# It loses count of the replies if it leaves before they came.
client.request("vget /unrealcv/status")
client.disconnect()
assert client.connect(timeout=5)
out["again"] = client.request("vget /unrealcv/version")
client.disconnect()

with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    api = UnrealCv_API(port, "127.0.0.1", (640, 480), "tcp")
    out["objects"] = api.get_objects()
    out["colours"] = {name: [int(part) for part in colour] for name, colour in api.obj_dict.items()}
    out["shapes"] = {f"{view} {form}": list(api.get_image(0, view, form).shape)
        for view in ("lit", "normal", "object_mask", "seg") for form in ("bmp", "png")}
    bmp, png = api.get_image(0, "object_mask", "bmp"), api.get_image(0, "object_mask", "png")
    out["same"] = bool((bmp == png).all())
    out["wall"] = [int(part) for part in bmp[bmp.shape[0] // 2, bmp.shape[1] // 2]]
    depth = api.get_depth(0)
    out["depth"] = float(depth[depth.shape[0] // 2, depth.shape[1] // 2, 0])
    both = api.get_image_multimodal(0)
    out["both"] = list(both.shape)
    out["cameras"] = api.get_camera_num()
    api.set_new_camera()
    api.cam = api.get_camera_config()
    api.set_cam_location(1, [10, 20, 30])
    api.set_cam_rotation(1, [1, 2, 3])
    out["pose"] = api.get_cam_location(1) + api.get_cam_rotation(1)
    api.set_obj_location("crate", [100.125, 50, 0])
    api.set_obj_scale("crate", [2, 1, 1])
    out["crate"] = api.get_obj_location("crate")
    out["scale"] = api.get_obj_scale("crate")
    out["size"] = api.get_obj_size("crate")
    api.set_pause()
    out["paused"] = api.get_is_paused()
    api.set_resume()
    api.config_ue(resolution=(320, 240))
    out["small"] = list(api.get_image(0, "lit", "bmp").shape)
    api.client.disconnect()
out["warnings"] = sorted({str(item.message)[:160] for item in caught if item.category is UserWarning})
print("RESULT" + json.dumps(out))
"""


@pytest.mark.gl
def test_the_published_client_and_its_api_work() -> None:
    pytest.importorskip("unrealcv")
    world = small.world(
        small.wall("wall", (0.2, 6.0, 4.0), (2.1, 0.0, 0.0)), small.crate("crate", (1.0, 2.0, 0.0))
    )
    with Server(MujocoDriver(), world, port=0) as server:
        done = subprocess.run(
            [sys.executable, "-c", CALLS, str(server.port)], capture_output=True, text=True, timeout=120
        )
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads(done.stdout.partition("RESULT")[2])
    assert found["echo"] == "word"
    assert found["list"] == [str(number) for number in range(100)]
    assert found["again"] == "1.1.0"
    assert found["objects"] == ["floor", "wall", "crate", "lamp_light", "sun", "agent"]
    assert len({tuple(colour) for colour in found["colours"].values()}) == 6
    assert set(map(tuple, found["shapes"].values())) == {(480, 640, 3)}
    assert found["same"]
    # Its pictures are B G R; so are the colours that it keeps.
    assert found["wall"] in (found["colours"]["wall"], found["colours"]["wall"][::-1])
    assert found["depth"] == pytest.approx(200.0, abs=0.1)
    assert found["both"] == [480, 640, 4]
    assert found["cameras"] == 1
    assert found["pose"] == [10, 20, 30, 1, 2, 3]
    assert found["crate"] == pytest.approx([100.125, 50, 0], abs=0.1)
    assert found["scale"] == [2, 1, 1]
    assert found["size"] == pytest.approx([80, 40, 40], abs=0.1)
    assert found["paused"] in (True, "true")
    assert found["small"] == [240, 320, 3]
    # Only `config_ue` asks for what is no command.
    assert all("DisableAllScreenMessages" in text for text in found["warnings"]), found["warnings"]
