"""Resolution of as-of joins."""

from __future__ import annotations

from typing import NoReturn

from ir.call_expressions import Call
from ir.contents import CHANGES, QUERY
from ir.determinism import nondeterministic_call
from ir.errors import ValidationException
from ir.expressions import Expression, FieldReference, ResolvedExpression, ValueLiteral
from ir.functions.comparison import GREATER_THAN, GREATER_THAN_OR_EQUAL, LESS_THAN, LESS_THAN_OR_EQUAL
from ir.messages import TERMS, Term, message
from ir.operations.as_of_join import AsOfJoin
from ir.operations.join import JoinType
from ir.operations.operation import QueryOperation
from ir.resolution.expressions import ExpressionResolver, Scope
from ir.resolution.joins import refuse_shared_names, require_join_condition
from ir.resolution.lookup import FunctionLookup
from ir.resolution.operations import refuse_aggregate, refuse_over, split_alias
from ir.schema import ResolvedSchema
from ir.summaries import Summary

_COMPARISONS = (GREATER_THAN_OR_EQUAL, GREATER_THAN, LESS_THAN_OR_EQUAL, LESS_THAN)
_MATCH = Term("The match condition", "MATCH_CONDITION")
_JOIN_CONDITION = TERMS["JOIN_CONDITION"]
_INVALID = "ASOF_JOIN_MATCH_CONDITION_INVALID_EXPRESSION"


def join_as_of(
    left: QueryOperation,
    right: QueryOperation,
    join_type: JoinType,
    match: Expression,
    predicate: Expression | None,
    lookup: FunctionLookup,
) -> QueryOperation:
    """Return the join of each left row with the right row that is closest to it by a comparison.

    Raises:
        ValidationException: both have a column of the same name, the match condition does not compare a value of the
            left row with one of the right row by ``>=``, ``>``, ``<=`` or ``<``, or Spark does not support it or the
            predicate there.
    """
    refuse_shared_names(left.schema, right.schema)
    resolver = ExpressionResolver(Scope((left.schema, right.schema)), lookup)
    comparison = require_match(resolver.resolve(split_alias(match)[0]))
    condition = None
    if predicate is not None:
        condition = resolver.resolve(split_alias(predicate)[0])
        require_as_of_condition(condition, left.schema, right.schema)
        if isinstance(condition, ValueLiteral) and condition.value is True:
            condition = None
    if (left.contents | right.contents) & CHANGES:
        from ir.resolution.retractions import refuse_retractions_in_join

        refuse_retractions_in_join(left, right, join_type, condition, chooses=True)
    return AsOfJoin(left, right, join_type, condition, comparison)


def require_match(match: ResolvedExpression) -> Call:
    """Return a match condition that Spark supports.

    Raises:
        ValidationException: it is no comparison by ``>=``, ``>``, ``<=`` or ``<``, an operand has columns of both
            sides or both operands have columns of one side, or it contains an aggregate, a window, a subquery or a
            nondeterministic call.
    """
    if not isinstance(match, Call) or match.function not in _COMPARISONS:
        raise ValidationException(
            message(
                "{MATCH} compares a value of the left row with one of the right row by >=, >, <= or <, but was given "
                "{given}. Further conditions belong in {ON}.",
                MATCH=_MATCH,
                given=Summary(match),
                ON=Term("the join predicate", "ON"),
            ),
            condition="ASOF_JOIN_MATCH_CONDITION_INVALID_OPERATOR",
            part=match,
        )
    for operand in match.arguments:
        _require_operand(operand)
    first, second = (_sides_of(operand) for operand in match.arguments)
    if not (first <= {0} and second <= {1}) and (first, second) != ({1}, {0}):
        raise ValidationException(
            message(
                "{MATCH} compares a value of the left row with one of the right row, and {given} has columns of one "
                "side alone, or of both in one operand.",
                MATCH=_MATCH,
                given=Summary(match),
            ),
            condition="ASOF_JOIN_MATCH_CONDITION_TABLE_REFERENCE",
            part=match,
        )
    return match


def require_as_of_condition(condition: ResolvedExpression, left: ResolvedSchema, right: ResolvedSchema) -> None:
    """Reject a condition of an as-of join that Spark does not support.

    Raises:
        ValidationException: a join does not support the condition, or it contains a subquery.
    """
    if condition.contents & QUERY:
        _refuse_subquery(_JOIN_CONDITION, condition)
    require_join_condition(condition, left, right)


def _require_operand(operand: ResolvedExpression) -> None:
    where, clause = _MATCH.python, str(_MATCH.sql)
    refuse_aggregate(operand, where, "Select the aggregate under a name first.", clause, _INVALID)
    refuse_over(operand, where, clause, _INVALID)
    if operand.contents & QUERY:
        _refuse_subquery(_MATCH, operand)
    call = nondeterministic_call(operand)
    if call is not None:
        raise ValidationException(
            message(
                "{MATCH} holds {call}, which has another value each time that it is evaluated. {COMPUTE_FIRST}.",
                MATCH=_MATCH,
                call=Summary(call),
            ),
            condition=_INVALID,
            part=call,
        )


def _refuse_subquery(where: Term, expression: ResolvedExpression) -> NoReturn:
    raise ValidationException(
        message("{where} of an as-of join holds a subquery. {COMPUTE_FIRST}.", where=where),
        condition=_INVALID if where is _MATCH else None,
        part=expression,
    )


def _sides_of(operand: ResolvedExpression) -> set[int]:
    return {part.input_index for part in operand.walk() if isinstance(part, FieldReference)}
