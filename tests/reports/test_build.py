"""The folder: what stands in it, what happens to an earlier one, and the awkward runs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from embodied_eval.benchmark import Gallery, Page, Picture, Results, Trajectory
from embodied_eval.errors import CorruptSpool, DataFileError
from embodied_eval.records import Outcome
from reports.build import write_report
from tests.reports.synthetic import FrameFiles, Synthetic, judged, result_of, source, suite, task, walk


def _gone(key: str) -> Trajectory:
    raise KeyError(key)


def _torn(key: str) -> Trajectory:
    raise CorruptSpool(f"spool/{key}.1.jsonl, line 3 is not JSON.")


@pytest.fixture
def files(tmp_path: Path) -> FrameFiles:
    folder = tmp_path / "store"
    folder.mkdir()
    return FrameFiles(folder)


def test_every_link_and_image_is_in_the_folder(files: FrameFiles, tmp_path: Path) -> None:
    index = write_report(suite(files), tmp_path / "out")
    pages = list((tmp_path / "out").rglob("*.html"))
    assert len(pages) == 1 + 1 + 24
    for page in pages:
        text = page.read_text(encoding="utf-8")
        for link in re.findall(r'(?:href|src)="([^"#]+)', text):
            if link != "data:,":
                assert (page.parent / link).resolve().is_relative_to(index.parent.resolve())
                assert (page.parent / link).is_file(), (page, link)
        assert "://" not in re.sub(r'xmlns="[^"]*"|"http://www.w3.org/2000/svg"', "", text)


def test_index_says_what_the_numbers_rest_on(files: FrameFiles, tmp_path: Path) -> None:
    text = write_report(suite(files), tmp_path / "out").read_text(encoding="utf-8")
    assert "Saw the truth: not ranked" in text
    ranked, privileged = text.split("Saw the truth: not ranked", 1)
    assert "openai/gpt-large" in ranked and "scripted/oracle" not in ranked
    assert "scripted/oracle" in privileged
    assert "5 of 6" in ranked and "4 of 6" in ranked
    assert "judge truth" in ranked and "llvmpipe" in text and "mujoco 3.4" in text
    assert re.search(r'class="n alert">1<', text)


def test_grid_marks_each_state_with_a_sign_and_words(files: FrameFiles, tmp_path: Path) -> None:
    write_report(suite(files), tmp_path / "out")
    text = (tmp_path / "out" / "benchmark-synthetic.html").read_text(encoding="utf-8")
    cells = Counter(re.findall(r'class="cell (\w+)"', text))
    assert cells == {"pass": 9, "fail": 9, "partial": 3, "excluded": 1, "errored": 1, "unfinished": 1}
    assert "identified, not evidenced" in text
    assert "excluded: StepTimeout" in text
    assert "identified: no finding names it" in text and "simulator error: StepTimeout" in text
    assert "By model" in text and "As a paper would print it." in text


def test_frames_are_stored_once_and_shared(files: FrameFiles, tmp_path: Path) -> None:
    problem = task(0)
    first = walk(files, problem, model="a")
    again = replace(first, episode_key="f" * 32)
    good = judged(True, True)
    runs = [source(files, "a", [(first, result_of(first, good)), (again, result_of(again, good))])]
    write_report(runs, tmp_path / "out")
    stored = list((tmp_path / "out" / "frames").iterdir())
    assert len(stored) == len({frame.sha256 for frame in first.frames.values()})
    assert all(path.stat().st_ino == files.path(path.stem).stat().st_ino for path in stored)


def test_a_missing_frame_leaves_a_placeholder_and_a_warning(files: FrameFiles, tmp_path: Path) -> None:
    trajectory = walk(files, task(0), model="a")
    files.path(trajectory.frames["a2"].sha256).unlink()
    index = write_report(
        [source(files, "a", [(trajectory, result_of(trajectory, judged(True, True)))])], tmp_path / "out"
    )
    assert "1 frame could not be found" in index.read_text(encoding="utf-8")
    page = next((tmp_path / "out" / "episodes").iterdir()).read_text(encoding="utf-8")
    assert "frame a2 is missing" in page
    assert "1 of this episode" in page and '"ref":"a2","src":null' in page


def test_an_earlier_report_is_replaced_and_other_files_stay(files: FrameFiles, tmp_path: Path) -> None:
    out = tmp_path / "out"
    write_report(suite(files), out)
    (out / "notes.txt").write_text("mine")
    write_report(suite(files, tasks=1), out, public=True)
    assert len(list((out / "episodes").iterdir())) == 4
    assert (out / "notes.txt").read_text() == "mine"
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_a_folder_of_something_else_is_refused(files: FrameFiles, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "thesis.tex").write_text("x")
    with pytest.raises(DataFileError, match="not empty"):
        write_report(suite(files, tasks=1), tmp_path / "out")
    with pytest.raises(DataFileError, match="is a file"):
        write_report(suite(files, tasks=1), tmp_path / "out" / "thesis.tex")
    assert (tmp_path / "out" / "thesis.tex").read_text() == "x"


def test_a_failure_leaves_the_earlier_report(files: FrameFiles, tmp_path: Path) -> None:
    out = tmp_path / "out"
    write_report(suite(files, tasks=1), out)
    before = sorted(path.name for path in out.rglob("*"))
    bad = suite(files, tasks=1)[0]
    with pytest.raises(KeyError):
        write_report([replace(bad, load=_gone)], out)
    assert sorted(path.name for path in out.rglob("*")) == before
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_no_runs_and_a_run_without_episodes(files: FrameFiles, tmp_path: Path) -> None:
    assert "nothing to show" in write_report([], tmp_path / "none").read_text(encoding="utf-8")
    empty = write_report([source(files, "a", [])], tmp_path / "empty").read_text(encoding="utf-8")
    assert "nothing to show" in empty


def test_only_excluded_episodes_give_no_number(files: FrameFiles, tmp_path: Path) -> None:
    episodes = []
    for number in range(2):
        trajectory = walk(files, task(number), model="a", steps=1)
        result = replace(
            result_of(trajectory, ()), outcome=Outcome("model_error", reason="gone"), error_kind="ModelTimeout",
            cost_usd=None, tokens_in=None,
        )  # fmt: skip
        episodes.append((trajectory, result))
    text = write_report([source(files, "a", episodes)], tmp_path / "out").read_text(encoding="utf-8")
    assert "no episode was judged · 0 of 2" in text
    assert "0.0" not in text.split("What the numbers rest on")[0]
    assert text.count("unknown") == 2
    page = (tmp_path / "out" / "benchmark-synthetic.html").read_text(encoding="utf-8")
    assert "model error: ModelTimeout" in page and "Failures by cause" not in page


def test_an_unreadable_episode_is_said_on_its_page(files: FrameFiles, tmp_path: Path) -> None:
    run = replace(suite(files, tasks=1)[2], load=_torn)
    write_report([run], tmp_path / "out")
    page = next((tmp_path / "out" / "episodes").iterdir()).read_text(encoding="utf-8")
    assert "could not be read (CorruptSpool:" in page and "line 3" in page


def test_judges_are_never_mixed(files: FrameFiles, tmp_path: Path) -> None:
    trajectory = walk(files, task(0), model="a", steps=1)
    pair = [(trajectory, result_of(trajectory, judged(True, True)))]
    runs = [source(files, "a", pair), source(files, "a", pair, judge="openai/judge")]
    text = write_report(runs, tmp_path / "out").read_text(encoding="utf-8")
    assert "judge truth" in text and "judge openai/judge" in text
    page = (tmp_path / "out" / "benchmark-synthetic.html").read_text(encoding="utf-8")
    assert page.count("<h2>Judge ") == 2
    assert len(list((tmp_path / "out" / "episodes").iterdir())) == 2


def test_progress_counts_episodes(files: FrameFiles, tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    write_report(suite(files, tasks=2, steps=1), tmp_path / "out", progress=lambda *at: seen.append(at))
    assert seen == [(number, 8) for number in range(1, 9)]


def test_episode_keys_are_no_paths(files: FrameFiles, tmp_path: Path) -> None:
    trajectory = replace(walk(files, task(0), model="a", steps=1), episode_key="../../evil")
    run = source(files, "a", [(trajectory, result_of(trajectory, judged(True, True)))])
    write_report([run], tmp_path / "out")
    assert re.fullmatch(r"0-evil-[0-9a-f]{8}\.html", next((tmp_path / "out" / "episodes").iterdir()).name)


def test_results_of_another_benchmark_get_their_own_column(files: FrameFiles, tmp_path: Path) -> None:
    one, two = suite(files, tasks=1)[2:]
    other = replace(two, results=Results("../Other", "r2", two.results.model, "truth", two.results.episodes))
    text = write_report([one, other], tmp_path / "out").read_text(encoding="utf-8")
    assert re.search(r'href="benchmark-other-[0-9a-f]{8}\.html"', text)
    assert text.count("not run") == 2


class Shows(Synthetic):
    """Shows the same frame of every run's first episode."""

    def pages(self, results: Sequence[Results]) -> Sequence[Page]:
        galleries = tuple(
            Gallery(one.run_id, "", (Picture(one.episodes[0].episode_key, "a1", run_id=one.run_id),))
            for one in results
        )
        return (Page("Found", "", (), galleries),)


def test_a_picture_leads_to_the_episode_of_its_own_run(files: FrameFiles, tmp_path: Path) -> None:
    """Two runs of the same settings hold an episode of the same key."""
    trajectory = walk(files, task(1), model="m")
    one = source(files, "m", [(trajectory, result_of(trajectory, judged(True, True)))], benchmark=Shows())
    two = replace(one, run_id="again", results=replace(one.results, run_id="again"))
    write_report([one, two], tmp_path / "out")
    text = (tmp_path / "out" / "benchmark-synthetic.html").read_text(encoding="utf-8")
    found = re.findall(r'<a href="(episodes/[^"]+)"><img', text.partition("Metrics</h2>")[0])
    assert len(found) == len(set(found)) == 2
