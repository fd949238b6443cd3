"""UNNEST of Spark, a relation: a row for each element of an array, which stays one column also where it is a row.

Of several arrays, a row has the elements at one place: Spark has no function for that which takes an array that is NULL
for an empty one, so that ARRAYS_ZIP is given an empty one in its place.
"""

from __future__ import annotations

import attrs

from grammar import syntax as s
from grammar.builder.context import other_dialect
from grammar.builder.flink_windows import is_window_function
from grammar.errors import Misread
from ir.expressions import Call, Expression, UnresolvedCall
from ir.functions.arrays import ARRAYS_ZIP
from ir.functions.collection import ARRAY, GET
from ir.functions.logic import COALESCE
from ir.functions.table import EXPLODE, INLINE, UNNEST
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
        Misread: it is of something else than arrays.
    """
    if not isinstance(function, UnresolvedCall) or function.function is not UNNEST:
        return function
    arrays = []
    for argument in function.arguments:
        collection = ExpressionResolver(Scope((input.schema,)), lookup).resolve(argument)
        if not isinstance(collection.data_type, ArrayType):
            given = collection.data_type.as_summary_string()
            raise Misread(node.call.position, f"UNNEST takes an ARRAY, but was given {given}.", _MISMATCH)
        # The fields of what is zipped are called like columns, of which two may share a name.
        is_plain = isinstance(collection, Call) and collection.function is not GET and not collection.data_type.nullable
        arrays.append(argument if is_plain else UnresolvedCall(COALESCE, (argument, UnresolvedCall(ARRAY, ()))))
    if len(arrays) > 1:
        return attrs.evolve(function, function=INLINE, arguments=(UnresolvedCall(ARRAYS_ZIP, tuple(arrays)),))
    return attrs.evolve(function, function=EXPLODE)


def names_of_several(node: s.TableFunction, dialect: Dialect) -> list[str] | None:
    """Return what Spark calls the columns of UNNEST of several arrays, None for all else."""
    count = len(node.call.arguments)
    return [f"col{i}" for i in range(count)] if dialect is Dialect.SPARK and count > 1 and is_unnest(node) else None


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
