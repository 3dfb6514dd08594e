"""The back end for models written in Python: `scripted/NAME`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from embodied_eval.errors import EmbodiedEvalError, PluginError, UnknownName
from embodied_eval.models.prices import FREE, Price
from embodied_eval.models.types import Reply, Request, ScriptedModel

PREFIX = "scripted/"


def is_scripted(model: str) -> bool:
    """Whether `model` names a scripted model."""
    return model.startswith(PREFIX)


class ScriptedBackend:
    """Asks the instances made for one episode, by NAME. A scripted call uses no tokens and costs nothing
    unless the model says otherwise."""

    def __init__(self, models: Mapping[str, ScriptedModel]) -> None:
        for name, model in models.items():
            if model.private is not None and not model.privileged:
                raise PluginError(
                    f"Scripted model {name!r} was given the task's private half without being privileged.",
                    hint="Declare `privileged = True` on the class, or make it without `private`.",
                )
        self._models = dict(models)

    async def complete(self, request: Request) -> Reply:
        """The model's next turn. An error in its code becomes a PluginError."""
        name = request.model.removeprefix(PREFIX)
        model = self._models.get(name)
        if model is None:
            raise UnknownName("scripted model", name, self._models)
        try:
            reply = model.reply(request)
        except EmbodiedEvalError:
            raise
        except Exception as error:
            raise PluginError(
                f"Scripted model {name!r} failed with {type(error).__name__}: {error}"
            ) from error
        return replace(
            reply,
            tokens_in=reply.tokens_in or 0,
            tokens_out=reply.tokens_out or 0,
            cost_usd=reply.cost_usd or 0.0,
        )

    def price(self, model: str) -> Price:
        """Nothing."""
        return FREE

    async def close(self) -> None:
        """Nothing to close."""
