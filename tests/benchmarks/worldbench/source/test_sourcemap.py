"""Which scripts count as source, and where their characters stand in the file."""

from __future__ import annotations

from benchmarks.worldbench.source.sourcemap import from_html

PAGE = """<!doctype html>\r
<style>/* let styled = 1; */</style>\r
<!-- <script>let hidden = 1;</script> -->\r
<script src="https://cdn/three.js">let ignored = 1;</script>\r
<script type="importmap">{"imports": {}}</script>\r
<template><script>let inert = 1;</script></template>\r
<script>\r
let first = 1; // 🌋\r
</script><p title="<script>">text</p>\r
<SCRIPT type = 'module' data-x="a>b">let second = 2;</SCRIPT>\r
<script type="x-shader/x-vertex">void main() {}</script>\r
<script>let open = 3;"""


def test_only_scripts_that_run_and_shaders_count() -> None:
    source = from_html(PAGE)
    assert [one.kind for one in source.scripts] == ["classic", "module", "shader", "classic"]
    assert "first" in source.text
    for absent in ("styled", "hidden", "ignored", "imports", "inert", "text"):
        assert absent not in source.text


def test_places_go_to_the_file_and_back() -> None:
    source = from_html(PAGE)
    for word, line in (("first", 8), ("second", 10), ("void", 11), ("open", 12)):
        place = source.text.index(word)
        html_place = source.html_place(place)
        assert source.html.startswith(word, html_place)
        assert source.place(html_place) == place
        span = source.span(place, place + len(word))
        assert (span.first_line, span.last_line) == (line, line)
    assert source.place(0) is None
    (part,) = source.of_lines(8, 8)
    assert source.text[part.start : part.end] == "let first = 1; // 🌋"


def test_squeezed_text_remembers_places() -> None:
    source = from_html("<script>a b /* c */\n  d</script>")
    assert source.full.text == "ab/*c*/d"
    assert source.code.text == "abd"
    assert source.text[source.code.place(2)] == "d"
    assert source.code.index(len(source.text)) == 3
    assert source.code_length(0, source.text.index("d")) == 2


def test_a_page_without_scripts_is_empty() -> None:
    for html in ("", "<p>swamp", "<script src=x></script>", "<script", "<!--"):
        source = from_html(html)
        assert not source.text.strip()
        assert source.of_lines(1, 9) == ()
