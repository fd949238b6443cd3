"""The comparison of plans up to names: equal plans, and different ones."""

from __future__ import annotations

import pytest

from tableapi.spark.views.plan_texts import same_but_for_names

SCAN = "Relation t[a#1, b#2]"


def plan(*operators: str) -> str:
    """Return a plan as Spark shows it, with the topmost operator first."""
    return "\n".join(f"{'   ' * (depth - 1)}+- {o}" if depth else o for depth, o in enumerate((*operators, SCAN)))


SAME = {
    "columns with other numbers": (["Filter (a#1 > 0)"], ["Filter (a#1 > 0)"]),
    "a column with another name": (["Filter (x#3 > 0)", "Project [a#1 AS x#3]"], ["Filter (a#1 > 0)", "Project [a#1]"]),
    "an aggregate without a name": (
        ["Filter (n#3L > 1)", "Aggregate [a#1], [a#1, count(1) AS n#3L]"],
        ["Filter (count(1)#9L > 1)", "Aggregate [a#1], [a#1, count(1) AS count(1)#9L]"],
    ),
    "the order of columns below": (
        ["Aggregate [a#1], [a#1, sum(b#2) AS s#3]", "Project [b#2, a#1]"],
        ["Aggregate [a#1], [a#1, sum(b#2) AS t#4]", "Project [a#1, b#2]"],
    ),
}
DIFFERENT = {
    "another column": (["Filter (a#1 > 0)"], ["Filter (b#2 > 0)"]),
    "columns exchanged": (
        ["Filter (x#3 > y#4)", "Project [a#1 AS x#3, b#2 AS y#4]"],
        ["Filter (x#3 > y#4)", "Project [b#2 AS x#3, a#1 AS y#4]"],
    ),
    "the order of the result": (["Project [a#1, b#2]"], ["Project [b#2, a#1]"]),
    "an operator more": (["Project [a#1]", "Project [a#1, b#2]"], ["Project [a#1]"]),
    "computed in another operator": (
        ["Project [s#3]", "Filter (a#1 > 0)", "Project [a#1, (b#2 + 1) AS s#3]"],
        ["Project [(b#2 + 1) AS s#3]", "Filter (a#1 > 0)", "Project [a#1, b#2]"],
    ),
    "computed once more": (
        ["Filter (s#3 > 0)", "Project [(b#2 + 1) AS s#3]"],
        ["Filter ((b#2 + 1) > 0)", "Project [(b#2 + 1) AS s#3]"],
    ),
}


@pytest.mark.parametrize(("one", "other"), SAME.values(), ids=SAME)
def test_names_and_positions_do_not_differ(one: list[str], other: list[str]) -> None:
    assert same_but_for_names(plan(*one), plan(*other).replace("#1", "#11"))


@pytest.mark.parametrize(("one", "other"), DIFFERENT.values(), ids=DIFFERENT)
def test_everything_else_is(one: list[str], other: list[str]) -> None:
    assert not same_but_for_names(plan(*one), plan(*other))


def test_two_scans_of_a_table_are_distinguished() -> None:
    sides = "\n:- Relation t[a#1]\n+- Relation t[a#2]"
    assert same_but_for_names(f"Join Inner, (a#1 = a#2){sides}", f"Join Inner, (x#1 = x#2){sides}")
    assert not same_but_for_names(f"Join Inner, (a#1 = a#2){sides}", f"Join Inner, (a#1 = a#1){sides}")
