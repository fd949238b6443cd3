"""The kinds of rows of a changelog, as Flink's TO_CHANGELOG names them."""

from ir.light_typing import Final

INSERT: Final = "INSERT"
UPDATE_BEFORE: Final = "UPDATE_BEFORE"
DELETE: Final = "DELETE"
KINDS: Final = (INSERT, UPDATE_BEFORE, "UPDATE_AFTER", DELETE)
"""All kinds, in Flink's order."""

UNKNOWN_CODE: Final = "No kind of change belongs to the code "
"""How the error of a row begins whose code has no kind."""
