"""The documents say what the code does: flags, keys, JSON fields, links, commands and code blocks."""

from __future__ import annotations

import configparser
import re
import shlex
import sys
import tomllib
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import click
import pytest

from embodied_eval import errors
from embodied_eval.cli import COMMANDS, cli
from embodied_eval.config import RunConfig
from embodied_eval.doctor.probes import PROBES
from tests.conftest import Command

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
TEXT = {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in PAGES}
STANDS_FOR = {
    "COMMAND": "run",
    "WHAT": "benchmarks",
    "...": "",
    "RUN...": "RUN",
    "[RUN...]": "RUN",
    "[PART...]": "",
}
PICTURE_BYTES = 120 * 1024


def blocks(page: str, language: str) -> list[str]:
    """The fenced blocks of a page."""
    return re.findall(rf"^```{language}\n(.*?)^```", TEXT[page], re.DOTALL | re.MULTILINE)


def sections(page: str) -> dict[str, str]:
    """A page's text by its second-level headings."""
    parts = re.split(r"^## (.+)$", TEXT[page], flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def prose(text: str) -> str:
    """`text` without its fenced blocks."""
    return re.sub(r"^```\w*\n.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)


def command_of(name: str) -> click.Command:
    """The click command called `name`."""
    found: click.Command = import_module(f"embodied_eval.cli.{name}").command
    return found


def flags_of(command: click.Command) -> set[str]:
    """Every flag of a command and of its subcommands."""
    own = {text for item in command.params if isinstance(item, click.Option) for text in item.opts}
    below = command.commands.values() if isinstance(command, click.Group) else ()
    return own.union(*(flags_of(item) for item in below))


@pytest.mark.parametrize("name", COMMANDS)
def test_every_flag_of_every_command_is_documented_and_no_other(name: str) -> None:
    section = sections("docs/cli.md")[name]
    told = set(re.findall(r"--[a-z][a-z-]*", prose(section)))
    assert told == flags_of(command_of(name))


def test_every_configuration_key_is_documented_with_its_flag() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (.*?) \|", sections("docs/configuration.md")["Keys"], re.MULTILINE)
    assert [key for key, _ in rows] == list(RunConfig.model_fields)
    flags = flags_of(command_of("run"))
    for key, told in rows:
        named = set(re.findall(r"--[a-z-]+", told))
        assert named <= flags
        assert bool(named) == ("--" + key.replace("_", "-") in flags), key


def test_every_exit_code_is_documented() -> None:
    told = {
        int(code) for code in re.findall(r"^\| (\d+) \|", sections("docs/cli.md")["Exit codes"], re.MULTILINE)
    }
    kinds = [item for item in vars(errors).values() if isinstance(item, type) and issubclass(item, Exception)]
    raised = {kind.exit_code for kind in kinds if issubclass(kind, errors.EmbodiedEvalError)}
    assert told == {0} | raised


def test_every_part_of_doctor_is_documented() -> None:
    told = " ".join(sections("docs/cli.md")["doctor"].split())
    assert ", ".join(f'"{name}"' if " " in name else name for name in PROBES) in told


def test_every_extra_is_in_the_readme() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    told = re.findall(r"^\| `(\w+)` \|", sections("README.md")["Install"], re.MULTILINE)
    assert sorted(told) == sorted(project["optional-dependencies"])


@pytest.mark.parametrize("page", TEXT)
def test_links_and_pictures_resolve(page: str) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", TEXT[page]):
        if re.match(r"[a-z]+:", target) or target.startswith("#"):
            continue
        path = (ROOT / page).parent / target.partition("#")[0]
        assert path.exists(), target
        if path.suffix in (".jpg", ".png"):
            assert path.stat().st_size <= PICTURE_BYTES, target


def test_the_index_lists_every_page() -> None:
    told = set(re.findall(r"\]\((\w[\w-]*\.md)\)", TEXT["docs/index.md"]))
    assert told == {path.name for path in (ROOT / "docs").glob("*.md")} - {"index.md"}


def quoted_commands() -> Iterator[tuple[str, str]]:
    """Every `embodied-eval ...` line in fenced blocks and inline code, with its page."""
    for page, text in TEXT.items():
        fenced = "\n".join(re.findall(r"^```\w*\n(.*?)^```", text, re.DOTALL | re.MULTILINE))
        rest = prose(text)
        lines = [line.strip() for line in fenced.splitlines()]
        lines += re.findall(r"`(embodied-eval [^`]+)`", rest.replace("\n", " "))
        for line in lines:
            if line.startswith("embodied-eval ") and not line.startswith("embodied-eval run   "):
                yield page, re.split(r"\s{3,}|\s#\s|\s\|\s|\s&&\s", line)[0]


@pytest.mark.parametrize(("page", "line"), sorted(set(quoted_commands())))
def test_quoted_commands_parse(page: str, line: str) -> None:
    words = [STANDS_FOR.get(word, word) for word in shlex.split(line)[1:]]
    if len(words) == 1 and not words[0].startswith("-"):  # a command's name in a sentence
        assert words[0] in cli.list_commands(click.Context(cli))
        return
    words = [word.partition("|")[0] if re.fullmatch(r"[a-z|]+", word) else word for word in words if word]
    try:
        parse(cli, words)
    except click.exceptions.Exit as ended:
        assert ended.exit_code == 0  # --help, --version
    except click.ClickException as error:
        pytest.fail(f"{page}: {line}: {error.format_message()}")


def parse(command: click.Command, words: list[str]) -> None:
    """Parse as click does, and run nothing."""
    if isinstance(command, click.Group) and words and not words[0].startswith("-"):
        _name, inner, rest = command.resolve_command(click.Context(command), words)
        assert inner is not None
        parse(inner, rest)
    else:
        command.make_context(command.name, list(words))


def test_the_floors_are_drawn_as_they_are_checked() -> None:
    contracts = configparser.ConfigParser()
    contracts.read(ROOT / ".importlinter", encoding="utf-8")
    floors = contracts["importlinter:contract:floors"]["layers"].strip()
    assert floors in TEXT["docs/architecture.md"]


def test_the_drawn_core_is_the_one_that_stands() -> None:
    drawn = next(
        block for block in blocks("docs/architecture.md", "") if block.startswith("embodied_eval/\n")
    )
    named = set(re.findall(r"^  (\w+(?:\.py|/))", drawn, re.MULTILINE))
    core = ROOT / "embodied_eval"
    found = {path.name for path in core.glob("*.py")} | {
        f"{path.parent.name}/" for path in core.glob("*/__init__.py")
    }
    assert named == found - {"__init__.py", "__main__.py"}


@pytest.mark.parametrize("page", TEXT)
def test_toml_blocks_are_toml(page: str) -> None:
    for text in blocks(page, "toml"):
        tomllib.loads(text)


def test_the_configuration_example_is_accepted() -> None:
    values = tomllib.loads(blocks("docs/configuration.md", "toml")[0])
    values.pop("options")
    assert RunConfig(**{**values, "condition": (values["condition"],)}).repeats == 3


def test_the_plugin_page_quotes_the_toy() -> None:
    toy = (ROOT / "tests" / "toy" / "toy_benchmark.py").read_text(encoding="utf-8")
    quotes = [block for block in blocks("docs/plugins.md", "python") if "import" not in block]
    assert len(quotes) >= 8
    # The formatter lays a method out by how deep it stands.
    assert all("".join(quote.split()) in "".join(toy.split()) for quote in quotes)


@pytest.mark.gl
def test_the_plugin_page_s_world_example_runs(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = next(block for block in blocks("docs/plugins.md", "python") if "FirstLook" in block)
    package = tmp_path / "package"
    info = package / "first_look-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: first-look\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[embodied_eval.benchmarks]\nfirst-look = first_look:FirstLook\n")
    (package / "first_look.py").write_text(text)
    monkeypatch.setattr(sys, "path", [str(package), *sys.path])
    assert command("run", "first-look", "--model", "scripted/says", "--json") == 0
    assert command.json["metrics"]["named_rate"]["value"] == 100.0
    assert command("show", command.json["run"], "look/01", "--json") == 0
    assert {verdict["item"]: verdict["passed"] for verdict in command.json["verdicts"]} == {
        "named": True,
        "seen": True,
    }


def test_every_field_of_the_json_documents_is_documented(command: Command, tmp_path: Path) -> None:
    run = ("run", "toy-sums", "--model", "scripted/adder", "--model", "scripted/null", "--limit", "2")
    assert command(*run, "--json") == 0
    a, b = command.json
    asked: dict[str, tuple[str, ...]] = {
        "run": (*run, "--dry-run"),
        "report": ("report", "--out", str(tmp_path / "report")),
        "compare": ("compare", a["run"], b["run"]),
        "show": ("show", a["run"]),
        "status": ("status", a["run"]),
        "query": ("query", "SELECT 1"),
        "export": ("export", a["run"], "--out", str(tmp_path / "export")),
    }
    for name, args in asked.items():
        assert command(*args, "--json") == 0
        check_fields(name, command.json)
    assert command("show", a["run"], "sum/000", "--json") == 0
    check_fields("show", command.json)
    for what in ("benchmarks", "runs", "tasks", "conditions", "models"):
        assert (
            command(
                "ls", what, *(["toy-sums"] if what in ("tasks", "conditions", "models") else []), "--json"
            )
            == 0
        )
        check_fields("ls", command.json)
    for name in ("check", "rebuild"):
        assert command("db", name, "--json") == 0
        check_fields("db", command.json)
    assert command("verify", "toy-sums", "--limit", "1", "--json", store=False) == 3
    check_fields("verify", command.json)
    assert command("plugins", "ls", "--json", store=False) in (0, 3)
    check_fields("plugins", command.json)
    assert command("doctor", "python", "--json", store=False) in (0, 5)
    check_fields("doctor", command.json)


FREE_KEYS = {
    "metrics",
    "values",
    "rows",
    "by_status",
    "checks",
    "answer",
    "arguments",
    "settings",
    "frames",
    "pose",
}
"""Objects whose keys are names, or records of the store's own."""


def check_fields(section: str, document: dict[str, Any]) -> None:
    """Assert that the section of cli.md names the document's schema and every field."""
    text = prose(sections("docs/cli.md")[section])
    family = str(document["schema"]).replace("ls-benchmarks", "ls-WHAT")
    assert f"`{family}`" in text, family
    words = set(re.findall(r"[a-z_0-9]+", " ".join(re.findall(r"`([^`]+)`", text))))
    missing = fields(document) - words - {"schema", "benchmarks"}
    assert not missing, (section, missing)


def fields(value: Any) -> set[str]:
    """Every key in `value`, but for those of `FREE_KEYS`."""
    if isinstance(value, list):
        return set().union(*(fields(item) for item in value)) if value else set()
    if not isinstance(value, dict):
        return set()
    inner = (fields(item) for key, item in value.items() if key not in FREE_KEYS or isinstance(item, list))
    return set(value).union(*inner)
