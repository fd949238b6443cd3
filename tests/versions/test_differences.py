"""How two answers differ, and how the differences of a version are written and read."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.versions.base_server import condition_in
from tests.versions.calls import Asked
from tests.versions.facts import Answers, difference_of_answers, differences, result_of
from tests.versions.files import REFUSED, SAME, expected_result, text_of
from tests.versions.syntax import probes


def _answer(name: str = "a", data_type: Any = "integer", nullable: bool = False, value: str = "1") -> dict[str, Any]:
    return {"schema": [[name, data_type, nullable]], "rows": [[value]]}


@pytest.mark.parametrize(
    ("answer", "difference"),
    [
        (_answer(), None),
        ({"refused": "PARSE_SYNTAX_ERROR", "message": ""}, "PARSE_SYNTAX_ERROR"),
        ({**_answer(), "failed": {"refused": "INTERNAL_ERROR"}}, "fails with INTERNAL_ERROR"),
        (_answer(name="b"), "other names"),
        (_answer(data_type="long", value="2"), "other types"),
        (_answer(nullable=True, value="2"), "other rows"),
        (_answer(nullable=True), "other nullability"),
    ],
)
def test_an_answer_differs_in_one_way(answer: dict[str, Any], difference: str | None) -> None:
    assert difference_of_answers(answer, _answer()) == difference


@pytest.mark.parametrize(
    ("message", "condition"),
    [
        ("[CAST_INVALID_INPUT] The value 'b' of the type", "CAST_INVALID_INPUT"),
        (
            "Job aborted due to stage failure: Task 1 in stage 7.0 failed 1 times, most recent failure: Lost task 1.0 "
            "(executor driver): org.apache.spark.SparkNumberFormatException: [CAST_INVALID_INPUT] The value 'b'",
            "CAST_INVALID_INPUT",
        ),
        ("Job aborted due to stage failure: ExecutorLostFailure", None),
        ("mine is [A_CONDITION]", None),
    ],
)
def test_the_condition_is_that_of_the_failed_task(message: str, condition: str | None) -> None:
    assert condition_in(message) == condition


def test_the_order_of_rows_does_not_count() -> None:
    one = {"schema": [], "rows": [["1"], ["2"]]}
    assert difference_of_answers({"schema": [], "rows": [["2"], ["1"]]}, one) is None


@pytest.mark.parametrize(
    ("answer", "result"),
    [
        ("UNRESOLVED", REFUSED),
        (["integer", False], SAME),
        (["integer", True], "nullable"),
        (["string", False], '"string" for "integer"'),
    ],
)
def test_a_call_differs_in_one_way(answer: object, result: str) -> None:
    assert result_of(answer, ["integer", False]) == result


def test_nullability_of_parts_is_no_other_type() -> None:
    array = {"type": "array", "elementType": "integer", "containsNull": True}
    assert result_of([array | {"containsNull": False}, False], [array, False]) == "nullability of parts"


def _answers(types: dict[str, Any], **changed: Any) -> Answers:
    given: dict[str, Any] = {"release": "1.2.3", "settings": {}, "decided": {}, "functions": frozenset()}
    given |= {"missing_types": frozenset(), "syntax": {}, "named_arguments": frozenset(), "types": types}
    return Answers(**given | changed)


def _asked(function: str, text: str, *traits: str) -> Asked:
    return Asked(function, text, frozenset(traits), frozenset(), frozenset(), "others", True)


def test_what_is_written_says_how_each_call_is_answered() -> None:
    calls = [
        _asked("f", "f(1)", "1 arguments", "1 INT"),
        _asked("f", "f(1, 2)", "2 arguments", "1 INT", "2 INT"),
        _asked("f", "f(1, d)", "2 arguments", "1 INT", "2 DATE"),
        _asked("g", "g(1)", "1 arguments", "1 INT"),
        _asked("h", "h('a')", "1 arguments", "1 STRING"),
        _asked("h", "h(1)", "1 arguments", "1 INT"),
    ]
    newest = _answers({call.text: ["integer", False] for call in calls}, functions=frozenset({"g"}))
    older = _answers(
        {
            "f(1)": ["integer", False],
            "f(1, 2)": "UNRESOLVED",
            "f(1, d)": "UNRESOLVED",
            "g(1)": "UNRESOLVED",
            "h('a')": ["integer", True],
            "h(1)": ["integer", False],
        }
    )
    found = json.loads(text_of(differences(older, newest, calls)))
    assert found["names"] == ["g"]
    assert found["functions"] == ["g"]
    assert found["refused"] == {"f": [["2 arguments"]]}
    assert found["results"] == {"h": [{"result": "nullable", "when": [["1 STRING", "1 arguments"]]}]}
    assert found["unexplained"] == {}
    for call in calls:
        actual = result_of(older.types[call.text], newest.types[call.text])
        assert expected_result(found, call.function, call.traits) == actual


def test_calls_with_the_same_traits_and_other_answers_are_not_explained() -> None:
    calls = [_asked("f", "f(1)", "1 INT"), _asked("f", "f(2)", "1 INT")]
    newest = _answers({call.text: ["integer", False] for call in calls})
    older = _answers({"f(1)": ["integer", False], "f(2)": "UNRESOLVED"})
    assert differences(older, newest, calls)["unexplained"] == {"f": ["refused: f(2)"]}


def test_every_probe_has_statements() -> None:
    assert len(probes()) > 300
    assert all(statement.strip() for probe in probes().values() for statement in probe.statements)
