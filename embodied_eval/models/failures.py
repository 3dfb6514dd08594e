"""Which error of ours a provider's answer is, by its status, its code and the cause beneath."""

from __future__ import annotations

import re

from embodied_eval.errors import (
    ModelAuthError,
    ModelBadRequest,
    ModelError,
    ModelRefused,
    ModelTimeout,
    ModelUnavailable,
    RateLimited,
    UnknownModel,
)
from embodied_eval.models.guard import Guard
from embodied_eval.models.retry import retry_after_s

REFUSAL_CODES = frozenset({"content_policy_violation", "content_filter", "moderation_blocked"})
LONGEST_DETAIL = 300
_PREFIXES = re.compile(r"^((litellm\.)?\w*(Error|Exception|Timeout)( Error)?( -)?:? *(- )?)+")
_ADVICE = re.compile(r"\.? *Handle with `litellm\.\w+`\.?")


def by_status(
    status: int,
    detail: str,
    *,
    model: str,
    code: str = "",
    retry_after: str | None = None,
    hint: str = "",
) -> ModelError:
    """The error for an answer with `status`: 408, 409, 425, 429 and 5xx may be tried again, others not."""
    said = tidy(detail)
    text = f"{model} answered with status {status}{f' ({code})' if code else ''}: {said or 'no explanation'}"
    if code in REFUSAL_CODES:
        return ModelRefused(text, model=model, status=status)
    if status in (401, 402, 403) or code == "insufficient_quota":
        return ModelAuthError(
            text, model=model, status=status, hint=hint or "Check the key in the environment and its account."
        )
    if status in (425, 429):
        return RateLimited(text, model=model, status=status, retry_after_s=retry_after_s(retry_after))
    if status == 408:
        return ModelTimeout(text, model=model, status=status)
    if status == 409 or status >= 500:
        return ModelUnavailable(text, model=model, status=status)
    if status == 404:
        hint = hint or "Check the model's name and the API base."
    kind = UnknownModel if status == 404 else ModelBadRequest
    return kind(text, model=model, status=status, hint=hint)


def by_cause(error: BaseException, *, model: str, where: str, timeout_s: float) -> ModelError | None:
    """The error for a request that got no whole answer, None where it got one. `where` names the endpoint."""
    names = {type(item).__name__ for item in chain(error)}
    at = f" at {where}" if where else ""
    if names & {"ConnectionRefusedError"}:
        return ModelUnavailable(
            f"{model}: the connection was refused{at}.", model=model, hint="Is the server running there?"
        )
    if names & {"gaierror", "ClientConnectorDNSError"}:
        return ModelUnavailable(
            f"{model}: the host name is not known{at}.",
            model=model,
            hint="Check the API base and the network.",
        )
    if names & {
        "TimeoutException",
        "ReadTimeout",
        "ConnectTimeout",
        "WriteTimeout",
        "PoolTimeout",
    } or names & {
        "APITimeoutError",
        "TimeoutError",
        "Timeout",
    }:
        return ModelTimeout(f"{model} gave no complete reply within {timeout_s:g} s{at}.", model=model)
    if names & {"JSONDecodeError", "UnicodeDecodeError"}:
        return ModelUnavailable(f"{model} answered with something that is not JSON{at}.", model=model)
    if names & {
        "APIConnectionError",
        "ConnectError",
        "ReadError",
        "WriteError",
        "RemoteProtocolError",
        "ServerDisconnectedError",
        "ClientPayloadError",
        "ConnectionResetError",
        "BrokenPipeError",
    }:
        return ModelUnavailable(
            f"{model}: the connection broke before the reply was complete{at}.", model=model
        )
    return None


def chain(error: BaseException) -> list[BaseException]:
    """`error` and what it was raised from, outermost first."""
    found: list[BaseException] = []
    item: BaseException | None = error
    while item is not None and item not in found:
        found.append(item)
        item = item.__cause__ or item.__context__
    return found


def tidy(detail: str) -> str:
    """A provider's words without its library's prefixes, line breaks and credentials, cut to 300 characters."""
    text = " ".join(Guard().error(_ADVICE.sub("", _PREFIXES.sub("", detail))).split())
    return text if len(text) <= LONGEST_DETAIL else text[: LONGEST_DETAIL - 3] + "..."
