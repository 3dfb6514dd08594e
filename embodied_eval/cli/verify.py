"""`embodied-eval verify BENCH`."""

from __future__ import annotations

import click

from embodied_eval.cli.output import console, json_option, plain, print_json, print_table


@click.command("verify", short_help="Prove every task sound.")
@click.argument("benchmark")
@click.option("--tasks", multiple=True, metavar="GLOB", help="Only tasks whose id fits; repeatable.")
@click.option("--limit", type=int, help="At most so many tasks.")
@click.option(
    "--driver", default="", metavar="NAME", help="Simulator to play on. Default: the benchmark's own."
)
@click.option("--driver-address", default="", metavar="HOST:PORT", help="Address of a running simulator.")
@click.option(
    "--determinism", is_flag=True, help="Play each task twice and name the first step that differs."
)
@json_option
def command(
    benchmark: str,
    tasks: tuple[str, ...],
    limit: int | None,
    driver: str,
    driver_address: str,
    determinism: bool,
    as_json: bool,
) -> int:
    """Certify every task of BENCHMARK: the oracle passes, the null agent fails, the clean twin is clean.

    Exit code 3 if any task is not certified.
    """
    from embodied_eval.benchmark import Certificate, PlayOnce
    from embodied_eval.cli.interrupt import run_async
    from embodied_eval.config import RunConfig
    from embodied_eval.pipeline import Rehearsal
    from embodied_eval.plan import driver_of, playable, select_tasks, suite_hash
    from embodied_eval.plugins import check_address, load_benchmark
    from embodied_eval.records import Task
    from embodied_eval.results import first_differing_step

    plugin = load_benchmark(benchmark)
    control = next(name for name, kind in plugin.scripted().items() if kind.control == "positive")

    async def same_twice(task: Task, play: PlayOnce) -> Certificate:
        first, second = [await play(task, f"scripted/{control}") for _ in range(2)]
        difference = first_differing_step(first, second)
        return Certificate(task.id, {"deterministic": "failed" if difference else "passed"}, difference)

    config = RunConfig(tasks=tasks, limit=limit, driver=driver, driver_address=driver_address)
    used = driver_of(plugin, config)
    if used:
        check_address(used, driver_address)
    chosen = playable(plugin, select_tasks(plugin, config), used)

    async def work() -> list[Certificate]:
        made: list[Certificate] = []
        with console(err=True).status("starting") as status:

            def played(count: int) -> None:
                status.update(f"{len(made)} of {len(chosen)} tasks done, {count} episodes played")

            async with Rehearsal(plugin, driver=driver, address=driver_address, played=played) as play:
                for number, task in enumerate(chosen, 1):
                    check = same_twice if determinism else plugin.certify
                    certificate = await check(task, play)
                    made.append(certificate)
                    reason = plain(certificate.reason)
                    state = "certified" if certificate.certified else f"NOT certified: {reason}"
                    click.echo(f"  {number}/{len(chosen)} {task.id}: {state}", err=True)
        return made

    certificates = run_async(work())
    sound = all(certificate.certified for certificate in certificates)
    if as_json:
        print_json(
            {
                "schema": "embodied-eval/verify/1",
                "benchmark": plugin.name,
                "driver": used,
                "suite_hash": suite_hash(list(plugin.tasks())),
                "tasks": [
                    {
                        "task_id": certificate.task_id,
                        "certified": certificate.certified,
                        "checks": dict(certificate.checks),
                        "reason": certificate.reason,
                        "notes": list(certificate.notes),
                    }
                    for certificate in certificates
                ],
            }
        )
    else:
        print_table(
            ("task", "certified", "checks passed", "why not"),
            [
                (
                    item.task_id,
                    item.certified,
                    f"{list(item.checks.values()).count('passed')} of {len(item.checks)}",
                    item.reason,
                )
                for item in certificates
            ],
        )
        for item in certificates:
            for note in item.notes:
                click.echo(plain(note))
        count = sum(item.certified for item in certificates)
        console().print(f"{count} of {len(certificates)} tasks certified.")
    return 0 if sound else 3
