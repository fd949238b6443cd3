"""Facts about the arguments of a call by which versions of an engine accept or type it differently.

A trait is a string: the number of arguments ("2 arguments"); whether all of them are NOT NULL ("NOT NULL") or some are
not ("nullable"); and, for an argument by its position from 1, the family of its type ("1 DATE"), the nullability of its
elements ("1 of NOT NULL"), the fields of a row ("1 ROW<a INT>"), the digits of a time ("1 TIME(3)"), whether it is a
constant ("2 constant") and the value of a string or Boolean literal ("2 = 'YEAR'"). The files of versions list traits,
so a call is described here in the words that these files use.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ir.expressions import Lambda, ResolvedExpression, SymbolLiteral, TypeLiteral, ValueLiteral
from ir.inference.arguments import is_constant
from ir.operations.operation import TableReference
from ir.types import (
    MICROSECOND_PRECISION,
    ArrayType,
    BooleanType,
    CharacterType,
    LogicalType,
    MapType,
    RowType,
    StringType,
    TimeType,
)

_NOT_VALUES = (SymbolLiteral, TypeLiteral, Lambda, TableReference)


def type_family(data_type: LogicalType) -> str:
    """Return the family of a type: its name without numbers, with the families of the elements of a collection.

    >>> from ir.types import DecimalType, MapType, STRING
    >>> type_family(MapType(STRING, DecimalType(10, 2)))
    'MAP<STRING, DECIMAL>'
    """
    match data_type:
        case ArrayType():
            return f"ARRAY<{type_family(data_type.element)}>"
        case MapType():
            return f"MAP<{type_family(data_type.key)}, {type_family(data_type.value)}>"
        case StringType() if data_type.has_collation:
            return "STRING COLLATE"
        case TimeType() if data_type.precision > MICROSECOND_PRECISION:
            return "TIME of nanoseconds"
        case _:
            return data_type.root


def call_traits(arguments: Sequence[ResolvedExpression]) -> Iterator[str]:
    """Yield the traits of a call with these arguments."""
    yield f"{len(arguments)} arguments"
    values = [argument for argument in arguments if not isinstance(argument, _NOT_VALUES)]
    yield "nullable" if any(argument.data_type.nullable for argument in values) else "NOT NULL"
    for position, argument in enumerate(arguments, 1):
        match argument:
            case SymbolLiteral():
                yield f"{position} = {argument.as_summary_string()}"
            case TypeLiteral():
                yield f"{position} TYPE {type_family(argument.type_)}"
            case Lambda():
                yield f"{position} LAMBDA of {len(argument.parameters)}"
            case TableReference():
                yield f"{position} TABLE"
            case _:
                yield f"{position} {type_family(argument.data_type)}"
                if isinstance(argument.data_type, ArrayType):
                    yield f"{position} of {'nullable' if argument.data_type.element.nullable else 'NOT NULL'}"
                elif isinstance(argument.data_type, RowType):
                    fields = ", ".join(f"{f.name} {type_family(f.data_type)}" for f in argument.data_type.fields)
                    yield f"{position} ROW<{fields}>"
                elif isinstance(argument.data_type, TimeType):
                    yield f"{position} TIME({argument.data_type.precision})"
                if is_constant(argument):
                    yield f"{position} constant"
                if isinstance(argument, ValueLiteral) and isinstance(argument.data_type, (BooleanType, CharacterType)):
                    yield f"{position} = {argument.as_summary_string()}"
