"""What a page offers to operate: one line for each visible, named control, from the accessibility tree.

Many pages make rows of plain elements that react to clicks; these are found through their listeners and
their pointer, and get the role "clickable".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import CDPSession

LIMIT = 50
NAME_CHARS = 80
# Roles of WAI-ARIA 1.2 that a user operates.
OPERABLE = frozenset(
    {
        *("button", "checkbox", "combobox", "gridcell", "link", "listbox", "menuitem", "menuitemcheckbox"),
        *("menuitemradio", "option", "radio", "scrollbar", "searchbox", "slider", "spinbutton", "switch"),
        *("tab", "textbox", "treeitem"),
    }
)
_CONTAINERS = frozenset({"HTML", "BODY", "CANVAS", "#document", "SCRIPT", "STYLE"})


@dataclass(frozen=True)
class Line:
    """A control: `ref` names it until the page is asked again."""

    ref: str
    role: str
    name: str


@dataclass(frozen=True)
class Control:
    """A line with where to find it: `node` is the browser's id of its element."""

    line: Line
    node: int


def controls(cdp: CDPSession) -> tuple[Control, ...]:
    """The visible, named controls in document order, at most `LIMIT`."""
    snapshot = cdp.send(
        "DOMSnapshot.captureSnapshot", {"computedStyles": ["visibility", "cursor", "pointer-events"]}
    )
    tree = cdp.send("Accessibility.getFullAXTree")["nodes"]
    spoken = {
        one["backendDOMNodeId"]: (one["role"]["value"], _text(one.get("name")))
        for one in tree
        if not one.get("ignored") and "backendDOMNodeId" in one and "role" in one
    }
    elements = _elements(snapshot)
    found: list[tuple[int, str, str]] = []
    for at, element in enumerate(elements):
        if not element.visible:
            continue
        role, name = spoken.get(element.node, ("", ""))
        if role in OPERABLE and name:
            found.append((at, role, name))
        elif element.clickable and not any(above in OPERABLE for above in _roles(elements, at, spoken)):
            name = name or element.text
            if name:
                found.append((at, "clickable", name))
    holders = {above for at, _, _ in found for above in _above(elements, at)}
    # A list that reacts for its rows, and the label of a control, say nothing new.
    labels = {_line(name) for _, role, name in found if role != "clickable"}
    kept = [
        (at, role, _line(name))
        for at, role, name in found
        if role != "clickable" or (at not in holders and _line(name) not in labels)
    ]
    return tuple(
        Control(Line(f"e{number}", role, name), elements[at].node)
        for number, (at, role, name) in enumerate(kept[:LIMIT], 1)
    )


@dataclass
class _Element:
    node: int
    parent: int
    visible: bool = False
    clickable: bool = False
    text: str = ""


def _elements(snapshot: dict[str, Any]) -> list[_Element]:
    """Every node of the page's own document, in document order."""
    strings, document = snapshot["strings"], snapshot["documents"][0]
    nodes, layout = document["nodes"], document["layout"]
    made = [
        _Element(node, parent)
        for node, parent in zip(nodes["backendNodeId"], nodes["parentIndex"], strict=True)
    ]
    names = [strings[at] for at in nodes["nodeName"]]
    listening = set(nodes.get("isClickable", {}).get("index", ()))
    pointing: set[int] = set()
    left, top = document.get("scrollOffsetX", 0), document.get("scrollOffsetY", 0)
    for at, styles, box, text in zip(
        layout["nodeIndex"], layout["styles"], layout["bounds"], layout["text"], strict=True
    ):
        visibility, cursor, events = (strings[one] if one >= 0 else "" for one in styles or (-1, -1, -1))
        x, y, width, height = box
        if visibility != "hidden" and events != "none":
            made[at].visible = width > 1 and height > 1 and x + width > left and y + height > top
        if cursor == "pointer":
            pointing.add(at)
        if text >= 0:
            for above in (at, *_above(made, at)):
                made[above].text += strings[text] + " "
    for at, element in enumerate(made):
        starts_pointing = at in pointing and element.parent not in pointing
        element.clickable = (
            names[at] not in _CONTAINERS
            and not names[at].startswith("#")
            and (at in listening or starts_pointing)
        )
    return made


def _above(elements: list[_Element], at: int) -> list[int]:
    made = []
    while (at := elements[at].parent) >= 0:
        made.append(at)
    return made


def _roles(elements: list[_Element], at: int, spoken: dict[int, tuple[str, str]]) -> list[str]:
    return [spoken[node][0] for above in _above(elements, at) if (node := elements[above].node) in spoken]


def _line(name: str) -> str:
    return " ".join(name.split())[:NAME_CHARS]


def _text(value: dict[str, Any] | None) -> str:
    return str(value.get("value", "")).strip() if value else ""
