"""How what is written for a version is compared with what its Spark answers; no test needs another Spark."""

from __future__ import annotations

from typing import Any

import attrs
import pytest

from ir.functions.builtins import BUILT_INS
from tests.versions.agreement import Agreement, agreement
from tests.versions.calls import Asked, calls
from tests.versions.facts import Answers

INTEGER = ["integer", False]


@attrs.frozen
class Answering:
    """A Spark 3.5 that has one answer to each expression, and keeps what it was asked."""

    answer: Any
    asked: list[str] = attrs.field(factory=list)
    version: str = "3.5"

    def ask(self, kind: str, texts: list[str]) -> list[Any]:
        assert kind == "expressions"
        self.asked.extend(texts)
        return [self.answer] * len(texts)


def _answers(types: dict[str, Any]) -> Answers:
    given: dict[str, Any] = {"release": "1.2.3", "settings": {}, "decided": {}, "functions": frozenset()}
    given |= {"missing_types": frozenset(), "syntax": {}, "named_arguments": frozenset(), "types": types}
    return Answers(**given)


def _call(function: str) -> Asked:
    """Return the first call of a function whose arguments Spark 3.5 has types for."""
    return next(call for call in calls(BUILT_INS.by_name(function), 5) if not call.families & {"TIME", "VARIANT"})


def _compare(
    call: Asked, answer: Any, form: Any = INTEGER, newest: Any = INTEGER, **content: Any
) -> tuple[Agreement, list[str]]:
    spark = Answering(form)
    given: Any = spark
    facts = {"syntax": {}, "functions": [], "refused": {}, "results": {}, **content}
    found = agreement(given, _answers({call.text: answer}), _answers({call.text: newest}), [call], facts)
    return found, spark.asked


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (INTEGER, None),
        ("UNRESOLVED", "acceptance"),
        (["long", False], "type"),
        (["integer", True], "nullability"),
    ],
)
def test_a_call_that_both_have_is_compared_as_it_is(answer: Any, kind: str | None) -> None:
    found, asked = _compare(_call("abs"), answer)
    assert asked == []
    assert [line.partition(":")[0] for line in found.disagreements] == ([kind] if kind else [])


def test_a_form_is_asked_about_in_place_of_the_call() -> None:
    found, asked = _compare(_call("try_mod"), "UNRESOLVED_ROUTINE")
    assert (found.rewritten, found.disagreements) == (1, [])
    assert asked[0].startswith("CASE WHEN ")
    refused, _ = _compare(_call("try_mod"), "UNRESOLVED_ROUTINE", form="UNRESOLVED")
    assert len(refused.acceptance) == 1


def test_a_refusal_is_right_if_the_version_refuses_the_call() -> None:
    call = _call("is_valid_utf8")
    found, _ = _compare(call, "UNRESOLVED_ROUTINE")
    assert (found.refused, found.disagreements) == (1, [])
    needless, _ = _compare(call, INTEGER)
    assert "is refused, and has the answer 'same'" in needless.acceptance[0]


def test_the_file_explains_another_nullability() -> None:
    found, _ = _compare(_call("abs"), ["integer", True], results={"abs": [{"result": "nullable", "when": [[]]}]})
    assert (found.explained, found.disagreements) == (1, [])


@pytest.mark.parametrize(("results", "explained"), [({}, 0), ({"array_compact": [["1 of nullable"]]}, 1)])
def test_the_nullability_of_a_form_is_that_of_a_call_in_it(results: dict[str, Any], explained: int) -> None:
    array = {"type": "array", "elementType": "integer", "containsNull": False}
    known = {name: [{"result": "nullability of parts", "when": when}] for name, when in results.items()}
    # It is the array of the distinct elements without NULL.
    call = _call("BITMAP_BUILD")
    found, asked = _compare(call, [array | {"containsNull": True}, True], newest=[array, True], results=known)
    assert asked == []
    assert (found.explained, len(found.nullability)) == (explained, 1 - explained)


def test_a_column_of_a_row_without_fields_is_refused_as_spark_refuses_it() -> None:
    call = next(call for call in calls(BUILT_INS.by_name("row"), 5) if call.text == "NAMED_STRUCT()")
    found, _ = _compare(call, "AssertionError", newest=[{"type": "struct", "fields": []}, False])
    assert (found.refused, found.disagreements) == (1, [])
