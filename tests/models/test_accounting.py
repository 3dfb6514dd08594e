import logging

import pytest

from embodied_eval.errors import ModelTimeout
from embodied_eval.models.accounting import Ledger, Tally, common_prefix, message_json
from embodied_eval.models.guard import Guard, without_userinfo
from embodied_eval.models.types import Image, Message, Reply, Text, ToolCall, tool_result, user
from embodied_eval.records import canonical_json, to_json

CALL = ToolCall("c1", "look", {"deg": 3})


def test_common_prefix() -> None:
    a, b, c = user("a"), user("b"), user("c")
    assert common_prefix((), (a, b)) == 0
    assert common_prefix((a, b), (user("a"), b, c)) == 2
    assert common_prefix((a, c), (a, b)) == 1


def test_images_are_recorded_by_hash() -> None:
    image = Image(b"\xff\xd8", ref="a1")
    made = message_json(tool_result(CALL, "Seen.", image))
    assert made["parts"][1] == {
        "type": "image",
        "sha256": image.sha256,
        "media_type": "image/jpeg",
        "ref": "a1",
    }
    assert made["tool_call_id"] == "c1" and "tool_calls" not in made
    bad = ToolCall("c2", "look", {}, "{", "not JSON")
    assert message_json(Message("assistant", (), (CALL, bad)))["tool_calls"][1]["raw"] == "{"


def test_each_role_has_its_own_conversation() -> None:
    ledger = Ledger(Guard({}))
    talk = [user("one"), Message("assistant", (Text("two"),)), user("three")]

    def record(role: str, messages: list[Message]) -> tuple[int, int, int]:
        made = ledger.record(role, "m", messages, Reply("ok"), Tally(1), 0.5, None)
        return made.index, made.known_messages, len(made.messages)

    assert record("agent", talk[:1]) == (0, 0, 1)
    assert record("judge", talk) == (1, 0, 3)
    assert record("agent", talk) == (2, 1, 2)
    assert record("agent", [user("compacted"), talk[2]]) == (3, 0, 2)


def test_sums_are_unknown_once_a_term_is() -> None:
    tally = Tally()
    tally.add(Reply(tokens_in=10, tokens_out=2, cost_usd=0.25))
    tally.add(Reply(tokens_in=5, tokens_out=1, cost_usd=None))
    assert (tally.tokens_in, tally.tokens_out, tally.cost_usd) == (15, 3, None)
    tally.add(Reply(cost_usd=0.5))
    assert (tally.tokens_in, tally.cost_usd) == (None, None)


def test_no_secret_is_recorded(caplog: pytest.LogCaptureFixture) -> None:
    secret = "sk-do-not-store-1"
    guard = Guard({"MY_API_KEY": secret, "db_token": "tok-12345", "SHORT_KEY": "abc", "HOME": "/home/user"})
    call = ToolCall("c", "note", {"text": f"key {secret}", "more": [{secret: "tok-12345"}]})
    error = ModelTimeout(f"GET http://user:{secret}@host/v1?x failed with tok-12345 in /home/user abc")
    with caplog.at_level(logging.WARNING):
        made = Ledger(guard).record(
            "agent", "m", [user(f"see {secret}")], Reply(f"say {secret}", (call,)), Tally(1), 0.1, error
        )
    text = canonical_json(to_json(made))
    assert secret not in text and "tok-12345" not in text and "user:" not in text
    assert "[secret]" in text and "/home/user abc" in made.error and made.error_kind == "ModelTimeout"
    assert "MY_API_KEY" in caplog.text and secret not in caplog.text


def test_user_part_of_urls() -> None:
    assert without_userinfo("at https://me:pw@h.example/v1, mail a@b") == "at https://h.example/v1, mail a@b"
