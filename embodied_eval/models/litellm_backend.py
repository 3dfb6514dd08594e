"""The back end for every other model: any LiteLLM name, with LiteLLM's own retries, caches and callbacks off."""

from __future__ import annotations

import logging
import os
import warnings
from collections.abc import Mapping
from typing import Any

from embodied_eval.errors import (
    MissingPart,
    ModelAuthError,
    ModelError,
    ModelUnavailable,
    UnknownModel,
    UnknownName,
)
from embodied_eval.models.failures import by_cause, by_status, chain, tidy
from embodied_eval.models.guard import without_userinfo
from embodied_eval.models.prices import Price
from embodied_eval.models.schema import real_text
from embodied_eval.models.types import Reply, Request
from embodied_eval.models.wire import read_tool_calls, wire_messages, wire_tools
from embodied_eval.records import Json

logger = logging.getLogger(__name__)
SAMPLING = frozenset(
    {"temperature", "top_p", "top_k", "max_tokens", "max_completion_tokens", "seed", "stop"}
    | {"presence_penalty", "frequency_penalty", "reasoning_effort", "verbosity", "thinking"}
    | {"tool_choice", "parallel_tool_calls"}
)

OPENAI = frozenset({"openai", "custom_openai", "text-completion-openai"})


def check_sampling(sampling: Mapping[str, Json]) -> None:
    """Raise UnknownName for a sampling parameter that is not one."""
    for name in sampling:
        if name not in SAMPLING:
            raise UnknownName("sampling parameter", name, SAMPLING)


def load_litellm() -> Any:
    """Import LiteLLM (3 s of CPU), offline and quiet. Raises MissingPart where it is not installed."""
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    os.environ.setdefault("LITELLM_LOG", "ERROR")
    # Its typed dictionaries make pydantic warn about itself, at import and at the first reply.
    warnings.filterwarnings("ignore", message=".*`ReadOnly` qualifier", category=UserWarning)
    try:
        import litellm
    except ImportError as error:
        raise MissingPart(
            "Asking a model over the network needs LiteLLM, which is not installed.",
            fix="pip install 'embodied-eval[llm]'",
        ) from error
    litellm.telemetry = False
    litellm.suppress_debug_info = True
    litellm.drop_params = False
    for callbacks in ("callbacks", "success_callback", "failure_callback", "input_callback"):
        setattr(litellm, callbacks, [])
    return litellm


