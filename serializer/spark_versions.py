"""The notations of older versions of Spark and of other engines, each made from that of the newest Spark."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial
from typing import TYPE_CHECKING, Any, NoReturn

from ir import light_attrs as attrs
from ir.errors import TableException
from ir.targets.shadowing import SHADOWED_INDEX, find_shadowed_index
from ir.types import BigIntType, IntType, SmallIntType, TinyIntType
from serializer.literals import SPARK_LITERALS, cast_text
from serializer.spark_notation import SPARK

if TYPE_CHECKING:
    from ir.expressions import ResolvedExpression
    from ir.targets.target import Target
    from ir.types import LogicalType
    from serializer.notation import Notation


@cache
def notation_for(target: Target) -> Notation:
    """Return how SQL is written for a target."""
    changes: dict[str, Any] = {}
    if target.lacks_feature("ORDER BY of an aggregate after HAVING"):
        changes["sorts_groups_of_having"] = False
    if target.lacks_feature("ORDER BY of a key of ROLLUP that is not selected"):
        changes["sorts_by_hidden_keys"] = False
    if target.lacks_feature("qualified built-in function"):
        changes["qualify_hidden"] = partial(_refuse_hidden, target)
    if target.lacks_feature("literal: the least integers"):
        changes["literal_writers"] = SPARK_LITERALS | dict.fromkeys(_LEAST, _cast_least)
    if target.lacks_feature("PIVOT of a query"):
        changes["puts_pivot_column_in_brackets"] = True
    if target.lacks_feature(SHADOWED_INDEX):
        changes["check_columns"] = partial(_refuse_shadowed_index, target)
    return attrs.evolve(SPARK, **changes) if changes else SPARK


_LEAST: dict[type[LogicalType], int] = {
    TinyIntType: -(2**7),
    SmallIntType: -(2**15),
    IntType: -(2**31),
    BigIntType: -(2**63),
}


def _cast_least(value: object, data_type: LogicalType, notation: Notation) -> str:
    """Write an integer; the least of a type is cast, because its digits alone are out of range."""
    if value == _LEAST[type(data_type)]:
        return cast_text(str(value), data_type, notation)
    return SPARK_LITERALS[type(data_type)](value, data_type, notation)


def _refuse_hidden(target: Target, name: str) -> NoReturn:
    raise TableException(
        f"The built-in function {name} cannot be called in {target.title}, because a temporary function has its name. "
        "Register that function under another name."
    )


def _refuse_shadowed_index(target: Target, columns: Sequence[ResolvedExpression], names: Sequence[str]) -> None:
    """Refuse an index that would read a column of the same SELECT instead of a column of its input."""
    found = find_shadowed_index(columns, names)
    if found is not None:
        column, index = (part.as_summary_string() for part in found)
        raise TableException(
            f"An index in {column} reads the column {index} that SELECT makes before it, and not that of its input, "
            f"because the target is {target.title}. Give the column before it another name."
        )
