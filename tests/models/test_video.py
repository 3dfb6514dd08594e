"""Generated videos against the loopback server: submit, poll, download, and every fault of them."""

import asyncio
import io
from importlib.util import find_spec
from typing import Any

import pytest

from embodied_eval.errors import (
    BudgetReached,
    ConfigError,
    ModelAuthError,
    ModelBadRequest,
    ModelError,
    ModelRefused,
    ModelUnavailable,
    TransferError,
)
from embodied_eval.models.budget import Budget
from embodied_eval.models.gateway import Gateway
from embodied_eval.models.media import video_kind
from embodied_eval.models.types import Image
from embodied_eval.models.video import VideoRequest, VideoResult
from tests.loopback import Fault, LoopbackServer, Videos, rate_limited, server_error
from tests.models.tools import Answers, Clock

pytestmark = pytest.mark.skipif(find_spec("httpx") is None, reason="needs the extra llm")
KEY = "sk-loopback-123456"


def box(kind: bytes, size: int) -> bytes:
    return (size + 8).to_bytes(4, "big") + kind + bytes(size)


MP4 = box(b"ftyp", 16) + box(b"moov", 100) + box(b"mdat", 5000)


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    monkeypatch.delenv("OPENAI_API_BASE", raising=False)


def generate(
    videos: Videos, clock: Clock | None = None, budget: Budget | None = None, **request: Any
) -> VideoResult:
    clock = clock or Clock()
    with LoopbackServer(videos=videos) as server:
        gateway = Gateway(
            api_base=server.base_url,
            budget=budget,
            prices={"openai/priced": 0.25},
            backend=Answers(ModelUnavailable("only videos here")),
            clock=clock,
            sleep=clock.sleep,
        )
        asked = VideoRequest(**{"model": "openai/vid", "prompt": "a room", **request})
        return asyncio.run(gateway.generate_video(asked))


def test_submit_poll_download() -> None:
    videos, clock = Videos(MP4, polls=3), Clock()
    result = generate(videos, clock, seconds=8, size="640x360", seed=5)
    assert result.data == MP4 and result.media_type == "video/mp4" and result.polls == 4
    assert videos.submitted == [
        {"model": "vid", "prompt": "a room", "seconds": "8", "size": "640x360", "seed": "5"}
    ]
    assert clock.slept == [1.0, 1.5, 2.25] and result.wall_s == pytest.approx(4.75)
    assert result.cost_usd is None and len(result.sha256) == 64


def test_a_first_frame_is_sent_as_a_file() -> None:
    videos = Videos(MP4)
    generate(videos, image=Image(b"\x89PNG-bytes", "image/png"))
    sent = videos.submitted[0]["input_reference"]
    assert sent == {"filename": "first.png", "media_type": "image/png", "bytes": b"\x89PNG-bytes"}
    assert videos.submitted[0]["seconds"] == "4"


def test_the_base_comes_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    videos = Videos(MP4)
    with LoopbackServer(videos=videos) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url + "/")
        clock = Clock()
        gateway = Gateway(backend=Answers(ModelUnavailable("")), clock=clock, sleep=clock.sleep)
        asyncio.run(gateway.generate_video(VideoRequest("openai/vid", "a room")))
    assert videos.downloads == 1


@pytest.mark.parametrize(
    ("videos", "request_", "said", "downloads"),
    [
        (Videos(MP4, serve="truncated"), {}, "broke off after", 3),
        (Videos(MP4, serve="cut-box"), {}, "is truncated: a box at byte 132 goes past the end at", 1),
        (Videos(MP4), {"max_bytes": 1000}, "5,140 bytes or more; at most 1,000", 1),
        (Videos(MP4, serve="endless"), {"max_bytes": 20_000}, "at most 20,000", 1),
        (Videos(b"<html>busy</html>"), {}, "is neither MP4 nor WebM: it begins with 3c 68", 1),
        (Videos(b""), {}, "begins with nothing", 1),
        (Videos(box(b"ftyp", 8) + box(b"moov", 8)), {}, "has no 'mdat' box", 1),
        (Videos(MP4, polls=None), {"timeout_s": 60.0}, "not there within 60 s", 0),
        (Videos(MP4, serve="stall"), {"timeout_s": 0.2}, "not there within 0.2 s", 1),
    ],
)
def test_files_that_cannot_be_used(
    videos: Videos, request_: dict[str, Any], said: str, downloads: int
) -> None:
    if videos.serve == "stall":
        videos.polls = 0
    with pytest.raises(TransferError) as caught:
        generate(videos, **request_)
    assert said in str(caught.value) and videos.downloads == downloads and len(videos.submitted) == 1


