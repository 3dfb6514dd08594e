"""The three tools of an audit of a recording (spec of the benchmark, section 8.3). None touches the world."""

from __future__ import annotations

from benchmarks.worldaudit.options import Options
from benchmarks.worldaudit.tools import CATEGORIES, EVIDENCE, READ_EXAMPLE, READ_EXAMPLE_UNTOLD
from embodied_eval.models.types import Tool

MOST_BUGS = 20
OBSERVE = Tool(
    "observe",
    "See the recording: every picture in order, with a line of text each.",
    {"type": "object", "properties": {}, "required": [], "additionalProperties": False},
)
REPORT = Tool(
    "report",
    "Report what is wrong, all of it, and end the audit.",
    {
        "type": "object",
        "properties": {
            "bugs": {
                "type": "array",
                "maxItems": MOST_BUGS,
                "items": {
                    "type": "object",
                    "properties": {
                        "description": {"type": "string", "minLength": 1, "maxLength": 2000},
                        "category": {"type": "string", "enum": CATEGORIES},
                        "status": {"type": "string", "enum": ["suspect", "confirmed"]},
                        "evidence": EVIDENCE,
                    },
                    "required": ["description", "category", "status", "evidence"],
                    "additionalProperties": False,
                },
            },
            "summary": {"type": "string", "maxLength": 4000},
        },
        "required": ["bugs", "summary"],
        "additionalProperties": False,
    },
)


def offered(options: Options) -> tuple[Tool, ...]:
    """The tools that an audit offers."""
    if not options.icl:
        return (OBSERVE, REPORT)
    return (READ_EXAMPLE if options.type_hint != "none" else READ_EXAMPLE_UNTOLD, OBSERVE, REPORT)
