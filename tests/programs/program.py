"""Test programs as data: every check of the suite runs over all of them.

Each program registered here is serialised in each dialect (snapshots), typed against Spark's analysed schema, executed
and, if a DataFrame is given, its plan is compared with the plan of the DataFrame.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs

from tableapi import Table
from tests.programs.tables import Frames, Tables


@attrs.frozen
class Program:
    """A query, its expected rows, and the same query as a PySpark user would write it.

    Attributes:
        name: the name of its snapshots.
        build: builds the query from the tables.
        rows: the rows, derived by hand; None if they depend on the current time, so that ``check`` inspects them.
        ordered: whether the order of the rows counts.
        dataframe: the same query with the DataFrame API, if both plans must be the same.
        no_flink: the expected error message if no FLINK text has the same meaning.
    """

    name: str
    build: Callable[[Tables], Table]
    rows: list[tuple[Any, ...]] | None
    ordered: bool = False
    dataframe: Callable[[Frames], Any] | None = None
    no_flink: str | None = None


PROGRAMS: dict[str, Program] = {}


def program(
    name: str,
    build: Callable[[Tables], Table],
    rows: list[tuple[Any, ...]] | None,
    *,
    ordered: bool = False,
    dataframe: Callable[[Frames], Any] | None = None,
    no_flink: str | None = None,
) -> None:
    """Register a program.

    Raises:
        ValueError: another program has the name.
    """
    if name in PROGRAMS:
        raise ValueError(f"there are two programs named {name!r}")
    PROGRAMS[name] = Program(name, build, rows, ordered, dataframe, no_flink)
