"""Which optimised plans are taken for the same, as Spark shows them."""

from __future__ import annotations

import pytest

from tests.random_joins.plans import IncomparableError, without_names

_A = "LogicalRDD [k#1, s#2, v#3], false"
_B = "LogicalRDD [k#4L, s#5, w#6], false"


def tree(*lines: str) -> str:
    return "\n".join(lines)


def padded(left: str, right: str, top: str) -> str:
    return tree(
        f"Project [{top}]",
        "+- Join LeftOuter, (k#1 = k#4L)",
        f"   :- Project [{left}]",
        f"   :  +- {_A}",
        f"   +- Project [{right}]",
        f"      +- {_B}",
    )


def union(first: str, second: str) -> str:
    return tree("Union false, false", f":- Project [{first}]", f":  +- {_A}", f"+- Project [{second}]", f"   +- {_B}")


SAME = {
    "a projection that renames": (
        ("k#1", tree("Filter (v#3 > 1)", f"+- {_A}")),
        (
            "q#9",
            tree(
                "Project [p#8 AS q#9]",
                "+- Filter (r#7 > 1)",
                "   +- Project [k#1 AS p#8, v#3 AS r#7]",
                f"      +- {_A}",
            ),
        ),
    ),
    "conjuncts in another order": (
        ("k#1", tree("Filter ((v#3 > 1) AND (k#1 = 2))", f"+- {_A}")),
        ("k#1", tree("Filter ((k#1 = 2) AND (v#3 > 1))", f"+- {_A}")),
    ),
    "a cross join": (
        ("k#1, w#6", tree("Join Cross", f":- {_A}", f"+- {_B}")),
        ("k#1, w#6", tree("Join Inner, true", f":- {_A}", f"+- {_B}")),
    ),
    "a value computed on the side that is not padded": (
        ("x#9", padded("k#1, (v#3 + 1) AS x#9", "k#4L", "x#9")),
        ("x#9", padded("k#1, v#3", "k#4L", "(v#3 + 1) AS x#9")),
    ),
}
DIFFERENT = {
    "another column": (("k#1", _A), ("v#3", _A)),
    "columns in another order": (("k#1, v#3", _A), ("v#3, k#1", _A)),
    "another table": (("k#1", _A), ("k#1", "LogicalRDD [k#1, v#3, s#2], false")),
    "no rows and no columns": (
        ("1", tree("Project [1]", "+- LocalRelation <empty>")),
        ("1", tree("Project [1]", f"+- {_A}")),
    ),
    "no rows": (("k#1", "LocalRelation <empty>, [k#1]"), ("k#1", "LocalRelation [k#1]")),
    "another kind of join": (
        ("k#1", tree("Join LeftOuter, (k#1 = k#4L)", f":- {_A}", f"+- {_B}")),
        ("k#1", tree("Join Inner, (k#1 = k#4L)", f":- {_A}", f"+- {_B}")),
    ),
    "a value computed of NULL for rows without a partner": (
        ("x#9", padded("k#1", "k#4L, coalesce(w#6, 0) AS x#9", "x#9")),
        ("x#9", padded("k#1", "k#4L, w#6", "coalesce(w#6, 0) AS x#9")),
    ),
    "columns of a union in another order": (
        ("k#1, v#3", union("k#1, v#3", "k#4L, w#6")),
        ("k#1, v#3", union("k#1, v#3", "w#6, k#4L")),
    ),
    "a column after a union": (
        ("k#1", union("k#1, v#3", "k#4L, w#6")),
        ("v#3", union("k#1, v#3", "k#4L, w#6")),
    ),
    "another aggregate": (
        ("m#9", tree("Aggregate [s#2], [max(v#3) AS m#9]", f"+- {_A}")),
        ("m#9", tree("Aggregate [s#2], [max(k#1) AS m#9]", f"+- {_A}")),
    ),
    "a value of groups, and of the groups of these": (
        ("m#9", tree("Aggregate [s#2], [max(v#3) AS m#9]", f"+- {_A}")),
        ("n#8", tree("Aggregate [max(m#9) AS n#8]", "+- Aggregate [s#2], [max(v#3) AS m#9]", f"   +- {_A}")),
    ),
    "another order": (
        ("k#1", tree("Sort [k#1 ASC NULLS FIRST], true", f"+- {_A}")),
        ("k#1", tree("Sort [k#1 DESC NULLS LAST], true", f"+- {_A}")),
    ),
}


@pytest.mark.parametrize("pair", SAME.values(), ids=SAME)
def test_same(pair: tuple[tuple[str, str], tuple[str, str]]) -> None:
    one, other = pair
    assert without_names(*one) == without_names(*other)


@pytest.mark.parametrize("pair", DIFFERENT.values(), ids=DIFFERENT)
def test_different(pair: tuple[tuple[str, str], tuple[str, str]]) -> None:
    one, other = pair
    assert without_names(*one) != without_names(*other)


def test_columns_that_a_plan_does_not_show_are_not_compared() -> None:
    with pytest.raises(IncomparableError):
        without_names("k#1", tree("Union false, false", ":- Join Cross", f":  :- {_A}", f":  +- {_B}", f"+- {_A}"))
