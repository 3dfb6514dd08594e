"""Work out the near starts of the task files: `python -m benchmarks.worldaudit.make_near [--write]`.

Without `--write` it only says which tasks' `near` is missing or differs.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.worldaudit.starts import near_point
from benchmarks.worldaudit.suite import read_tasks

FOLDER = Path(__file__).parent / "tasks"


def with_near(text: str, task_id: str, near: Sequence[float]) -> str:
    """A task file's `text` with `near` of the task `task_id` set, before its `subcategory`."""
    head, sign, tail = text.partition(f'id = "{task_id}"\n')
    assert sign, task_id
    before, found, after = tail.partition("\nsubcategory = ")
    assert found, task_id
    line = f"near = [{', '.join(f'{value:g}' for value in near)}]"
    kept = [row for row in before.split("\n") if not re.match(r"near\s*=", row)]
    return head + sign + "\n".join([*kept, line]) + found + after


def main(arguments: Sequence[str]) -> int:
    """Check or write every task file; 1 if something differs and is not written."""
    from embodied_eval.worlds.bundled import load_world

    differing = 0
    for path in sorted(FOLDER.glob("*.toml")):
        text = path.read_text("utf-8")
        for task in read_tasks(text, path.name):
            near = near_point(task, load_world(task.world))
            if list(near) == task.private.get("near"):
                continue
            differing += 1
            sys.stdout.write(f"{path.name} {task.id}: {list(near)}, not {task.private.get('near')}\n")
            text = with_near(text, task.id, near)
        if "--write" in arguments:
            path.write_text(text, "utf-8")
    return int(differing > 0 and "--write" not in arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
