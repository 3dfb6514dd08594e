"""Generated videos: submit, poll, download, over an OpenAI-compatible video endpoint.

`POST /videos`, `GET /videos/ID`, `GET /videos/ID/content`. A submission is billed, so it is sent again only
where the provider certainly did not take it; polls and downloads are free and tried again.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from embodied_eval.errors import (
    ConfigError,
    MissingPart,
    ModelAuthError,
    ModelError,
    ModelRefused,
    ModelUnavailable,
    TransferError,
)
from embodied_eval.models.failures import REFUSAL_CODES, by_cause, by_status, chain, tidy
from embodied_eval.models.guard import without_userinfo
from embodied_eval.models.limiter import Sleep
from embodied_eval.models.media import video_kind
from embodied_eval.models.retry import Retry
from embodied_eval.models.types import Image

PREFIX = "openai/"
BASES = ("OPENAI_BASE_URL", "OPENAI_API_BASE")
DEFAULT_BASE = "https://api.openai.com/v1"
FIRST_POLL_S, LONGEST_POLL_S = 1.0, 10.0
REQUEST_TIMEOUT_S = 60.0


@dataclass(frozen=True)
class VideoRequest:
    """A video to generate: `seconds` long, `size` as "1280x720", from `prompt` and where given from a first
    frame `image`. `timeout_s` is for the whole, submission to last byte; the file may have `max_bytes`."""

    model: str
    prompt: str
    seconds: int = 4
    size: str = "1280x720"
    image: Image | None = None
    seed: int | None = None
    timeout_s: float = 900.0
    max_bytes: int = 200_000_000


@dataclass(frozen=True)
class VideoResult:
    """A downloaded video: encoded bytes, "video/mp4" or "video/webm", the provider's id, seconds it took,
    dollars (None = price unknown)."""

    data: bytes
    media_type: str
    id: str
    wall_s: float
    polls: int
    cost_usd: float | None = None

    @cached_property
    def sha256(self) -> str:
        """SHA-256 (hex) of the bytes."""
        return hashlib.sha256(self.data).hexdigest()


class VideoClient:
    """One generation. `submitted` tells whether the provider may have taken (and billed) it."""

    def __init__(
        self,
        api_base: str | None = None,
        *,
        retry: Retry | None = None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Sleep = asyncio.sleep,
        rng: random.Random | None = None,
    ) -> None:
        found = api_base or next((os.environ[name] for name in BASES if os.environ.get(name)), DEFAULT_BASE)
        self._base = found.rstrip("/")
        self._retry, self._clock, self._sleep = retry or Retry(), clock, sleep
        self._rng = rng or random.Random()
        self.submitted = False

    async def generate(self, request: VideoRequest) -> VideoResult:
        """Submit, poll, download.

        Raises TransferError for a file that is truncated, too large, of the wrong kind or late,
        ModelRefused for a refusal of the content, other ModelErrors by cause.
        """
        httpx = _httpx()
        if not request.model.startswith(PREFIX):
            raise ConfigError(
                f"{request.model!r} is no video model that can be reached.",
                hint="Video models are reached over an OpenAI-compatible endpoint: openai/NAME, with --api-base.",
            )
        key = os.environ.get("OPENAI_API_KEY", "")
        if not key:
            raise ModelAuthError(
                f"{request.model} needs a key.",
                model=request.model,
                hint="Set OPENAI_API_KEY in the environment.",
            )
        started = self._clock()
        client = httpx.AsyncClient(
            headers={"Authorization": f"Bearer {key}"},
            timeout=min(REQUEST_TIMEOUT_S, request.timeout_s),
            max_redirects=3,
        )
        try:
            async with asyncio.timeout(request.timeout_s), client:
                submitted = await self._submit(client, request)
                polls = await self._poll(client, request, submitted, started)
                data, kind = await self._download(client, request, submitted)
        except TimeoutError as error:
            raise self._late(request) from error
        return VideoResult(data, kind, submitted, self._clock() - started, polls)

    async def _submit(self, client: Any, request: VideoRequest) -> str:
        fields = {
            "model": request.model.removeprefix(PREFIX),
            "prompt": request.prompt,
            "seconds": str(request.seconds),
            "size": request.size,
        }
        if request.seed is not None:
            fields["seed"] = str(request.seed)
        body: dict[str, Any] = {"json": fields}
        if request.image is not None:
            name = "first." + request.image.media_type.rpartition("/")[2]
            body = {
                "data": fields,
                "files": {"input_reference": (name, request.image.data, request.image.media_type)},
            }

        async def once() -> Mapping[str, Any]:
            self.submitted = True
            try:
                return await self._json(client, "POST", "/videos", request, **body)
            except ModelError as error:
                self.submitted = not _surely_not_taken(error)
                raise

        made = await self._again(once, retry_if=_surely_not_taken)
        identifier = made.get("id")
        if not isinstance(identifier, str) or not identifier.replace("_", "").replace("-", "").isalnum():
            raise ModelUnavailable(f"{request.model} gave no usable video id.", model=request.model)
        return identifier

    async def _poll(self, client: Any, request: VideoRequest, identifier: str, started: float) -> int:
        wait_s, polls = FIRST_POLL_S, 0
        while True:
            made = await self._again(lambda: self._json(client, "GET", f"/videos/{identifier}", request))
            polls += 1
            status = made.get("status")
            if status == "completed":
                return polls
            if status not in ("queued", "in_progress"):
                raise self._failed(request, made)
            if self._clock() - started + wait_s > request.timeout_s:
                raise self._late(request)
            await self._sleep(wait_s)
            wait_s = min(LONGEST_POLL_S, wait_s * 1.5)

    async def _download(self, client: Any, request: VideoRequest, identifier: str) -> tuple[bytes, str]:
        url = f"{self._base}/videos/{identifier}/content"
        data: bytes = await self._again(lambda: self._fetch(client, request, url))
        kind, problem = video_kind(data)
        if problem:
            raise _for_good(TransferError(f"The video of {request.model} {problem}.", model=request.model))
        return data, kind

    async def _fetch(self, client: Any, request: VideoRequest, url: str) -> bytes:
        data = bytearray()
        try:
            async with client.stream("GET", url, follow_redirects=True) as response:
                if response.status_code != 200:
                    await response.aread()
                    raise _status_error(response, request.model)
                declared = response.headers.get("content-length", "")
                if declared.isdigit() and int(declared) > request.max_bytes:
                    raise self._too_large(request, int(declared))
                async for piece in response.aiter_raw():
                    data += piece
                    if len(data) > request.max_bytes:
                        raise self._too_large(request, len(data))
        except _httpx().HTTPError as error:
            raise TransferError(
                f"The video of {request.model} broke off after {len(data):,} bytes.", model=request.model
            ) from error
        if declared.isdigit() and len(data) != int(declared):
            raise TransferError(
                f"The video of {request.model} has {len(data):,} of {declared} bytes.", model=request.model
            )
        return bytes(data)

    async def _json(
        self, client: Any, method: str, path: str, request: VideoRequest, **body: Any
    ) -> Mapping[str, Any]:
        try:
            response = await client.request(method, self._base + path, **body)
            if response.status_code != 200:
                raise _status_error(response, request.model)
            made = response.json()
        except (_httpx().HTTPError, ValueError) as error:
            where = without_userinfo(self._base)
            raise by_cause(
                error, model=request.model, where=where, timeout_s=REQUEST_TIMEOUT_S
            ) or ModelUnavailable(
                f"{request.model}: the request failed with {type(error).__name__} at {where}.",
                model=request.model,
            ) from error
        if not isinstance(made, dict):
            raise ModelUnavailable(f"{request.model} answered with no JSON object.", model=request.model)
        return made

    async def _again(
        self, once: Callable[[], Any], retry_if: Callable[[ModelError], bool] = lambda error: True
    ) -> Any:
        failures = 0
        while True:
            try:
                return await once()
            except ModelError as error:
                failures += 1
                wait_s = self._retry.wait_s(failures, error, self._rng) if retry_if(error) else None
                if wait_s is None:
                    raise
                await self._sleep(wait_s)

    def _failed(self, request: VideoRequest, made: Mapping[str, Any]) -> ModelError:
        problem = made.get("error")
        code = str(problem.get("code", "")) if isinstance(problem, dict) else ""
        said = tidy(str(problem.get("message", ""))) if isinstance(problem, dict) else ""
        text = (
            f"{request.model} ended the video with status {made.get('status')!r}: {said or 'no explanation'}"
        )
        if code in REFUSAL_CODES:
            return ModelRefused(text, model=request.model)
        return ModelUnavailable(text, model=request.model)

    def _late(self, request: VideoRequest) -> TransferError:
        return TransferError(
            f"The video of {request.model} was not there within {request.timeout_s:g} s.",
            model=request.model,
            hint="Raise the video's timeout.",
        )

    def _too_large(self, request: VideoRequest, size: int) -> TransferError:
        return _for_good(
            TransferError(
                f"The video of {request.model} has {size:,} bytes or more; at most {request.max_bytes:,} are taken.",
                model=request.model,
            )
        )


def _for_good(error: TransferError) -> TransferError:
    # The same file would come again.
    error.retriable = False
    return error


def _surely_not_taken(error: ModelError) -> bool:
    return error.status is not None or any(
        type(item).__name__ in ("ConnectError", "ConnectionRefusedError", "ConnectTimeout")
        for item in chain(error)
    )


def _status_error(response: Any, model: str) -> ModelError:
    try:
        problem = response.json().get("error") or {}
    except (ValueError, AttributeError):
        problem = {}
    return by_status(
        response.status_code,
        str(problem.get("message", "")) if isinstance(problem, dict) else "",
        model=model,
        code=str(problem.get("code") or "") if isinstance(problem, dict) else "",
        retry_after=response.headers.get("retry-after"),
    )


def _httpx() -> Any:
    try:
        import httpx
    except ImportError as error:
        raise MissingPart(
            "Generating videos needs httpx, which is not installed.", fix="pip install 'embodied-eval[llm]'"
        ) from error
    return httpx
