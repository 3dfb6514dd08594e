"""The command line explores in the real simulator and has models behind a real HTTP server audit it."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from embodied_eval.policies import POOL
from tests.conftest import Command
from tests.loopback import LoopbackServer, worldaudit_player

pytestmark = [
    pytest.mark.gl,
    pytest.mark.skipif(find_spec("litellm") is None, reason="needs the extra llm"),
]
SMALL = ("--set", "width=160", "--set", "height=90")
RUN = ("run", "worldaudit", *SMALL, "--condition", "vla-vlm", "--json")
MODELS = ("--model", "openai/gpt-4o-mini", "--model", "openai/gpt-4o")


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[LoopbackServer]:
    with LoopbackServer(worldaudit_player()) as made:
        monkeypatch.setenv("OPENAI_API_KEY", "sk-loopback-abcdefgh1234")
        monkeypatch.setenv("EMBODIED_EVAL_API_BASE", made.base_url)
        yield made
    POOL.close()


@pytest.fixture
def checkpoint(tmp_path: Path) -> str:
    if find_spec("torch") is None:
        pytest.skip("needs the extra torch")
    from tests.policies.checkpoint import tiny

    return str(tiny(tmp_path / "checkpoint"))


def rows(command: Command, sql: str) -> list[list[Any]]:
    assert command("query", sql, "--json") == 0, command.err
    return list(command.json["rows"])


FRAMES = """
select e.model, e.task_id, count(*), count(distinct f.sha256), md5(string_agg(f.sha256, ',' order by f.ref))
from episodes e join frames f on f.episode_key = e.episode_key and f.run_id = e.run_id
where f.ref not like '%#%' group by all order by all
"""


def test_two_models_audit_one_exploration_of_a_checkpoint(
    command: Command, server: LoopbackServer, checkpoint: str
) -> None:
    given = (*RUN, "--set", f"policy=open-p2p:{checkpoint}", "--set", "explore_s=1", "--tasks", "indoor/01")
    assert command(*given, *MODELS) == 0, command.err
    found = rows(command, FRAMES)
    policies = [row for row in found if row[0].startswith("policy/open-p2p@")]
    # One exploration, 3 frames; either model has its very bytes.
    assert len(policies) == 1 and len(found) == 3
    assert {row[2] for row in found} == {3} and len({row[4] for row in found}) == 1
    images = [
        sum(part.get("type") == "image_url" for message in body["messages"] for part in _parts(message))
        for body in server.requests
    ]
    # The example's pictures, then the recording's.
    assert max(images) >= 3 and len(server.requests) == 6
    told = str(server.requests)
    assert checkpoint not in told

    # More tasks, resumed: what is recorded and audited is left as it is.
    before = {(row[0], row[1]): row[4] for row in found}
    assert command(*given, "--tasks", "indoor/02", *MODELS, "--resume") == 0, command.err
    after = {(row[0], row[1]): row[4] for row in rows(command, FRAMES)}
    assert before.items() <= after.items() and len(after) == 6 and len(server.requests) == 12


def test_a_run_that_holds_the_recordings_can_be_named(command: Command, server: LoopbackServer) -> None:
    given = (*RUN, "--set", "explore_s=1", "--model", "scripted/null")
    assert command(*given, "--tasks", "indoor/01") == 0, command.err
    (run,) = {row[0] for row in rows(command, "select run_id from episodes where model like 'policy/%'")}
    # Another seed would be another exploration; a named run is taken as it is.
    named = (*given, "--seed", "5", "--set", f"recordings={run}")
    assert command(*named, "--tasks", "indoor/01") == 0, command.err
    assert len(rows(command, "select run_id from episodes where model like 'policy/%'")) == 1
    assert command(*named, "--tasks", "indoor/02") == 2 and "holds no finished recording" in command.err


def test_the_oracle_audits_and_the_report_has_its_arm(command: Command) -> None:
    given = ("run", "worldaudit", *SMALL, "--set", "explore_s=2", "--tasks", "indoor/01", "--json")
    assert command(*given, "--condition", "vlm", "--condition", "vla-vlm", "--model", "scripted/oracle") == 0
    assert command("report", "--json") == 0, command.err
    pages = "".join(path.read_text() for path in (command.store / "report").rglob("*.html"))
    assert "vla-vlm against vlm, paired by task" in pages


def test_a_policy_that_fails_leaves_its_tasks_out_and_the_next_try_records_them(
    command: Command, tmp_path: Path
) -> None:
    flag = tmp_path / "works"
    policy = tmp_path / "policy.py"
    policy.write_text(POLICY.format(flag=str(flag)))
    spec = json.dumps([sys.executable, str(policy)])
    given = (*RUN, "--set", f"policy=command:{spec}", "--set", "explore_s=1", "--model", "scripted/null")
    assert command(*given, "--tasks", "indoor/01") == 3, command.err
    assert command.json["excluded"] == 1 and "not yet" in command.err
    flag.touch()
    assert command(*given, "--tasks", "indoor/01", "--resume") == 0, command.err
    assert command.json["excluded"] == 0 and len(rows(command, FRAMES)) == 2
    POOL.close()


POLICY = """
import json, pathlib, sys
if not pathlib.Path({flag!r}).exists():
    sys.exit("not yet")
print("#READY", flush=True)
for line in sys.stdin:
    if "img" in json.loads(line):
        print("#ACT " + json.dumps({{"keys": ["KeyW"], "buttons": [], "dx": 5, "dy": 0}}), flush=True)
"""


@pytest.mark.full
@pytest.mark.parametrize("policy", ["random-walk", "frontier", "open-p2p"])
def test_a_minute_is_120_frames_and_audited(
    command: Command, server: LoopbackServer, checkpoint: str, policy: str
) -> None:
    spec = f"open-p2p:{checkpoint}" if policy == "open-p2p" else policy
    given = (*RUN, "--set", f"policy={spec}", "--tasks", "indoor/0[12]", "--model", "openai/gpt-4o-mini")
    assert command(*given) == 0, command.err
    found = rows(command, FRAMES)
    assert len(found) == 4 and {row[2] for row in found} == {121}
    assert rows(command, "select count(*) from worldaudit_ticks") == [[2 * 1200]]


def _parts(message: dict[str, Any]) -> list[dict[str, Any]]:
    content = message["content"]
    return content if isinstance(content, list) else []
