"""Code that only writes the page's interface: text of labels, and the rows of a legend. It proves nothing. Ours."""

from __future__ import annotations

from benchmarks.worldbench.source.definitions import Definitions
from benchmarks.worldbench.source.sourcemap import Source
from benchmarks.worldbench.source.statements import Syntax
from benchmarks.worldbench.source.tokens import word_set

_WRITES = word_set(
    """innerHTML textContent innerText outerHTML insertAdjacentHTML createElement className classList getElementById
    querySelector querySelectorAll cssText createTextNode onclick"""
)
_SEES = word_set("camera controls target lookAt flyTo fly flight focus orbit")
_MAX_STATEMENT_TOKENS = 600


def interface(source: Source) -> tuple[tuple[int, int], ...]:
    """The characters [start, end) of statements that write the interface, and of tables that only such statements
    (and those that move the camera) read; sorted, may overlap."""
    syntax = Syntax(source.tokens)
    tokens = source.tokens
    found: set[tuple[int, int]] = set()
    for index, word in enumerate(tokens.words):
        if word in _WRITES and tokens.kinds[index] == "i":
            chain = syntax.chain(index)
            if chain and chain[0][1].kind == "plain":
                one = chain[0][1]
                if one.high - one.low <= _MAX_STATEMENT_TOKENS:
                    found.add((tokens.starts[one.low], tokens.end(one.high - 1)))
    found.update(_legends(syntax))
    return tuple(sorted(found))


def _legends(syntax: Syntax) -> list[tuple[int, int]]:
    tokens = syntax.tokens
    definitions = Definitions(syntax)
    functions = {start for _, start, _ in definitions.functions}
    found = []
    for one in definitions.tables():
        if any(one.low <= start < one.high for start in functions):
            continue
        uses = [_purpose(syntax, index) for index in one.uses]
        if uses and all(uses) and "write" in uses:
            found.append((tokens.starts[one.low], tokens.end(one.high - 1)))
    return found


def _purpose(syntax: Syntax, index: int) -> str:
    """What the statements around token `index`, up to the function they stand in, do: "write" the interface, "see"
    (move the camera), or something else ("")."""
    words = syntax.tokens.words
    purpose = ""
    for block, one in syntax.chain(index):
        if one.high - one.low <= _MAX_STATEMENT_TOKENS:
            said = words[one.low : one.high]
            if not _WRITES.isdisjoint(said):
                return "write"
            if not _SEES.isdisjoint(said):
                purpose = "see"
        if block.function:
            break
    return purpose
