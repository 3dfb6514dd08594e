import base64
import json
from types import SimpleNamespace

from embodied_eval.models.types import Image, Message, Text, ToolCall, system, tool_result, user
from embodied_eval.models.wire import read_tool_calls, wire_messages, wire_tools, with_unique_ids
from tests.models.tools import MOVE

ONE, TWO = ToolCall("c1", "move", {"distance_m": 1}), ToolCall("c2", "look", {}, "{oops", "not JSON")


def test_images_of_tool_answers_follow_their_block() -> None:
    made = wire_messages(
        [
            system("Be brief."),
            user("Go."),
            Message("assistant", (), (ONE, TWO)),
            tool_result(ONE, "Moved.", Image(b"\xff\xd8one", ref="a1")),
            tool_result(TWO, Image(b"\xff\xd8two", ref="a2")),
            user("Next."),
        ]
    )
    assert [m["role"] for m in made] == ["system", "user", "assistant", "tool", "tool", "user", "user"]
    assert made[3] == {"role": "tool", "tool_call_id": "c1", "content": "Moved."}
    assert made[4]["content"] == "The image follows."
    parts = made[5]["content"]
    assert [p.get("text") for p in parts] == ["Image a1:", None, "Image a2:", None]
    data = base64.b64encode(b"\xff\xd8one").decode()
    assert parts[1]["image_url"]["url"] == f"data:image/jpeg;base64,{data}"


def test_a_block_at_the_end_gets_its_images_too() -> None:
    made = wire_messages([Message("assistant", (), (ONE,)), tool_result(ONE, "ok", Image(b"x"))])
    assert made[-1]["role"] == "user" and made[-1]["content"][0]["text"] == "Image:"


def test_bad_arguments_go_back_as_an_object() -> None:
    made = wire_messages([Message("assistant", (), (ONE, TWO))])
    sent = [json.loads(call["function"]["arguments"]) for call in made[0]["tool_calls"]]
    assert sent == [{"distance_m": 1}, {"invalid_arguments": "{oops"}]
    assert wire_messages([Message("assistant")])[0]["content"] == "(empty)"


def test_the_schema_is_asked_for_in_the_system_message() -> None:
    with_system = wire_messages([system("S"), user("u")], {"type": "object"})
    assert with_system[0]["content"].startswith("S\n\nAnswer with one JSON value")
    assert wire_messages([user("u")], {"type": "object"})[0]["role"] == "system"


def test_text_alone_is_a_string_and_images_make_parts() -> None:
    assert wire_messages([Message("user", (Text("a"), Text("b")))])[0]["content"] == "a\nb"
    assert wire_messages([user("a", Image(b"x"))])[0]["content"][1]["type"] == "image_url"


def test_tools() -> None:
    assert wire_tools([MOVE])[0]["function"]["name"] == "move"


def test_tool_calls_that_are_no_object_say_so() -> None:
    def call(name: str | None, arguments: object, call_id: str | None = "i") -> SimpleNamespace:
        return SimpleNamespace(id=call_id, function=SimpleNamespace(name=name, arguments=arguments))

    good, text, array, nameless = read_tool_calls(
        [call("move", '{"x": 1}'), call("move", "{x"), call("move", "[1]"), call(None, "{}", None)]
    )
    assert good.arguments == {"x": 1} and not good.error and not good.raw
    assert text.arguments == {} and text.raw == "{x" and "not valid JSON" in text.error
    assert "must be a JSON object" in array.error
    assert nameless.error == "The call names no tool." and nameless.id == ""
    assert read_tool_calls(None) == ()


def test_ids_are_made_unique_the_same_way_each_time() -> None:
    history = [user("go"), Message("assistant", (), (ONE,))]
    calls = [ToolCall(i, "move", {}) for i in ("c1", "", "new", "new")]
    made = with_unique_ids(calls, history)
    assert [call.id for call in made] == ["call_2_0", "call_2_1", "new", "call_2_3"]
    assert with_unique_ids(calls, history) == made
