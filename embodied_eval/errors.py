"""Every error the toolkit raises on purpose, drawn as one tree.

EmbodiedEvalError
├── UsageError                    exit 2: the command or a file is wrong
│   ├── UnknownName               no such benchmark, task, model, condition, key ...
│   ├── ConfigError               a legal key with an illegal value
│   ├── DataFileError             a task, world or configuration file that cannot be read
│   └── SchemaMismatch            a file or store written for another schema version
├── MissingPart                   exit 5: something is not installed or does not work here
├── StoreError                    exit 1: the store cannot be read or written
│   ├── CorruptSpool              a bad line that is not a torn last one
│   ├── CorruptDatabase           the derived database is unreadable (rebuild it)
│   ├── DiskFull                  a write failed for want of space
│   └── StoreBusy                 another process holds the database
├── SimulatorError                never counts against the model
│   ├── LaunchTimeout, LoadTimeout, StepTimeout, FrameTimeout
│   ├── ProtocolError, StaleFrame, SimulatorCrashed
│   ├── CommandFailed             the simulator answered a command with an error
│   ├── PageFailed                a page that would fail again: it throws, draws nothing, is never ready ...
│   ├── UnknownObject             no object of that name in the loaded world
│   └── CapabilityMissing         the driver cannot do what the task needs
├── ModelError                    the model could not be asked, or its reply could not be used
│   ├── ModelTimeout, RateLimited, ModelUnavailable      (retriable)
│   ├── ModelAuthError, ModelBadRequest, UnknownModel    (permanent)
│   ├── ModelRefused              counts against the model
│   ├── InvalidReply              counts against the model
│   └── TransferError             a generated file that is truncated, too large or late
├── BudgetReached                 exit 6: the run's token or dollar budget is used up; resumable
├── JudgeError                    exit 4: a verdict could not be had; never a score
├── PluginError                   a plugin that cannot be loaded or breaks its contract
└── Interrupted                   exit 130: the user stopped the run; resumable
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class EmbodiedEvalError(Exception):
    """Base of the tree.

    `exit_code` is the process exit status (`contracts.md`), `retriable` whether the same call may
    succeed later, `counts_against_model` whether an episode that ends with it is the model's failure.
    `hint` says what to do next and is printed on a line of its own.
    """

    exit_code: int = 1
    retriable: bool = False
    counts_against_model: bool = False

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    @property
    def kind(self) -> str:
        """The class name: what is stored and shown as the error's kind."""
        return type(self).__name__

    def __str__(self) -> str:
        return f"{self.message} {self.hint}".strip()

    def __reduce__(self) -> tuple[object, ...]:
        # Subclasses take other arguments; across a process boundary only the text and fields matter.
        return (_rebuild, (type(self), self.message, self.hint, dict(self.__dict__)))


def _rebuild(
    cls: type[EmbodiedEvalError], message: str, hint: str, fields: dict[str, object]
) -> EmbodiedEvalError:
    error = cls.__new__(cls)
    EmbodiedEvalError.__init__(error, message, hint=hint)
    error.__dict__.update(fields)
    return error


class UsageError(EmbodiedEvalError):
    """The command line or an input file is wrong."""

    exit_code = 2


class UnknownName(UsageError):
    """A name that is not among the legal ones; carries the nearest of them."""

    def __init__(self, what: str, name: str, legal: Iterable[str], *, hint: str = "") -> None:
        self.what, self.name, self.legal = what, name, tuple(sorted(legal))
        near = difflib.get_close_matches(name, self.legal, n=1, cutoff=0.5)
        if near:
            hint = hint or f"Did you mean {near[0]!r}?"
        elif self.legal:
            shown = ", ".join(self.legal[:20]) + (" ..." if len(self.legal) > 20 else "")
            hint = hint or f"Legal: {shown}."
        super().__init__(f"There is no {what} called {name!r}.", hint=hint)


class ConfigError(UsageError):
    """A configuration key holds a value it may not hold."""


class DataFileError(UsageError):
    """A file is missing, unreadable or not what it should be; the message names the file."""


class SchemaMismatch(UsageError):
    """A file or store of another schema version; the message names the file and both versions."""


class MissingPart(EmbodiedEvalError):
    """A package, program or device is missing on this machine; `fix` is the command that mends it."""

    exit_code = 5

    def __init__(self, message: str, *, fix: str = "", hint: str = "") -> None:
        self.fix = fix
        super().__init__(message, hint=hint or (f"Run: {fix}" if fix else "Run `embodied-eval doctor`."))


