"""Code told from comments, strings, templates and regular expressions."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from benchmarks.worldbench.source.tokens import tokenize, without_comments


def words(text: str) -> list[str]:
    return tokenize(text).words


def test_strings_and_comments() -> None:
    assert words("a = 'it//s'; // b\n/* c */ d") == ["a", "=", "'it//s'", ";", "d"]
    assert words(r'"a\"b" + "open') == [r'"a\"b"', "+", '"open']
    assert without_comments("x('http://y') // gone\n+ /* also */ 1") == "x('http://y') \n+  1"


def test_templates_nest() -> None:
    found = tokenize("`a ${b + `c ${ {d: 1}.d } e`} // no comment` + f // one")
    assert found.words[-2:] == ["+", "f"]
    assert len(found.comments) == 1
    assert "{" in found.words


def test_regular_expressions_are_no_comments() -> None:
    assert words("x = /[/]\\/'/g.test(y) / 2 / z")[2] == "/[/]\\/'/g"
    assert words("a / b / c") == ["a", "/", "b", "/", "c"]
    assert words("return /x/")[1] == "/x/"


def test_comments_in_shader_text_are_comments() -> None:
    shader = "s = `void main() { // mist over the swamp\n gl_FragColor = vec4(1.); }`"
    assert "swamp" not in without_comments(shader)
    assert "gl_FragColor" in without_comments(shader)
    assert without_comments("s = `see // this`") == "s = `see // this`"


def test_brackets_pair_and_survive_bad_ones() -> None:
    partner, parent = tokenize("f(a[1], { b })").pairs
    assert [partner[1], partner[3], partner[7]] == [10, 5, 9]
    assert parent[8] == 7
    partner, _ = tokenize("a ) } ( [ b ) c").pairs
    assert partner[1] == partner[2] == -1
    assert partner[3] == 6


def test_an_open_string_ends_with_its_script() -> None:
    text = "a = `open\nb = 2"
    assert tokenize(text, ((0, 9), (10, 15))).words[-3:] == ["b", "=", "2"]


@given(st.text(alphabet="ab1'\"`/*\\${}()[]\n=<>!-, ", max_size=200))
def test_tokens_and_comments_cover_the_text(text: str) -> None:
    found = tokenize(text)
    rest = list(text)
    for start, word in zip(found.starts, found.words, strict=True):
        assert text[start : start + len(word)] == word
        rest[start : start + len(word)] = " " * len(word)
    for start, end in found.comments:
        rest[start:end] = " " * (end - start)
    assert not "".join(rest).strip()
