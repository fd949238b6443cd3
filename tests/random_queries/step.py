"""The parts of a random query: bases, and steps that transform a table and a DataFrame in the same way."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import attrs
from hypothesis import strategies as st
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as f

from ir.casts import is_orderable
from ir.identifiers import fold, quote
from ir.schema import ResolvedSchema
from tableapi import Table
from tableapi.expressions import col
from tests.programs.tables import Frames, Tables
from tests.random_queries.expressions import SORTABLE, Draw, Pair, names_of

T = TypeVar("T")

_ELEMENTS = [(1, "a", 2.5), (2, "", -1.0), (2, "Berlin", None)]


@attrs.frozen
class Base:
    """The start of a query."""

    ours: Callable[[Tables], Table]
    theirs: Callable[[Frames], DataFrame]


def _table(name: str) -> Base:
    return Base(lambda tables: getattr(tables, name), lambda frames: getattr(frames, name))


BASES = {
    name: _table(name)
    for name in ("customers", "orders", "lines", "products", "events", "left_bag", "right_bag", "nothing")
}
# Columns of many types, with values so small that no arithmetic over a few steps overflows.
BASES["readings"] = Base(
    lambda tables: tables.readings.filter(col("n").in_(1, 4)), lambda frames: frames.readings.filter("n IN (1, 4)")
)
BASES["elements"] = Base(
    lambda tables: tables.env.from_elements(_ELEMENTS, ["n", "text", "ratio"]),
    lambda frames: frames.session.createDataFrame(_ELEMENTS, "n BIGINT, text STRING, ratio DOUBLE"),
)


@attrs.frozen
class Step:
    """One step, with a description for failing examples."""

    text: str
    ours: Callable[[Table, Tables], Table]
    theirs: Callable[[DataFrame, Frames], DataFrame]

    def __repr__(self) -> str:
        return self.text


class Names:
    """New names, many of them hostile, and some of them similar to each other."""

    _POOL = (
        "c",
        "a b",
        "a  b",
        " a b",
        "a.b",
        "a`b",
        "a``b",
        "`a`",
        "ab",
        "select",
        "Ünï",
        "_c0",
        "_c1",
        "EXPR$0",
        "EXPR$1",
        "window",
        "start",
        "values",
        "key",
        "hinted",
        "r$f",
        "${x}",
        "it's",
        "a\\b",
    )

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def take(self, names: tuple[str, ...]) -> None:
        """Mark names as taken."""
        self._taken |= set(map(fold, names))

    def new(self, draw: Draw) -> str:
        """Return a name that no column of the query has or had."""
        name = wanted = draw(st.sampled_from(self._POOL))
        while fold(name) in self._taken:
            name = f"{wanted}{len(self._taken)}"
        self._taken.add(fold(name))
        return str(name)


@attrs.frozen
class Situation:
    """The input for the choice of a step: the current columns, the used names, and the other tables."""

    draw: Draw
    schema: ResolvedSchema
    names: Names
    tables: Tables

    def one(self, choices: list[T] | tuple[T, ...]) -> T:
        """Choose one of the choices."""
        return self.draw(st.sampled_from(choices))  # type: ignore[no-any-return]  # of what is drawn no type is known

    def some(self, choices: list[T] | tuple[T, ...], least: int, most: int) -> list[T]:
        """Choose several distinct choices."""
        return self.draw(  # type: ignore[no-any-return]  # of what is drawn no type is known
            st.lists(st.sampled_from(choices), min_size=least, max_size=most, unique=True)
        )

    def flag(self) -> bool:
        """Choose yes or no."""
        return bool(self.draw(st.booleans()))

    def new_name(self) -> str:
        """Choose a name for a column."""
        return self.names.new(self.draw)

    @property
    def sortable(self) -> list[str]:
        """The columns with simple, sortable types."""
        return names_of(self.schema, SORTABLE)

    @property
    def is_comparable(self) -> bool:
        """Whether whole rows can be compared."""
        return all(is_orderable(column.data_type) for column in self.schema.columns)


def c(name: str) -> Column:
    """Return a column of a DataFrame by its exact name."""
    return f.col(quote(name))


def fluent(made: list[tuple[str, Pair]]) -> list[object]:
    """Return expressions of this library under their names."""
    return [pair.ours.alias(name) for name, pair in made]


def native(made: list[tuple[str, Pair]]) -> list[Column]:
    """Return columns of PySpark under their names."""
    return [pair.theirs.alias(name) for name, pair in made]


@attrs.frozen
class Other:
    """Another table, with new names for all of its columns."""

    text: str
    schema: ResolvedSchema
    ours: Callable[[Tables], Table]
    theirs: Callable[[Frames], DataFrame]
    hidden: tuple[str, ...]
    """The old names of its columns: a DataFrame prefers a hidden column to a column of the outer query."""


def another(at: Situation) -> Other:
    """Choose another table."""
    name = at.one(list(BASES))
    base = BASES[name]
    hidden = base.ours(at.tables).get_resolved_schema().names
    new = [at.new_name() for _ in hidden]
    return Other(
        name,
        base.ours(at.tables).alias(*new).get_resolved_schema(),
        lambda tables: base.ours(tables).alias(*new),
        lambda frames: base.theirs(frames).toDF(*new),
        hidden,
    )
