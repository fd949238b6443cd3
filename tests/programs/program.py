"""Test programs as data: every check of the suite runs over all of them.

Adding a program here has it serialised in each dialect (snapshots), typed against Spark's analysed schema, executed
and, where a DataFrame is given, its plan compared with that of the DataFrame.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs

from tableapi import Table
from tests.programs.tables import Frames, Tables


@attrs.frozen
class Program:
    """A query, the rows that it must give, and how a PySpark user would write it.

    Attributes:
        name: the name of its snapshots.
        build: makes the query of the tables.
        rows: the rows, derived by hand; None where they depend on the moment, which ``check`` then looks at.
        ordered: whether their order counts.
        dataframe: the same query with the DataFrame API, where the plans are to be the same.
        no_flink: what the refusal to write FLINK text says, where there is none that means the same.
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
        ValueError: the name is taken.
    """
    if name in PROGRAMS:
        raise ValueError(f"there are two programs named {name!r}")
    PROGRAMS[name] = Program(name, build, rows, ordered, dataframe, no_flink)
