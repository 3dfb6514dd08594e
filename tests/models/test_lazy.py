"""A scripted run never pays for the network stack."""

import subprocess
import sys

PROGRAM = """
import asyncio, random, sys
from embodied_eval.models.budget import Budget
from embodied_eval.models.gateway import Gateway
from embodied_eval.models.types import Reply, ScriptedModel, user

class Null(ScriptedModel):
    def reply(self, request):
        return Reply("done")

calls = []
models = {"agent": "scripted/null", "judge": "openai/never-asked"}
bound = Gateway(budget=Budget(usd=0.01)).bind(
    models=models, sampling={}, scripted={"null": Null(random.Random(0))}, record=calls.append
)
asyncio.run(bound.complete([user("hello")]))
assert calls[0].cost_usd == 0.0
heavy = {"litellm", "openai", "httpx", "aiohttp", "numpy", "pydantic", "torch", "duckdb", "PIL"}
print(sorted(heavy & set(sys.modules)))
"""


def test_scripted_models_import_nothing_heavy() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]", done.stdout
