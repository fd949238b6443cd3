"""Which functions of Spark and of Flink exist here: as definitions, in other forms, or rejected with a reason."""

from __future__ import annotations

from pathlib import Path

import attrs

from ir.errors import ValidationException
from ir.functions.builtins import BUILT_INS
from ir.functions.unsupported import REFUSED
from tableapi import Expression, Table, expressions
from tests.programs.tables import environment_without_spark

_FLINK = Path(__file__).with_name("flink_functions.txt")

SPARK_FORMS = {
    "!": "!TRUE",
    "!=": "1 != 2",
    "<<": "1 << 2",
    "<=>": "1 <=> 2",
    "==": "1 == 2",
    ">>": "1 >> 2",
    ">>>": "1 >>> 2",
    "case": "CASE WHEN TRUE THEN 1 END",
    "isnotnull": "ISNOTNULL(1)",
    "isnull": "ISNULL(1)",
    "mod": "MOD(5, 2)",
    "struct": "STRUCT(1)",
    "try_element_at": "TRY_ELEMENT_AT(ARRAY(1), 1)",
    "||": "'a' || 'b'",
}
"""Spark functions whose calls become calls of another definition, each with such a call."""

FLINK_FORMS: dict[str, object] = {
    "FROM_CHANGELOG": Table.from_changelog,
    "TO_CHANGELOG": Table.to_changelog,
    "as": Expression.alias,
    "asc": Expression.asc,
    "ASSIGNMENT": Expression.as_argument,
    "desc": Expression.desc,
    "distinct": Expression.distinct,
    "end": Expression.end,
    "over": Expression.over,
    "rangeTo": expressions.range_,
    "rowtime": Expression.rowtime,
    "start": Expression.start,
    "withColumns": expressions.with_columns,
    "withoutColumns": expressions.without_columns,
}
"""Flink functions that are no calls here, each with what replaces them."""

PLANNER = frozenset(
    [
        "AGG_DECIMAL_MINUS",
        "AGG_DECIMAL_PLUS",
        "HIVE_AGG_DECIMAL_PLUS",
        "DEFAULT",
        "reinterpretCast",
        "streamRecordTimestamp",
    ]
)
"""Flink functions that only its planner calls, like those that Flink marks as internal."""


@attrs.define
class Coverage:
    """The functions of one system, by how this library supports them."""

    definitions: list[str] = attrs.field(factory=list)
    forms: list[str] = attrs.field(factory=list)
    refused: list[str] = attrs.field(factory=list)
    internal: list[str] = attrs.field(factory=list)
    missing: list[str] = attrs.field(factory=list)

    def describe(self, whose: str) -> str:
        """Return a sentence with the counts and the names of the missing functions."""
        here = len(self.definitions) + len(self.forms)
        counts = [f"{here} are here", f"{len(self.refused)} are refused with the reason"]
        if self.internal:
            counts.append(f"{len(self.internal)} are the planner's own")
        every = here + len(self.refused) + len(self.internal) + len(self.missing)
        counts.append(f"{len(self.missing)} are not: {' '.join(self.missing)}" if self.missing else "none is missing")
        return f"{whose}: {every} functions, {', '.join(counts)}"


def of_spark(names: list[str]) -> Coverage:
    """Classify the Spark functions with these names."""
    found = Coverage()
    env = environment_without_spark()
    for name in names:
        if BUILT_INS.find_in_sql(name) is not None:
            found.definitions.append(name)
        elif name.lower() in REFUSED:
            found.refused.append(name)
        else:
            try:
                env.sql_query(f"SELECT {SPARK_FORMS[name]}")
                found.forms.append(name)
            except (KeyError, ValidationException):
                found.missing.append(name)
    return found


def of_flink() -> Coverage:
    """Classify Flink's functions."""
    found = Coverage()
    lines = _FLINK.read_text(encoding="utf-8").splitlines()
    for kind, name, sql_name in [line.split("\t") for line in lines if not line.startswith("#")]:
        if kind == "internal" or name in PLANNER:
            found.internal.append(name)
        elif {name.lower(), sql_name.lower()} & REFUSED.keys():
            found.refused.append(name)
        elif name in FLINK_FORMS:
            found.forms.append(name)
        elif BUILT_INS.find(name) is not None or BUILT_INS.find_in_sql(sql_name) is not None:
            found.definitions.append(name)
        else:
            found.missing.append(name)
    return found
