"""The strategy for lambda arguments: the types of their parameters, and the accepted types of their results."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from ir import light_attrs as attrs
from ir.expressions import Lambda
from ir.inference.call_context import CallContext
from ir.inference.type_inference import ArgumentTypeStrategy
from ir.types import LogicalType

Parameters = Callable[[CallContext], tuple[LogicalType, ...] | None]


@attrs.frozen(eq=False, repr=False)
class LambdaArgument:
    """Accepts a lambda whose result ``result`` accepts, or a value in place of a lambda that always returns it.

    ``parameters`` returns the types of the lambda's parameters, from a context that has only the arguments before the
    first lambda. The lambda may omit the last ``optional`` parameters. ``names`` name the parameters.
    """

    parameters: Parameters
    names: tuple[str, ...]
    result: ArgumentTypeStrategy
    optional: int = 0

    takes_lambda: ClassVar[bool] = True

    def infer_argument(self, context: CallContext, position: int) -> LogicalType | None:
        argument = context.arguments[position]
        if isinstance(argument, Lambda):
            context = context.with_argument(position, argument.body)
        return self.result.infer_argument(context, position)

    def describe_parameters(self) -> str:
        """Return the expected parameters for messages: ``1 or 2 arguments (element, index)``."""
        most = len(self.names)
        least = most - self.optional
        count = f"{least} or {most}" if self.optional else f"{most}"
        return f"{count} argument{'' if most == 1 else 's'} ({', '.join(self.names)})"

    def describe(self) -> str:
        return f"<({', '.join(self.names)}) -> {self.result.describe().strip('<>')}>"
