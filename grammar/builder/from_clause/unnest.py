"""Builds Spark's UNNEST in FROM, which makes a row from each element of an array.

An element stays one column, even if it is a row. UNNEST of several arrays pairs their elements by position with
ARRAYS_ZIP. A NULL array counts as empty, so that it is replaced with an empty array first.
"""

from __future__ import annotations

from grammar import syntax as s
from grammar.builder.from_clause.window_functions import is_window_function
from grammar.errors import Misread
from grammar.language import Form, Language
from ir import light_attrs as attrs
from ir.call_expressions import Call
from ir.expressions import Expression
from ir.functions.collection import ARRAY, GET
from ir.functions.logic import COALESCE
from ir.functions.table import EXPLODE, INLINE, UNNEST
from ir.identifiers import fold
from ir.operations.operation import QueryOperation
from ir.resolution.expressions import ExpressionResolver, Scope
from ir.resolution.lookup import FunctionLookup
from ir.types import ArrayType
from ir.unresolved import UnresolvedCall

_MISMATCH = "DATATYPE_MISMATCH.UNEXPECTED_INPUT_TYPE"


def is_unnest(node: s.TableFunction) -> bool:
    """Whether a relation is UNNEST (…), which is a keyword and not a function."""
    names = node.call.function.names
    return len(names) == 1 and fold(names[0].text) == "unnest"


def build_unnest(
    function: Expression, input: QueryOperation, lookup: FunctionLookup, node: s.TableFunction
) -> Expression:
    """Build UNNEST as EXPLODE or INLINE; return other calls unchanged.

    Raises:
        Misread: an argument is not an array.
    """
    if not isinstance(function, UnresolvedCall) or function.function is not UNNEST:
        return function
    arrays = []
    for argument in function.arguments:
        collection = ExpressionResolver(Scope((input.schema,)), lookup).resolve(argument)
        if not isinstance(collection.data_type, ArrayType):
            given = collection.data_type.as_summary_string()
            raise Misread(node.call.position, f"UNNEST takes an ARRAY, but was given {given}.", _MISMATCH)
        # ARRAYS_ZIP names its fields after columns, and two columns may share a name; COALESCE hides the names.
        is_plain = isinstance(collection, Call) and collection.function is not GET and not collection.data_type.nullable
        arrays.append(argument if is_plain else UnresolvedCall(COALESCE, (argument, UnresolvedCall(ARRAY, ()))))
    if len(arrays) > 1:
        from ir.functions.arrays import ARRAYS_ZIP

        return attrs.evolve(function, function=INLINE, arguments=(UnresolvedCall(ARRAYS_ZIP, tuple(arrays)),))
    return attrs.evolve(function, function=EXPLODE)


def name_unnested_columns(node: s.TableFunction, language: Language) -> list[str] | None:
    """Return Spark's column names for UNNEST of several arrays, None for any other relation."""
    count = len(node.call.arguments)
    has_names = language.from_clause.unnest_pairs and count > 1 and is_unnest(node)
    return [f"col{i}" for i in range(count)] if has_names else None


def require_plain(node: s.TableFunction, language: Language) -> None:
    """Reject TABLE(f(…)) and WITH ORDINALITY where the dialect does not support them.

    Raises:
        Misread: the relation has one of the two.
    """
    if node.ordinality is not None and not is_unnest(node):
        language.refuse(Form.ORDINALITY_OF_FUNCTION, node.ordinality)
    if node.word is not None and not is_window_function(node.call):
        language.refuse(Form.TABLE_OF_FUNCTION, node.word, name=node.call.function.names[-1].text)