def test_passing_faults_are_ridden_out() -> None:
    videos, clock = Videos(MP4, faults=[rate_limited("3"), server_error(503)]), Clock()
    assert generate(videos, clock).data == MP4
    assert clock.slept[0] == 3.0 and len(videos.submitted) == 3
    videos = Videos(MP4, poll_faults=[server_error(502), Fault("malformed")])
    assert generate(videos).polls == 2 and len(videos.submitted) == 1
    gone = Videos(MP4, poll_faults=[Fault("status", 404, "no such video")])
    with pytest.raises(ModelBadRequest, match="no such video"):
        generate(gone)


def test_what_may_have_been_taken_is_not_sent_again() -> None:
    videos = Videos(MP4, faults=[Fault("cut")])
    with pytest.raises(ModelUnavailable, match="connection broke"):
        generate(videos)
    assert len(videos.submitted) == 1


@pytest.mark.parametrize(
    ("videos", "kind", "said"),
    [
        (
            Videos(status="failed", error={"code": "moderation_blocked", "message": "not this"}),
            ModelRefused,
            "status 'failed': not this",
        ),
        (Videos(status="failed", error={"code": "x", "message": "broke"}), ModelUnavailable, "broke"),
        (Videos(status="cancelled"), ModelUnavailable, "no explanation"),
        (Videos(faults=[Fault("status", 400, "bad size")]), ModelBadRequest, "bad size"),
        (Videos(faults=[Fault("status", 401, f"key {KEY}")]), ModelAuthError, "[secret]"),
    ],
)
def test_generations_that_fail(videos: Videos, kind: type[ModelError], said: str) -> None:
    with pytest.raises(kind) as caught:
        generate(videos)
    assert said in str(caught.value) and KEY not in str(caught.value) and videos.downloads == 0


def test_budget_and_price() -> None:
    budget = Budget(usd=3.0)
    result = generate(Videos(MP4), budget=budget, model="openai/priced", seconds=8)
    assert result.cost_usd == 2.0 and budget.spent_usd == 2.0
    with pytest.raises(BudgetReached):
        generate(Videos(MP4), budget=budget, model="openai/priced", seconds=8)
    with pytest.raises(ConfigError, match="price of openai/vid is not known"):
        generate(Videos(MP4), budget=budget)
    free = Budget(usd=3.0)
    with pytest.raises(ModelBadRequest):
        generate(Videos(faults=[Fault("status", 400)]), budget=free, model="openai/priced")
    assert free.spent_usd == 0.0
    with pytest.raises(TransferError):
        generate(Videos(b""), budget=free, model="openai/priced")
    assert free.spent_usd == 1.0 and free.estimated


def test_mistakes_of_configuration(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ConfigError, match="OpenAI-compatible endpoint"):
        generate(Videos(MP4), model="other/vid")
    monkeypatch.delenv("OPENAI_API_KEY")
    with pytest.raises(ModelAuthError, match="OPENAI_API_KEY"):
        generate(Videos(MP4))


@pytest.mark.skipif(find_spec("av") is None, reason="needs the extra video")
@pytest.mark.parametrize(
    ("form", "codec", "kind"), [("mp4", "mpeg4", "video/mp4"), ("webm", "libvpx", "video/webm")]
)
def test_real_files(form: str, codec: str, kind: str) -> None:
    import av
    import numpy as np

    made = io.BytesIO()
    with av.open(made, "w", format=form) as container:
        stream = container.add_stream(codec, rate=10)
        stream.width, stream.height, stream.pix_fmt = 64, 48, "yuv420p"
        for n in range(5):
            frame = av.VideoFrame.from_ndarray(np.full((48, 64, 3), 40 * n, np.uint8), format="rgb24")
            container.mux(stream.encode(frame))
        container.mux(stream.encode())
    assert video_kind(made.getvalue()) == (kind, "")
    if form == "mp4":
        assert all(video_kind(made.getvalue()[:-cut])[1] for cut in (1, 50, 400))
