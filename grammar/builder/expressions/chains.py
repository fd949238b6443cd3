"""Builds chains of operators and of AND and OR: the parser reads them flat, this module groups them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from grammar import syntax as s
from grammar.builder.expressions import calls
from grammar.errors import Misread
from grammar.lexemes import Token
from ir.dialects.operators import FUNCTIONS
from ir.expressions import Expression
from ir.functions import logic as lg
from ir.functions.builtins import BUILT_INS
from ir.unresolved import UnresolvedCall

if TYPE_CHECKING:
    from grammar.builder.expressions.building import BuildsExpressions
from grammar.builder.clause_names import ClauseNames


def operation(
    builder: BuildsExpressions, node: s.Operation, inside: bool, work: list[Any], results: list[Any], names: ClauseNames
) -> None:
    """Schedule the building of a chain of operators."""
    operators = node.operators

    def make(operands: list[Expression]) -> Expression:
        return _group(builder, operands, operators, node.operands)

    operands = node.operands
    if any(type(operand) is s.Row for operand in operands):
        operands = [calls.name_fields_by_position(operand) for operand in operands]
    builder.push(work, make, operands, inside)


def _group(
    builder: BuildsExpressions, operands: list[Expression], operators: list[Token], written: Sequence[Any]
) -> Expression:
    """Group a chain by operator precedence; operators of one level associate to the left."""
    if len(operators) == 1:
        made = _binary(builder, operands[0], operators[0], operands[1])
        builder.places.mark(made, operators[0].position, written)
        return made
    values = [operands[0]]
    waiting: list[Token] = []
    binding = builder.language.operators
    for operator, operand in zip(operators, operands[1:], strict=True):
        level = binding.get(operator.text.upper(), 0)
        while waiting and binding.get(waiting[-1].text.upper(), 0) >= level:
            right = values.pop()
            values[-1] = _binary(builder, values[-1], waiting.pop(), right)
        waiting.append(operator)
        values.append(operand)
    while waiting:
        right = values.pop()
        values[-1] = _binary(builder, values[-1], waiting.pop(), right)
    return values[0]


def _binary(builder: BuildsExpressions, left: Expression, operator: Token, right: Expression) -> Expression:
    symbol = operator.text.upper()
    if symbol not in builder.language.operators:
        raise Misread(
            operator.position,
            f"{builder.language.dialect.name} has no operator {operator.text}." + builder.language.elsewhere,
        )
    name = FUNCTIONS.get(symbol, symbol)
    # An operator always means Spark's function, even if a user-defined function has its name.
    definition = BUILT_INS.find(name)
    if definition is None:
        raise Misread(operator.position, f"Queries have no operator {operator.text}.")
    made = UnresolvedCall(definition, (left, right))
    builder.places.mark(made, operator.position)
    return made


def logical(
    builder: BuildsExpressions, node: s.Logical, inside: bool, work: list[Any], results: list[Any], names: ClauseNames
) -> None:
    """Schedule the building of a chain of AND and OR."""
    connectives = [token.text.upper() for token in node.connectives]

    def make(operands: list[Expression]) -> Expression:
        groups: list[list[Expression]] = [[operands[0]]]
        written: list[list[Any]] = [[node.operands[0]]]
        for connective, operand, part in zip(connectives, operands[1:], node.operands[1:], strict=True):
            if connective == "AND":
                groups[-1].append(operand)
                written[-1].append(part)
            else:
                groups.append([operand])
                written.append([part])
        terms = [
            g[0] if len(g) == 1 else _mark(builder, UnresolvedCall(lg.AND, tuple(g)), w)
            for g, w in zip(groups, written, strict=True)
        ]
        firsts = [w[0] for w in written]
        return terms[0] if len(terms) == 1 else _mark(builder, UnresolvedCall(lg.OR, tuple(terms)), firsts)

    builder.push(work, make, node.operands, inside)


def _mark(builder: BuildsExpressions, made: Expression, operands: Sequence[Any]) -> Expression:
    builder.places.mark(made, operands[0].position, operands)
    return made
