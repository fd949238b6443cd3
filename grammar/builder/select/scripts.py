"""Reads SELECT TRANSFORM: the input and output of a script."""

from __future__ import annotations

from grammar import syntax as s
from grammar.errors import Misread
from grammar.language import Form, Language
from ir.cast_rules import written_type
from ir.identifiers import fold
from ir.types import STRING, LogicalType, RowField

_SYNTAX = "PARSE_SYNTAX_ERROR"


def select_script_input(node: s.Select, language: Language) -> s.Select:
    """Return the SELECT that computes the input rows of a script.

    Raises:
        Misread: the SELECT list is not TRANSFORM (…) with plain values.
    """
    assert node.script is not None
    language.refuse(Form.TRANSFORM, node.script.position)
    call = node.items[0]
    if (
        len(node.items) > 1
        or type(call) is not s.Call
        or [fold(name.text) for name in call.function.names] != ["transform"]
        or not call.arguments
        or node.hints
    ):
        message = "USING and a program follow SELECT TRANSFORM (…), with what is given to the program."
        raise Misread(node.script.position, message, _SYNTAX)
    if call.quantifier is not None or node.quantifier is not None:
        message = "TRANSFORM takes neither DISTINCT nor ALL; select the rows in a query below."
        raise Misread(call.position, message, "UNSUPPORTED_FEATURE.TRANSFORM_DISTINCT_ALL")
    for argument in call.arguments:
        if isinstance(argument, (s.Aliased, s.NamedArgument, s.Typed, s.Lambda)):
            raise Misread(argument.position, "TRANSFORM (…) USING takes values, and no names for them.", _SYNTAX)
    return s.Select(node.position, [], None, call.arguments, node.clauses)


def read_script_columns(written: s.Script) -> tuple[list[str], tuple[LogicalType, ...]]:
    """Return the names and types of a script's output columns; the type is STRING unless types are written.

    Raises:
        Misread: only some of the columns have types.
    """
    typed = [column for column in written.columns if isinstance(column, RowField)]
    if typed and len(typed) < len(written.columns):
        raise Misread(written.position, "The columns that a program gives have types, or all have none.", _SYNTAX)
    names = [column.name if isinstance(column, RowField) else column.text for column in written.columns]
    return names, tuple([written_type(column.data_type.as_nullable()) for column in typed] or [STRING] * len(names))
