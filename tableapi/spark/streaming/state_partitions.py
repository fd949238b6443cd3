"""The partitions of the state of a stream: their number is that of the first start of its checkpoint."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ir.errors import TableException
from tableapi.spark.streaming.checkpoints import Checkpoint, local_path
from tableapi.spark.versions import is_connect

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SETTING: Final = "spark.sql.shuffle.partitions"
_NUMBER: Final = re.compile(r"\d+")
_OWN_VARIABLE: Final = "s_"


@contextmanager
def keeping_partitions(session: SparkSession, checkpoint: str | None) -> Iterator[None]:
    """Give a session the number of partitions that a checkpoint has, for a start within the block.

    Spark takes the number for the state from the checkpoint, and the number for the rows that are brought to it from
    the session, as it is when the query starts. Rows would come to partitions that do not have their state.

    Args:
        session: the session that starts a query.
        checkpoint: the checkpoint; one in another file system is not read.
    """
    local = None if checkpoint is None or is_connect(session) else local_path(checkpoint)
    number = None if local is None else read_partitions(local)
    if number is None or str(session.conf.get(SETTING)) == number:
        yield
        return
    before = str(session.conf.get(SETTING))
    session.conf.set(SETTING, number)
    try:
        yield
    finally:
        session.conf.set(SETTING, before)


def read_partitions(checkpoint: Path) -> str | None:
    """Return the number of partitions with which the last batch of a checkpoint began; None without a batch.

    Raises:
        TableException: the log of the batch cannot be read.
    """
    batches = [int(name) for name in Checkpoint.list_names(checkpoint / "offsets") if _NUMBER.fullmatch(name)]
    if not batches:
        return None
    path = checkpoint / "offsets" / str(max(batches))
    try:
        metadata = json.loads(path.read_text(encoding="utf-8").split("\n")[1])
    except (OSError, ValueError, IndexError) as error:
        raise TableException(f"The offsets {path} cannot be read: {error}. Nothing was started.") from None
    number = metadata.get("conf", {}).get(SETTING)
    return None if number is None else str(number)


def require_unmoved_state(checkpoint: Path, ending: str = "") -> None:
    """Check that Spark has not moved the state of calls to another number of partitions.

    What a partition knows of itself, and the parts of large lists and maps, are under keys of their own, which Spark
    moves apart from the keys of the function.

    Args:
        checkpoint: the directory.
        ending: a last sentence for the message.

    Raises:
        TableException: the number of partitions changed.
    """
    state = checkpoint / "state"
    for operator in [name for name in Checkpoint.list_names(state) if _NUMBER.fullmatch(name)]:
        metadata = state / operator / "_metadata" / "v2"
        numbers = {}
        for batch in sorted((n for n in Checkpoint.list_names(metadata) if _NUMBER.fullmatch(n)), key=int):
            text = (metadata / batch).read_text(encoding="utf-8")
            found = json.loads(text[text.index("\n") :])
            properties = json.loads(found.get("operatorPropertiesJson") or "{}")
            names = [str(one["stateName"]) for one in properties.get("stateVariables", ())]
            if any(name.startswith(_OWN_VARIABLE) for name in names):
                numbers[int((found.get("stateStoreInfo") or [{}])[0].get("numPartitions", 0))] = batch
        if len(numbers) > 1:
            before, after = [*numbers][:2]
            raise TableException(
                f"The state in the checkpoint {checkpoint} was moved from {before} to {after} partitions by Spark's "
                "repartition(), which takes apart what a process table function has stored for a partition. Go back "
                "to a copy of the checkpoint from before, and start the query from it with restore_from and another "
                f"{SETTING}.{ending}"
            )
