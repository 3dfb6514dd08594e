"""The SQL behind the report's tables, for `embodied-eval query`: what the store holds is enough to make each again."""

from __future__ import annotations

from collections.abc import Mapping

from embodied_eval.benchmark import Entry, Excerpt, Part, Sheet

_HALVES = """\
WITH halves AS (
  SELECT v.run_id, v.episode_key, v.judge, split_part(item, '/', 1) AS item, split_part(item, '/', 2) AS channel,
         score, max, passed, v.reason, evidence, coalesce(v.error, '') <> '' AS failed
  FROM verdicts v JOIN episodes e USING (run_id, episode_key)
  WHERE e.benchmark = 'worldbench' AND item LIKE '%/%'
)"""
_REGIONS = f"""{_HALVES}, placed AS (
  SELECT *, CASE left(item, 1) WHEN 'V' THEN 'WC001' WHEN 'L' THEN 'WC002' WHEN 'C' THEN 'WC003'
                               WHEN 'F' THEN 'WC003' WHEN 'T' THEN 'WC005' ELSE 'WC004' END AS test,
         CASE WHEN left(item, 1) IN ('V', 'T') THEN '' ELSE split_part(item, '.', 2) END AS region
  FROM halves
), regions AS (
  SELECT run_id, episode_key, judge, test, region,
         CASE WHEN bool_or(failed) THEN NULL ELSE greatest(sum(score), 0) END AS points,
         bool_or(failed) AS unjudged
  FROM placed GROUP BY ALL
), tests AS (
  SELECT run_id, episode_key, judge, test,
         CASE WHEN bool_or(unjudged) THEN NULL ELSE sum(points) END AS points, bool_or(unjudged) AS unjudged
  FROM regions GROUP BY ALL
)"""
_FOUND = f"""{_HALVES}, found AS (
  SELECT run_id, episode_key, judge, item, split_part(item, '.', 2) AS region, bool_or(failed) AS unjudged,
         bool_or(channel = 'code' AND score > 0) AS code, bool_or(channel = 'frames' AND score > 0) AS frames
  FROM halves WHERE starts_with(item, 'C.') GROUP BY ALL
)"""
_COUNTS = """\
count(*) FILTER (NOT unjudged AND code AND frames) AS "both",
       count(*) FILTER (NOT unjudged AND code AND NOT frames) AS code_only,
       count(*) FILTER (NOT unjudged AND frames AND NOT code) AS frames_only,
       count(*) FILTER (NOT unjudged AND NOT code AND NOT frames) AS neither,
       count(*) FILTER (unjudged) AS unjudged"""

QUERIES: Mapping[str, tuple[str, str]] = {
    "worlds": (
        "Worlds: total and tests",
        f"""{_REGIONS}
SELECT e.model, e.task_id, e.repeat, t.judge,
       CASE WHEN bool_or(unjudged) THEN NULL ELSE round(sum(points), 2) END AS total,
       round(max(points) FILTER (test = 'WC001'), 2) AS wc001, round(max(points) FILTER (test = 'WC002'), 2) AS wc002,
       round(max(points) FILTER (test = 'WC003'), 2) AS wc003, round(max(points) FILTER (test = 'WC004'), 2) AS wc004,
       round(max(points) FILTER (test = 'WC005'), 2) AS wc005
FROM tests t JOIN episodes e USING (run_id, episode_key) GROUP BY ALL ORDER BY total DESC""",
    ),
    "regions": (
        "Regions",
        f"""{_REGIONS}
SELECT judge, region, round(avg(points) FILTER (test = 'WC002'), 2) AS wc002,
       round(avg(points) FILTER (test = 'WC003'), 2) AS wc003, round(avg(points) FILTER (test = 'WC004'), 2) AS wc004
FROM regions WHERE region <> '' GROUP BY ALL ORDER BY judge, region""",
    ),
    "agreement": (
        "Agreement over the required items",
        f"""{_FOUND}
SELECT e.model, e.task_id, e.repeat, f.judge, {_COUNTS}
FROM found f JOIN episodes e USING (run_id, episode_key) GROUP BY ALL ORDER BY ALL""",
    ),
    "agreement by region": (
        "Agreement by region",
        f"""{_FOUND}
SELECT judge, region, {_COUNTS}
FROM found GROUP BY ALL ORDER BY ALL""",
    ),
    "reasons": (
        "Reasons for lost points",
        f"""{_HALVES}
SELECT judge, channel, regexp_replace(reason, '\\d+(\\.\\d+)?', '#', 'g') AS why, count(*) AS halves,
       round(sum(max - score), 2) AS points
FROM halves WHERE NOT failed AND score < max AND reason <> '' GROUP BY ALL ORDER BY points DESC, why""",
    ),
    "items": (
        "Every item's halves",
        f"""{_HALVES}
SELECT e.model, e.task_id, h.judge, item, channel, score, max, passed, h.reason, evidence
FROM halves h JOIN episodes e USING (run_id, episode_key) ORDER BY ALL""",
    ),
    "views": (
        "Bursts and how close views were found",
        """\
SELECT e.model, e.task_id, v.biome, v.outcome, v.turns, v.ref, b.near_share, b.far_share, b.camera_still
FROM worldbench_visits v JOIN episodes e USING (run_id, episode_key)
LEFT JOIN worldbench_bursts b ON b.episode_key = v.episode_key AND b.run_id = v.run_id AND b.biome = v.biome
ORDER BY ALL""",
    ),
}
"""By name: the title of the table and the statement."""


def query_sheet() -> Sheet:
    """The statements, to be copied."""
    entries = tuple(
        Entry(name, title, (Part("SQL", "unscored", excerpts=(Excerpt(1, tuple(sql.split("\n"))),)),))
        for name, (title, sql) in QUERIES.items()
    )
    return Sheet("These tables by embodied-eval query", f"{len(entries)} statements", None, entries)
