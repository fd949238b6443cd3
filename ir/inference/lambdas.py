"""The strategy for lambdas: what they are called with, of the other arguments of the call, and what they may return."""

from __future__ import annotations

from collections.abc import Callable

import attrs

from ir.expressions import Lambda
from ir.inference.call_context import CallContext
from ir.inference.type_inference import ArgumentTypeStrategy
from ir.types import LogicalType

Parameters = Callable[[CallContext], tuple[LogicalType, ...] | None]


@attrs.frozen(eq=False, repr=False)
class LambdaArgument:
    """A lambda whose result ``result`` accepts, or the value itself that it would return whatever it is called with.

    ``parameters`` gives the types of what the lambda is called with; it is asked in a context that has the arguments
    before the first lambda alone. The lambda may leave out the last ``optional`` of them. ``names`` say what each is.
    """

    parameters: Parameters
    names: tuple[str, ...]
    result: ArgumentTypeStrategy
    optional: int = 0

    def infer_argument(self, context: CallContext, position: int) -> LogicalType | None:
        argument = context.arguments[position]
        if isinstance(argument, Lambda):
            context = context.with_argument(position, argument.body)
        return self.result.infer_argument(context, position)

    def describe_parameters(self) -> str:
        """Return with what the lambda is called, for messages: ``1 or 2 arguments (element, index)``."""
        most = len(self.names)
        least = most - self.optional
        count = f"{least} or {most}" if self.optional else f"{most}"
        return f"{count} argument{'' if most == 1 else 's'} ({', '.join(self.names)})"

    def describe(self) -> str:
        return f"<({', '.join(self.names)}) -> {self.result.describe().strip('<>')}>"
