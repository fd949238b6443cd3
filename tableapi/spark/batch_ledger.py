"""The table in a database that lists the last batch of each streaming query, so that no batch is written twice."""

from __future__ import annotations

import re
from typing import Any, Final

import attrs

LEDGER: Final = "tableapi_stream_batches"
_LAST_PART: Final = re.compile(r'(?:"(?:[^"]|"")+"|[\w$]+)$')
_IDENTIFIER: Final = re.compile(r"[0-9a-fA-F-]{1,64}")


@attrs.frozen
class Batch:
    """A batch of a streaming query, which may come again after a crash.

    Attributes:
        query: the identifier of the query, which its restarts keep.
        number: the number of the batch.
    """

    query: str
    number: int

    def __attrs_post_init__(self) -> None:
        # The identifier is written into SQL.
        if not _IDENTIFIER.fullmatch(self.query):
            raise ValueError(f"invalid identifier of a query: {self.query!r}")


@attrs.frozen
class BatchLedger:
    """The ledger beside a table. It has one row for each query and target: the number of the last batch."""

    ledger: str
    target: str
    batch: Batch

    @staticmethod
    def of(target: str, batch: Batch) -> BatchLedger:
        """Return the ledger in the schema of a table; ``target`` is the name of the table in SQL."""
        return BatchLedger(_LAST_PART.sub(LEDGER, target), target.replace("'", "''"), batch)

    @property
    def creation(self) -> str:
        """The statement that creates the ledger."""
        return (
            f"CREATE TABLE {self.ledger} (query_id VARCHAR(64) NOT NULL, target VARCHAR(400) NOT NULL, "
            "batch_id BIGINT NOT NULL, PRIMARY KEY (query_id, target))"
        )

    @property
    def question(self) -> str:
        """The query for the number of the last batch."""
        return f"SELECT batch_id FROM {self.ledger} WHERE {self._condition}"

    @property
    def entry(self) -> list[str]:
        """The statements that make the batch the last one; they run in the transaction that writes its rows."""
        return [
            f"DELETE FROM {self.ledger} WHERE {self._condition}",
            f"INSERT INTO {self.ledger} (query_id, target, batch_id) VALUES "
            f"('{self.batch.query}', '{self.target}', {self.batch.number})",
        ]

    @property
    def _condition(self) -> str:
        return f"query_id = '{self.batch.query}' AND target = '{self.target}'"

    def is_written(self, connection: Any) -> bool | None:
        """Whether the batch was written; None if there is no ledger yet."""
        statement = connection.createStatement()
        try:
            rows = statement.executeQuery(self.question)
            found = rows.getLong(1) if rows.next() else -1
            rows.close()
            return bool(found >= self.batch.number)
        except Exception:
            # The next statement reports a connection that is broken.
            return None
        finally:
            statement.close()
            connection.rollback()
