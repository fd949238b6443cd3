"""Which columns a method is found to read; a row that is used in another way is needed as a whole."""

from __future__ import annotations

from typing import Any

import pytest

from tableapi.spark.runtime.process.columns_read import columns_read


class Methods:
    def attributes(self, state: Any, row: Any) -> Any:
        if row.a > 1:
            yield row.b.c, state

    def nothing(self, state: Any, row: Any) -> Any:
        return state

    def passed_on(self, state: Any, row: Any) -> Any:
        return row.a, state.add(row)

    def by_name(self, state: Any, row: Any) -> Any:
        return row["a"]

    def unpacked(self, state: Any, row: Any) -> Any:
        return (*row,)

    def captured(self, state: Any, row: Any) -> Any:
        return [state for _ in range(3) if row.a]

    def in_a_lambda(self, state: Any, row: Any) -> Any:
        return lambda: row.a

    def method_of_the_row(self, state: Any, row: Any) -> Any:
        return row.asDict()

    def kept(self, state: Any, row: Any) -> Any:
        state.last = row

    def renamed(self, state: Any, row: Any) -> Any:
        other = row
        return other.a

    def replaced(self, state: Any, row: Any) -> Any:
        row = row.a
        return row + state

    def asked_for(self, state: Any, row: Any) -> Any:
        if row is not None and state:
            yield row.a
        yield row is None, None is not state

    def compared(self, state: Any, row: Any) -> Any:
        return row == None or row.a  # noqa: E711  # an operator that a class may have

    def compared_with_another(self, state: Any, row: Any) -> Any:
        return row is state or row.a

    def true_or_false(self, state: Any, row: Any) -> Any:
        return row.a if row else state

    def all_variables(self, state: Any, row: Any) -> Any:
        return locals()

    def any_arguments(self, *arguments: Any) -> Any:
        return arguments[1].a

    def deleted(self, state: Any, row: Any) -> Any:
        del row

    def two_at_once(self, row: Any, state: Any) -> Any:
        return max(row, state)


COLUMNS = {"attributes": {"a", "b"}, "nothing": set(), "asked_for": {"a"}}


@pytest.mark.parametrize(("name", "expected"), COLUMNS.items())
def test_columns_that_are_read(name: str, expected: set[str]) -> None:
    assert columns_read(getattr(Methods(), name), 1) == expected


@pytest.mark.parametrize(
    "name",
    sorted({n for n in vars(Methods) if not n.startswith("__")} - {*COLUMNS, "two_at_once", "captured"}),
)
def test_rows_that_are_needed_as_a_whole(name: str) -> None:
    assert columns_read(getattr(Methods(), name), 1) is None


def test_other_parameters() -> None:
    assert columns_read(Methods().two_at_once, 0) is None
    # Before Python 3.12, a comprehension is a separate function.
    assert columns_read(Methods().captured, 1) in (None, {"a"})
    assert columns_read(lambda state, row: row.a, 1) is None
    assert columns_read(print, 1) is None
