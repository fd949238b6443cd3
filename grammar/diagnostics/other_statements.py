"""Advises on forms of statements about tables that other databases have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from grammar.diagnostics.repairs import Repair
from grammar.lexemes import Lexeme

_UPSERT = (
    "Write MERGE INTO t USING (SELECT …) AS s ON t.id = s.id WHEN MATCHED THEN UPDATE SET a = s.a WHEN NOT MATCHED "
    "THEN INSERT *."
)
_UPDATE = "Write MERGE INTO t USING s ON t.id = s.id WHEN MATCHED THEN UPDATE SET a = s.a."
_DELETE = (
    "Write MERGE INTO t USING s ON t.id = s.id WHEN MATCHED THEN DELETE, or DELETE FROM t WHERE EXISTS (SELECT …)."
)
_ROWS = "Name the rows in WHERE: the rows of a table have no order."
_COUNTS = "Leave it out: the result is the number of rows. Query the rows before or after the statement."
_IDENTITY = "Write GENERATED ALWAYS AS IDENTITY, for a column of type BIGINT in a format such as Delta Lake."
_INDEX = "Leave it out: tables have no indexes. PARTITIONED BY and CLUSTER BY arrange the files."
_TYPE = "Write ALTER COLUMN a TYPE BIGINT, or Flink's MODIFY a BIGINT."
# Advice by the first word of a statement and by words in it; … is any word. Earlier entries win.
_FORMS: Final[Mapping[str, Mapping[str, str]]] = {
    "INSERT": {
        "ON CONFLICT": _UPSERT,
        "ON DUPLICATE KEY": _UPSERT,
        "INSERT OR": _UPSERT,
        "INSERT IGNORE": _UPSERT,
        "RETURNING": _COUNTS,
        "SET … =": "Write INSERT INTO t (a, b) VALUES (1, 2).",
    },
    "UPSERT": {"UPSERT INTO": _UPSERT},
    "REPLACE": {"REPLACE INTO": _UPSERT},
    "UPDATE": {
        "FROM": _UPDATE,
        "JOIN": _UPDATE,
        "INNER JOIN": _UPDATE,
        "SET (": "Assign each column: SET a = 1, b = 2.",
        "RETURNING": _COUNTS,
        **dict.fromkeys(("LIMIT", "ORDER BY"), _ROWS),
        "UPDATE … ,": _UPDATE,
    },
    "DELETE": {
        "DELETE *": "Write DELETE FROM t: whole rows are deleted.",
        "DELETE … FROM": _DELETE,
        "USING": _DELETE,
        "JOIN": _DELETE,
        "RETURNING": _COUNTS,
        **dict.fromkeys(("LIMIT", "ORDER BY"), _ROWS),
        **dict.fromkeys(("FROM … ,", "FROM … … ,"), _DELETE),
    },
    "TRUNCATE": {"TRUNCATE …": "Write TRUNCATE TABLE t."},
    "DROP": {"CASCADE": "Leave it out: a table is dropped alone, and views of it stay."},
    "RENAME": {"RENAME TABLE": "Write ALTER TABLE a RENAME TO b."},
    "CREATE": {
        **dict.fromkeys(("AUTO_INCREMENT", "AUTOINCREMENT"), _IDENTITY),
        "SKEWED BY": "Leave it out: Spark creates no skewed tables.",
        "ENGINE": "Write USING and a format, such as USING delta or USING parquet.",
        **dict.fromkeys(("INDEX (", "KEY (", "INDEX … ("), _INDEX),
    },
    "ALTER": {
        **dict.fromkeys(("MODIFY COLUMN … …", "SET DATA"), _TYPE),
    },
}

OTHER_VERBS: Final = ("RENAME", "REPLACE", "TRUNCATE", "UPSERT")
"""The first words of statements that have such forms, and none or one of Spark's."""


def find_other_statement(lexemes: Sequence[Lexeme], failed: int, expected: set[str]) -> Repair | None:
    """Return the advice for a foreign form of a statement at which parsing failed, None if it is unknown."""
    words = [lexeme.upper for lexeme in lexemes]
    verb = words[0] if words else ""
    if verb != "CREATE" and words[:failed].count("(") > words[:failed].count(")"):
        # The mistake is in an expression or a subquery.
        return None
    for form, advice in _FORMS.get(verb, {}).items():
        pattern = form.split()
        for first in range(max(0, failed - len(pattern) + 1), failed + 1):
            found = words[first : first + len(pattern)]
            if len(found) == len(pattern) and all(map(_fits, found, pattern)):
                last = lexemes[first + len(pattern) - 1]
                position = lexemes[first].position
                return Repair(position, last.position + len(last.text) - position, advice)
    return None


def _fits(word: str, wanted: str) -> bool:
    return wanted in (word, "…")
