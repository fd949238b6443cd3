"""Details that ``explain`` can add to the tree, the SQL and the plan."""

from __future__ import annotations

from enum import Enum
from typing import Any

from ir.errors import ValidationException

__all__ = ["ExplainDetail"]


class ExplainDetail(Enum):
    """Further details of ``explain``.

    ``ESTIMATED_COST``: Spark's logical plan with its statistics. ``JSON_EXECUTION_PLAN``: Spark's physical plan as
    JSON. ``CHANGELOG_MODE``: the kinds of changes in the result, always insertions in batch. ``PLAN_ADVICE``: Spark's
    plan at every stage: parsed, analysed, optimised and physical.
    """

    ESTIMATED_COST = 0
    CHANGELOG_MODE = 1
    JSON_EXECUTION_PLAN = 2
    PLAN_ADVICE = 3


def check_details(given: tuple[Any, ...]) -> tuple[ExplainDetail, ...]:
    """Return the given details, each once.

    Raises:
        ValidationException: an argument is not an ``ExplainDetail``.
    """
    for detail in given:
        if not isinstance(detail, ExplainDetail):
            raise ValidationException(
                f"explain takes members of ExplainDetail ({', '.join(d.name for d in ExplainDetail)}), but was given "
                f"{detail!r}."
            )
    return tuple(dict.fromkeys(given))
