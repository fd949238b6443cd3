"""Functions with several signatures, of which the types of the arguments choose one."""

from __future__ import annotations

import attrs

from ir import types as t
from ir.inference.call_context import CallContext
from ir.inference.inputs import AnyOf
from ir.types import LogicalType

_WHOLE = (t.TinyIntType, t.SmallIntType, t.IntType, t.BigIntType)
# How far a cast leads away: from the nearest signature to one that takes the value as something else, or in part.
_NO_CAST, _WIDER, _OTHER_NUMBER, _OTHER_KIND = 0, 1, 3, 9


@attrs.frozen(eq=False, repr=False)
class Overloaded(AnyOf):
    """The one of several signatures whose arguments need the least casts; the first, where several are as near."""

    def infer_inputs(self, context: CallContext) -> tuple[LogicalType, ...] | None:
        found = self.choice(context)
        return None if found is None else self.options[found].infer_inputs(context)

    def choice(self, context: CallContext) -> int | None:
        """Return the position of the signature that a call has, None where it has none.

        With its arguments cast to the types of that signature, a call has the same one.
        """
        nearest: tuple[int, int] | None = None
        for position, option in enumerate(self.options):
            accepted = option.infer_inputs(context) if option.accepts_count(len(context)) else None
            if accepted is None:
                continue
            distance = sum(map(_distance, context.argument_types, accepted))
            if nearest is None or distance < nearest[0]:
                nearest = distance, position
        return None if nearest is None else nearest[1]


def _distance(given: LogicalType, accepted: LogicalType) -> int:
    if isinstance(given, t.NullType) or given.same_type(accepted):
        return _NO_CAST
    if isinstance(given, _WHOLE) and isinstance(accepted, _WHOLE):
        return _WIDER
    both = isinstance(given, t.NumericType) and isinstance(accepted, t.NumericType)
    # As a whole number, any other has no fraction any more.
    return _OTHER_NUMBER if both and not isinstance(accepted, _WHOLE) else _OTHER_KIND
