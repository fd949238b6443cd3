"""UNNEST of Spark, a relation: a row for each element of an array, which stays one column also where it is a row."""

from __future__ import annotations

import attrs

from grammar import syntax as s
from grammar.builder.context import other_dialect
from grammar.builder.flink_windows import is_window_function
from grammar.errors import Misread
from ir.expressions import Expression, UnresolvedCall
from ir.functions.table import EXPLODE, UNNEST
from ir.identifiers import fold
from ir.operations.operation import QueryOperation
from ir.rendering import Dialect
from ir.resolution.expressions import ExpressionResolver, Scope
from ir.resolution.lookup import FunctionLookup
from ir.types import ArrayType

_MISMATCH = "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE"


def is_unnest(node: s.TableFunction) -> bool:
    """Whether a relation is UNNEST (…), which is a word of the syntax and no function."""
    names = node.call.function.names
    return len(names) == 1 and fold(names[0].text) == "unnest"


def unnested(function: Expression, input: QueryOperation, lookup: FunctionLookup, node: s.TableFunction) -> Expression:
    """Return UNNEST as the function that Spark has for it, and any other call as it is.

    Raises:
        Misread: it is of several collections, or of something else than an array.
    """
    if not isinstance(function, UnresolvedCall) or function.function is not UNNEST:
        return function
    if len(function.arguments) > 1:
        message = "UNNEST takes one array here. Of several, write INLINE(ARRAYS_ZIP(…)), where none of them is NULL."
        raise Misread(node.position, message)
    for argument in function.arguments:
        collection = ExpressionResolver(Scope((input.schema,)), lookup).resolve(argument)
        if not isinstance(collection.data_type, ArrayType):
            given = collection.data_type.as_summary_string()
            raise Misread(node.call.position, f"UNNEST takes an ARRAY, but was given {given}.", _MISMATCH)
    return attrs.evolve(function, function=EXPLODE)


def require_flink(node: s.TableFunction, dialect: Dialect) -> None:
    """Refuse TABLE(f(…)) and WITH ORDINALITY in the dialect that does not have them.

    Raises:
        Misread: so it is.
    """
    if node.ordinality is not None and dialect is Dialect.SPARK and not is_unnest(node):
        message = "WITH ORDINALITY follows UNNEST (…); POSEXPLODE gives elements with their positions."
        raise Misread(node.ordinality, message, "PARSE_SYNTAX_ERROR")
    if node.word is not None and dialect is Dialect.SPARK and not is_window_function(node.call):
        name = node.call.function.names[-1].text
        message = f"TABLE({name}(…)) is of FLINK; in SPARK write {name}(…) itself after FROM or LATERAL."
        raise Misread(node.word, message + other_dialect(dialect), "UNRESOLVABLE_TABLE_VALUED_FUNCTION")
