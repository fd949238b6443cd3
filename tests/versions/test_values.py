"""How the values of a version are compared with those of the newest Spark; no test needs another Spark."""

from __future__ import annotations

from typing import Any

import pytest

from ir.functions.builtins import BUILT_INS
from ir.types import INT
from tests.versions.calls import columns
from tests.versions.known import LEFT_OUT
from tests.versions.texts import Texts
from tests.versions.value_rows import ROWS, query_of_rows, value_of
from tests.versions.values import Outcome, difference

_ONE: dict[str, Any] = {"rows": [["1"]]}
_FAILED: dict[str, Any] = {"failed": {"refused": "DIVIDE_BY_ZERO"}}


@pytest.mark.parametrize(
    ("answer", "newest", "found"),
    [
        (_ONE, _ONE, None),
        ({"rows": [["1"], ["2"]]}, {"rows": [["2"], ["1"]]}, None),
        ({"rows": [["2"]]}, _ONE, "[['2']] and not [['1']]"),
        ({"rows": []}, _ONE, "[] and not [['1']]"),
        ({"refused": "UNRESOLVED"}, _ONE, "UNRESOLVED"),
        (_FAILED, _FAILED, None),
        (_FAILED, _ONE, "fails with DIVIDE_BY_ZERO"),
        (_ONE, _FAILED, "does not fail with DIVIDE_BY_ZERO"),
        ({**_FAILED, "by_row": ["fails", [["1"]]]}, {**_FAILED, "by_row": ["fails", [["1"]]]}, None),
        (
            {**_FAILED, "by_row": ["fails", [["1"]]]},
            {**_FAILED, "by_row": ["fails", [["2"]]]},
            "['fails', [['1']]] and not ['fails', [['2']]]",
        ),
    ],
)
def test_values_differ_in_one_way(answer: dict[str, Any], newest: dict[str, Any], found: str | None) -> None:
    assert difference(answer, newest) == found


def test_an_outcome_counts_what_is_written_otherwise_and_what_differs() -> None:
    newest = Texts({"a": "SELECT f()", "b": "SELECT g()", "c": "SELECT h()"}, {})
    older = Texts({"a": "SELECT CASE", "b": "SELECT g()"}, {"c": "h() needs Spark 4.0"})
    expected = dict.fromkeys(newest.accepted, _ONE)
    found = Outcome.of("3.5", older, {"a": _ONE, "b": {"rows": [["2"]]}}, (newest, expected))
    assert (found.asked, found.refused, found.rewritten, found.explained) == (2, 1, 1, 0)
    assert list(found.differences) == ["b"]


def test_a_listed_query_counts_as_explained_and_has_to_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "tests.versions.values.known_values", lambda version: frozenset({"f", "g: g(1)", "of no query"})
    )
    newest = Texts({"f: f(1)": "SELECT f(1)", "f: f(2)": "SELECT f(2)", "g: g(1)": "SELECT g(1)"}, {})
    expected = dict.fromkeys(newest.accepted, _ONE)
    found = Outcome.of("3.5", newest, {**expected, "f: f(2)": {"rows": [["2"]]}}, (newest, expected))
    assert found.explained == 1
    assert found.differences == {"g: g(1)": "is listed in tests/versions/known.py, and does not differ"}


def test_no_value_of_the_run_is_asked_for() -> None:
    assert {BUILT_INS.by_name(name).name for name in LEFT_OUT} == LEFT_OUT.keys()


def test_every_type_has_a_value_in_every_row() -> None:
    assert all(value_of(data_type, row) for data_type in columns().values() for row in range(ROWS))
    assert value_of(INT, ROWS - 1) == "CAST(NULL AS int)"
    assert value_of(INT.not_null(), ROWS - 1) == "CAST('2147483647' AS int)"
    assert " c3," not in query_of_rows(["c3"])
