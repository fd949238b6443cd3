"""Programs of the operating system that are named by what a catalog stores: whoever can write to it, may run them."""

from __future__ import annotations

from collections.abc import Mapping

from ir.errors import ValidationException
from ir.operations.operation import QueryOperation
from ir.operations.script import Script
from tableapi.environment_settings import ALLOWED_PROGRAMS


def require_allowed_programs(shown: str, query: QueryOperation, configuration: Mapping[str, str]) -> None:
    """Refuse to use what is stored where it has a program run that the configuration does not allow.

    Args:
        shown: what is stored, as messages call it.
        query: what it means.
        configuration: that of the environment.

    Raises:
        ValidationException: it has one run; the message names the program and says how to allow it.
    """
    if configuration.get(ALLOWED_PROGRAMS, "false").strip().lower() == "true":
        return
    for operation in query.walk_with_subqueries():
        if isinstance(operation, Script):
            raise ValidationException(
                f"{shown} is stored with TRANSFORM … USING {operation.command!r}, and to use it is to run that program "
                "of the operating system. If you trust what the catalog holds, allow it with "
                f"env.get_config().set({ALLOWED_PROGRAMS!r}, 'true')."
            )
