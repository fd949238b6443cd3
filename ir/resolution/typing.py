"""Replace parts of expressions by parts of another type, and infer the types of the enclosing calls again."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence

from ir.call_expressions import Call, Over
from ir.calls import Clauses, call
from ir.expressions import Lambda, LambdaVariable, ResolvedExpression
from ir.inference.usage import ALONE, Usage
from ir.resolution.expected_types import can_expect_type, find_cast_target
from ir.resolution.lambdas import parameter_types
from ir.resolution.windows.over import build_over, usage_over
from ir.rewriting import make_lambda, replace, replace_children
from ir.types import LogicalType

_Types = dict[ResolvedExpression, ResolvedExpression]
_Body = tuple[tuple[LambdaVariable, ...], ResolvedExpression, int]
"""The parameters of a lambda, its body before typing, and the index of the variables that are in scope in it."""


def replace_and_type(
    root: ResolvedExpression, find: Callable[[ResolvedExpression], ResolvedExpression | None]
) -> ResolvedExpression:
    """Replace the topmost parts for which ``find`` returns an expression, and infer the types of all calls above."""
    found: dict[ResolvedExpression, ResolvedExpression] = {}

    def seen(part: ResolvedExpression) -> ResolvedExpression | None:
        made = find(part)
        if made is not None:
            found[part] = made
        return made

    replaced = replace(root, seen)
    if all(part.data_type is made.data_type for part, made in found.items()):
        return replaced
    return _infer_types(replaced, set(found.values()))


def _infer_types(root: ResolvedExpression, stops: Container[ResolvedExpression]) -> ResolvedExpression:
    """Infer the types of all calls in an expression from their arguments, with an explicit stack.

    The body of a lambda follows the other arguments of its call, which determine the types of its parameters.
    """
    done: dict[tuple[ResolvedExpression, int], ResolvedExpression] = {}
    bodies: dict[tuple[ResolvedExpression, int], list[_Body]] = {}
    # The replacements of variables, one mapping for each lambda; the first, outside of all lambdas, is empty.
    variables: list[_Types] = [{}]
    stack = [(root, 0, False)]
    while stack:
        part, scope, ready = stack.pop()
        key = (part, scope)
        if key in done:
            continue
        if part in stops or not part.children:
            done[key] = variables[scope].get(part, part)
        elif not ready:
            stack.append((part, scope, True))
            stack += [(child, scope, False) for child in part.children if not isinstance(child, Lambda)]
        elif key not in bodies and any(isinstance(child, Lambda) for child in part.children):
            arguments = [done.get((child, scope), child) for child in part.children]
            bodies[key] = _bodies(part, arguments, variables, scope)
            stack.append((part, scope, True))
            stack += [(body, inner, False) for _, body, inner in bodies[key]]
        else:
            inside = iter(bodies.get(key, ()))
            children: list[ResolvedExpression] = []
            for child in part.children:
                if isinstance(child, Lambda):
                    parameters, body, inner = next(inside)
                    children.append(make_lambda(parameters, done[body, inner]))
                else:
                    children.append(_infer_under_parent(done[child, scope], part))
            made = replace_children(part, tuple(children))
            # A call whose type depends on the expected type is inferred together with the enclosing call.
            done[key] = made if can_expect_type(made) else _infer_type(made)
    return _infer_under_parent(done[root, 0], None)


def _infer_under_parent(made: ResolvedExpression, around: ResolvedExpression | None) -> ResolvedExpression:
    """Infer the type of a call under its parent if the type depends on the expected type."""
    return _infer_type(made, find_cast_target(around)) if can_expect_type(made) else made


def _bodies(
    part: ResolvedExpression, arguments: Sequence[ResolvedExpression], variables: list[_Types], scope: int
) -> list[_Body]:
    """Return the lambdas among the arguments of a call, with parameter types from the other arguments."""
    written = part.call if isinstance(part, Over) else part
    assert isinstance(written, Call)
    made: list[_Body] = []
    for position, given in enumerate(written.arguments):
        if not isinstance(given, Lambda):
            continue
        types = parameter_types(written.function, len(written.arguments), position, arguments)
        parameters = given.parameters
        if types is not None:
            pairs = zip(parameters, types, strict=False)
            parameters = tuple([LambdaVariable(parameter.name, data_type) for parameter, data_type in pairs])
        variables.append({**variables[scope], **dict(zip(given.parameters, parameters, strict=True))})
        made.append((parameters, given.body, len(variables) - 1))
    return made


def _infer_type(made: ResolvedExpression, expected: LogicalType | None = None) -> ResolvedExpression:
    if isinstance(made, Call):
        return _infer_call(made, expected)
    if isinstance(made, Over):
        usage = usage_over(made.call.function, made.partition_by, made.order_by, made.frame)
        return build_over(_infer_call(made.call, None, usage), made.partition_by, made.order_by, made.frame)
    return made


def _infer_call(made: Call, expected: LogicalType | None, usage: Usage = ALONE) -> ResolvedExpression:
    clauses = Clauses.of(made)._replace(usage=usage, expected_output=expected)
    return call(made.function, made.arguments, clauses)