class LiteLLMBackend:
    """Asks by LiteLLM. `api_base` None leaves the endpoint to LiteLLM: the provider's own or the
    environment's."""

    def __init__(self, api_base: str | None = None) -> None:
        self._litellm = load_litellm()
        self._api_base = api_base
        self._safe: set[str] = set()

    async def complete(self, request: Request) -> Reply:
        """One request, no retry. Raises ModelError by cause."""
        self._known(request.model)
        self._keep_key_at_home(request.model)
        arguments = self._arguments(request)
        try:
            response = await self._litellm.acompletion(**arguments)
        except Exception as error:
            raise self._failure(error, request) from error
        return self._reply(response, request)

    def _known(self, model: str) -> None:
        """Raise UnknownModel where no provider can be told from the name; nothing is sent."""
        try:
            self._litellm.get_llm_provider(model=model, api_base=self._api_base)
        except self._litellm.exceptions.BadRequestError as error:
            raise UnknownModel(
                f"No provider is known for the model {model!r}.",
                model=model,
                hint=f"Write it as PROVIDER/{model}, for example openai/{model}.",
            ) from error

    def price(self, model: str) -> Price | None:
        """The price in LiteLLM's bundled table, None where it has none for exactly this provider's model."""
        row = self._row(model)
        if row is None or "input_cost_per_token" not in row or "output_cost_per_token" not in row:
            return None
        longest = row.get("max_output_tokens")
        return Price(
            float(row["input_cost_per_token"]) * 1e6,
            float(row["output_cost_per_token"]) * 1e6,
            longest if isinstance(longest, int) else None,
        )

    def video_usd_per_second(self, model: str) -> float | None:
        """Dollars for a second of video, None where the table has no price."""
        row = self._row(model) or {}
        value = row.get("output_cost_per_video_per_second", row.get("output_cost_per_second"))
        return None if value is None else float(value)

    async def close(self) -> None:
        """Close the connections that LiteLLM keeps open."""
        await self._litellm.close_litellm_async_clients()

    def _row(self, model: str) -> Mapping[str, Any] | None:
        table = self._litellm.model_cost
        if model in table:
            return dict(table[model])
        provider, _, bare = model.partition("/")
        row = table.get(bare)
        return dict(row) if row and row.get("litellm_provider") == provider else None

    def _keep_key_at_home(self, model: str) -> None:
        """Refuse a provider that has no key of its own where LiteLLM would send it OpenAI's instead."""
        if model in self._safe or not os.environ.get("OPENAI_API_KEY"):
            return
        try:
            _, provider, key, _ = self._litellm.get_llm_provider(model, api_base=self._api_base)
        except self._litellm.BadRequestError:
            return  # the request itself will say it
        if key is None and provider not in OPENAI and self._uses_openai_client(provider):
            missing = self._litellm.validate_environment(model).get("missing_keys") or ()
            variable = " and ".join(missing) or f"{provider.upper().replace('-', '_')}_API_KEY"
            raise ModelAuthError(
                f"{model} has no key of its own, and OpenAI's is not sent to other providers.",
                model=model,
                hint=f"Set {variable} in the environment (to anything where the server needs no key).",
            )
        self._safe.add(model)

    def _uses_openai_client(self, provider: str) -> bool:
        from importlib import import_module

        if provider in self._litellm.openai_compatible_providers:
            return True
        try:
            registry = import_module("litellm.llms.openai_like.json_loader").JSONProviderRegistry
        except (ImportError, AttributeError):
            return False
        return bool(registry.exists(provider))

    def _arguments(self, request: Request) -> dict[str, Any]:
        native = request.schema is not None and self._litellm.supports_response_schema(request.model)
        made: dict[str, Any] = {
            **request.sampling,
            "model": request.model,
            "messages": wire_messages(request.messages, None if native else request.schema),
            "timeout": request.timeout_s,
            "max_retries": 0,
        }
        if request.tools:
            made["tools"] = wire_tools(request.tools)
        if native:
            shape = {"name": "answer", "schema": request.schema}
            made["response_format"] = {"type": "json_schema", "json_schema": shape}
        if self._api_base is not None:
            made["api_base"] = self._api_base
        return made

    def _reply(self, response: Any, request: Request) -> Reply:
        choices = getattr(response, "choices", None)
        if not choices or getattr(choices[0], "message", None) is None:
            raise ModelUnavailable(
                f"{request.model} answered with something that is no chat completion.", model=request.model
            )
        message, finish = choices[0].message, choices[0].finish_reason or "stop"
        refusal = getattr(message, "refusal", None)
        usage = getattr(response, "usage", None)
        tokens_in = getattr(usage, "prompt_tokens", None)
        # LiteLLM fills in zeros where the provider sent no usage; no request has an empty prompt.
        tokens_in, tokens_out = (tokens_in, usage.completion_tokens) if usage and tokens_in else (None, None)
        return Reply(
            text=real_text(str(refusal or message.content or "")),
            tool_calls=read_tool_calls(message.tool_calls),
            finish="refusal" if refusal else str(finish),
            tokens_in=tokens_in,
            tokens_out=tokens_out,
            cost_usd=None if tokens_in is None else self._cost(response, request.model),
        )

    def _cost(self, response: Any, model: str) -> float | None:
        if self.price(model) is None:
            return None
        try:
            return float(self._litellm.completion_cost(completion_response=response, model=model))
        except Exception:
            logger.exception(
                "The cost of a reply of %s could not be computed; it is recorded as unknown.", model
            )
            return None

    def _failure(self, error: Exception, request: Request) -> ModelError:
        where = without_userinfo(self._api_base or "")
        found = by_cause(error, model=request.model, where=where, timeout_s=request.timeout_s)
        if found is not None:
            return found
        status, headers = _http_answer(error)
        if status is None:
            return self._never_sent(error, request.model)
        codes = (str(getattr(item, "code", None) or "") for item in chain(error))
        code = next((code for code in codes if code and not code.isdigit()), "")
        if isinstance(error, self._litellm.ContentPolicyViolationError):
            code = "content_policy_violation"
        return by_status(
            status,
            str(error),
            model=request.model,
            code=code,
            retry_after=headers.get("retry-after"),
            hint=self._hint(status, request.model),
        )

    def _never_sent(self, error: Exception, model: str) -> ModelError:
        hint = self._hint(401, model)
        text = f"{model}: the request could not be made: {tidy(str(error))}"
        return ModelAuthError(text, model=model, hint=hint) if hint else UnknownModel(text, model=model)

    def _hint(self, status: int, model: str) -> str:
        if status == 401:
            missing = self._litellm.validate_environment(model).get("missing_keys") or ()
            return f"Set {' and '.join(missing)} in the environment." if missing else ""
        return ""


def _http_answer(error: Exception) -> tuple[int | None, Mapping[str, str]]:
    """Status and headers of the provider's own answer, which LiteLLM's exception may have changed or lost;
    its own status where it kept none; None for what failed before anything was sent."""
    items = chain(error)
    for item in items:
        response = getattr(item, "response", None)
        if type(item).__name__ == "HTTPStatusError" and response is not None:
            return int(response.status_code), response.headers
    status = getattr(error, "status_code", None)
    local = {type(item).__name__ for item in items} & {"OpenAIError", "ValueError", "TypeError", "KeyError"}
    # LiteLLM gives status 500 also to mistakes made on this machine.
    return (None if not isinstance(status, int) or (status >= 500 and local) else status), {}
