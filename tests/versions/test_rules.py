"""Which traits explain an answer that only some calls of a function get."""

from __future__ import annotations

from tests.versions.rules import conditions


def _traits(*texts: str) -> list[frozenset[str]]:
    return [frozenset(text.split(", ")) for text in texts]


def test_an_answer_of_all_calls_has_no_condition() -> None:
    assert conditions(_traits("1 INT", "1 DATE"), []) == ([frozenset()], [])


def test_the_trait_of_most_calls_comes_first() -> None:
    with_answer = _traits("1 INT, 2 DATE", "1 INT, 2 TIME", "1 STRING, 2 TIME", "1 BOOLEAN, 2 TIME")
    found, rest = conditions([*with_answer, *_traits("1 INT, 2 INT")], _traits("1 STRING, 2 INT", "1 BOOLEAN, 2 INT"))
    assert found == _traits("1 INT", "2 TIME")
    assert rest == []


def test_a_number_of_arguments_comes_before_a_type_and_a_type_before_a_value() -> None:
    assert conditions(_traits("2 arguments, 2 INT") * 2, _traits("1 arguments, 1 INT"))[0] == _traits("2 arguments")
    assert conditions(_traits("1 INT, 1 constant, 1 = 'a'") * 2, _traits("1 DATE"))[0] == _traits("1 INT")


def test_two_traits_where_neither_is_enough() -> None:
    found, rest = conditions(_traits("1 INT, 2 DATE"), _traits("1 INT, 2 INT", "1 DATE, 2 DATE"))
    assert found == _traits("1 INT, 2 DATE")
    assert rest == []


def test_a_single_call_is_described_by_all_its_types() -> None:
    found, _ = conditions(_traits("2 arguments, 1 INT, 2 DATE, 2 constant"), _traits("2 arguments, 1 DATE, 2 DATE"))
    assert found == _traits("2 arguments, 1 INT, 2 DATE")


def test_a_call_with_the_traits_of_another_answer_is_not_explained() -> None:
    found, rest = conditions(_traits("1 INT", "1 DATE"), _traits("1 INT"))
    assert found == _traits("1 DATE")
    assert rest == _traits("1 INT")
