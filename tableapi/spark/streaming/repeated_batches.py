"""Notice a batch that comes again after a crash with other rows than the first time.

The offsets of a batch are fixed before it runs, so that other rows come from a function that is not deterministic, or
from a changed file. A sink that has the batch keeps the rows of the first run, while the state becomes that of the
second one. A digest of the rows of the last batch, beside the checkpoint's record, tells the two apart.
"""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ir.identifiers import quote
from tableapi.spark.batch_ledger import Batch
from tableapi.spark.errors import readable_errors
from tableapi.spark.streaming.rows_of_batches import rows_in_session

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

DIGEST: Final = "tableapi.rows.json"
# Types of which Spark computes no hash.
_UNHASHED: Final = ("map<", "variant", "geometry", "geography")


def notice_other_rows(
    session: SparkSession, write: Callable[[Any, Batch], None], checkpoint: Path, name: str
) -> Callable[[Any, Batch], None]:
    """Return a function that writes a batch, and warns if it has other rows than when it came first.

    Args:
        session: the session in which batches are written.
        write: the function that writes a batch.
        checkpoint: the checkpoint of the query.
        name: the name of the query.
    """
    file = checkpoint / DIGEST

    def write_noticed(frame: DataFrame, batch: Batch) -> None:
        rows = rows_in_session(frame, session)
        rows.persist()
        try:
            with readable_errors("Computing the rows of a batch"):
                found = {"batch": batch.number, **_digest(rows)}
            _compare(_read(file), found, name)
            _store(file, found)
            write(rows, batch)
        finally:
            rows.unpersist()

    return write_noticed


def _digest(frame: DataFrame) -> dict[str, Any]:
    """Return the number of rows, and a digest that does not depend on their order."""
    fields = frame.schema.fields
    hashed = [quote(f.name) for f in fields if not any(kind in f.dataType.simpleString() for kind in _UNHASHED)]
    row = frame.selectExpr("COUNT(*)", f"SUM(CAST(XXHASH64({', '.join(hashed) or '1'}) AS DECIMAL(38, 0)))").head()
    assert row is not None
    return {"rows": int(row[0]), "digest": str(row[1])}


def _read(file: Path) -> dict[str, Any]:
    """Return the digest of the last batch; an empty one if there is none, or if a crash has cut it off."""
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _store(file: Path, digest: dict[str, Any]) -> None:
    new = file.with_suffix(".new")
    new.write_text(json.dumps(digest), encoding="utf-8")
    os.replace(new, file)


def _compare(first: dict[str, Any], found: dict[str, Any], name: str) -> None:
    """Warn if a batch came before with other rows."""
    if first.get("batch") != found["batch"] or first == found:
        return
    change = "other values" if first.get("rows") == found["rows"] else f"{found['rows']} rows, not {first.get('rows')}"
    warnings.warn(
        f"The query {name} repeats batch {found['batch']} after a crash, and gets {change} for the same input. A "
        "function is not deterministic: it reads a clock, random numbers, another system or its own attributes; or its "
        "code or a file has changed. A sink that has the batch keeps the rows of the first run, while the state is now "
        "that of the second. Take the time from current_time(), and what is random from the rows.",
        RuntimeWarning,
        stacklevel=2,
    )