class StoreError(EmbodiedEvalError):
    """The store cannot be read or written."""


class CorruptSpool(StoreError):
    """A spool file with a bad line that is not its torn last one."""


class CorruptDatabase(StoreError):
    """store.duckdb is unreadable; `embodied-eval db rebuild` makes it again from the spools."""


class DiskFull(StoreError):
    """No space left where the store lives; what was written before is intact."""


class StoreBusy(StoreError):
    """Another process holds the database; the spools can still be read."""

    retriable = True


class SimulatorError(EmbodiedEvalError):
    """The simulator failed; `endpoint`, `command` and `waited_s` say where, at what, after how long."""

    exit_code = 3
    retriable = True

    def __init__(
        self,
        message: str,
        *,
        endpoint: str = "",
        command: str = "",
        waited_s: float | None = None,
        hint: str = "",
    ) -> None:
        self.endpoint, self.command, self.waited_s = endpoint, command, waited_s
        super().__init__(message, hint=hint)


class LaunchTimeout(SimulatorError):
    """The simulator's process did not become ready in time."""


class LoadTimeout(SimulatorError):
    """A world did not load in time."""


class StepTimeout(SimulatorError):
    """A tick or command did not return in time."""


class FrameTimeout(SimulatorError):
    """A capture did not return in time."""


class ProtocolError(SimulatorError):
    """The simulator answered with something its protocol does not allow."""


class StaleFrame(SimulatorError):
    """A frame that does not belong to the request; never handed on."""


class SimulatorCrashed(SimulatorError):
    """The simulator's process died or its connection broke."""


class CommandFailed(SimulatorError):
    """The simulator answered a command with an error of its own; the message holds its words."""

    retriable = False


class PageFailed(SimulatorError):
    """A page that cannot be used and would fail again; `outcome` says how its load ended."""

    retriable = False

    def __init__(
        self,
        message: str,
        *,
        outcome: str = "",
        endpoint: str = "",
        command: str = "load",
        waited_s: float | None = None,
        hint: str = "",
    ) -> None:
        self.outcome = outcome
        super().__init__(message, endpoint=endpoint, command=command, waited_s=waited_s, hint=hint)


class UnknownObject(SimulatorError):
    """No object of that name in the loaded world."""

    retriable = False


class CapabilityMissing(SimulatorError):
    """The driver cannot do what was asked; tasks that need it are not offered on this driver."""

    retriable = False


class ModelError(EmbodiedEvalError):
    """The model could not be asked, or what it replied could not be used."""

    exit_code = 3

    def __init__(self, message: str, *, model: str = "", status: int | None = None, hint: str = "") -> None:
        self.model, self.status = model, status
        super().__init__(message, hint=hint)


class ModelTimeout(ModelError):
    """No complete reply within the call's deadline."""

    retriable = True


class RateLimited(ModelError):
    """The provider asked to wait; `retry_after_s` is its own figure where it gave one."""

    retriable = True

    def __init__(
        self,
        message: str,
        *,
        model: str = "",
        status: int | None = 429,
        retry_after_s: float | None = None,
        hint: str = "",
    ) -> None:
        self.retry_after_s = retry_after_s
        super().__init__(message, model=model, status=status, hint=hint)


class ModelUnavailable(ModelError):
    """The provider is down, the connection broke, or it answered with a server error."""

    retriable = True


class ModelAuthError(ModelError):
    """The provider rejects the key; keys come from the environment only."""

    exit_code = 2


class ModelBadRequest(ModelError):
    """The provider rejects the request itself; asking again would change nothing."""


class UnknownModel(ModelBadRequest):
    """No provider offers a model of that name, or the request could not be made at all: every further
    episode would end so."""

    exit_code = 2


class ModelRefused(ModelError):
    """The model declined to answer."""

    counts_against_model = True


class InvalidReply(ModelError):
    """The reply does not have the form that was asked for, also after the repair turn."""

    counts_against_model = True


class TransferError(ModelError):
    """A generated file came truncated, too large, late or of the wrong kind."""

    retriable = True


class BudgetReached(EmbodiedEvalError):
    """The run's budget is used up. What is done is kept; resume with a larger budget."""

    exit_code = 6


class JudgeError(EmbodiedEvalError):
    """A verdict could not be had. The episode stays unjudged; it is never scored 0 for this."""

    exit_code = 4
    retriable = True


class PluginError(EmbodiedEvalError):
    """A plugin cannot be loaded, or breaks the plugin contract."""


class Interrupted(EmbodiedEvalError):
    """The user stopped the run; it can be resumed."""

    exit_code = 130
