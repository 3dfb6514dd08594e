import re
from pathlib import Path

import pytest

from embodied_eval.store import Collector, Store, connect
from embodied_eval.store.query import query
from embodied_eval.store.schema import CORE_TABLES, PRIVATE_COLUMNS, PRIVATE_TABLES
from tests.store import sample

DOCUMENT = (Path(__file__).parents[2] / "docs" / "store.md").read_text(encoding="utf-8")
QUERIES = re.findall(r"```sql\n(.*?)```", DOCUMENT, re.DOTALL)
TABLES = dict(re.findall(r"^\| `(\w+)`.*\| `([^|]*)` \|$", DOCUMENT, re.MULTILINE))


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    store, run = sample.new_run(tmp_path_factory.mktemp("docs"))
    sample.play(store, run, 1, status="simulator_error", error_kind="StepTimeout")
    key = sample.play(store, run, 0)
    run.save_verdicts("truth", {"judge": "truth"}, key, sample.verdicts(True))
    Collector(store).ingest(run)
    return store


@pytest.mark.parametrize("sql", QUERIES)
def test_every_documented_query_answers(store: Store, sql: str) -> None:
    columns, rows = query(store, sql)
    assert rows
    assert len(columns) > 2


def test_the_documented_tables_are_those_of_the_schema(store: Store) -> None:
    assert tuple(TABLES) == CORE_TABLES
    with connect(store) as connection:
        for table, columns in TABLES.items():
            found = [name for name, *_ in connection.execute(f'DESCRIBE "{table}"').fetchall()]
            assert [name for name in found if name not in ("run_id", "episode_key")] == columns.split(", "), (
                table
            )
            assert set(PRIVATE_COLUMNS.get(table, ())) <= set(found)
    assert len(QUERIES) >= 7
    private = {line.split("`")[1] for line in DOCUMENT.splitlines() if "` (private) |" in line}
    assert private == PRIVATE_TABLES
