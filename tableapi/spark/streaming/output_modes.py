"""The output mode of a streaming query: the first that both the sink and the query have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ir.errors import ValidationException, listing
from ir.operations.operation import QueryOperation
from ir.streaming.refusals import EVERY_MODE, OutputMode
from ir.streaming.rules import find_refusals, refusals_in
from tableapi.declarations.file_options import capitalize
from tableapi.spark.errors import translate
from tableapi.spark.streaming.sinks import StreamSink
from tableapi.spark.versions import is_connect

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def _name_sink(sink: StreamSink) -> str:
    """Return the sink as the beginning of a sentence; a path of a catalog is spelled as it is."""
    return capitalize(sink.shown) if " " in sink.shown else f"The table {sink.shown}"


def choose_output_mode(frame: DataFrame, query: QueryOperation, sink: StreamSink, given: str | None) -> str:
    """Return the output mode of a query into a sink.

    Args:
        frame: the query as Spark has analysed it.
        query: the query.
        sink: the sink.
        given: the mode that the user chose, or None.

    Raises:
        ValidationException: the sink or the query does not have the chosen mode, or they have none in common.
    """
    if given is not None and given not in sink.modes:
        raise ValidationException(
            f"{_name_sink(sink)} does not accept the output mode {given!r}; it accepts [{listing(sink.modes)}]. "
            + (f"{sink.limit} " if sink.limit else "")
            + "Nothing was started."
        )
    never = next((refusal for refusal in find_refusals(query) if refusal.modes == EVERY_MODE), None)
    if never is not None:
        raise ValidationException(f"{never.as_error()} Nothing was started.")
    reasons: dict[str, str] = {}
    for mode in sink.modes if given is None else (given,):
        reason = _refusal(frame, query, mode)
        if reason is None:
            return mode
        reasons[mode] = reason
    known = [mode.value for mode in OutputMode]
    others = [mode for mode in known if mode not in reasons and _refusal(frame, query, mode) is None]
    first, reason = next(iter(reasons.items()))
    possible = [mode for mode in others if mode in sink.modes]
    if given is not None and possible:
        advice = f" The query runs in the output modes [{listing(possible)}]."
    elif others:
        advice = (
            f" {_name_sink(sink)} accepts [{listing(sink.modes)}], and the query runs in [{listing(others)}]. "
            + (f"{sink.limit} " if sink.limit else "")
            + "Write to another sink, such as a function for each batch: table.for_each_batch(…)."
        )
    else:
        advice = ""
    raise ValidationException(
        f"The query cannot run in the output mode {first!r}: {reason}{advice} Nothing was started."
    )


def _refusal(frame: DataFrame, query: QueryOperation, mode: str) -> str | None:
    """Return the reason why a query cannot run in a mode; None if it can."""
    for refusal in refusals_in(OutputMode(mode), query):
        return str(refusal.as_error())
    return _refusal_of_spark(frame, mode)


def _refusal_of_spark(frame: DataFrame, mode: str) -> str | None:
    """Return Spark's reason why a query cannot run in a mode, which only a classic session tells before the start."""
    if is_connect(frame.sparkSession):
        return None
    session: Any = frame.sparkSession
    spark = session._jvm.org.apache.spark.sql
    known = {"append": "Append", "update": "Update", "complete": "Complete"}
    wanted = getattr(spark.streaming.OutputMode, known[mode])()
    try:
        plan: Any = frame._jdf.queryExecution().analyzed()
        spark.catalyst.analysis.UnsupportedOperationChecker.checkForStreaming(plan, wanted)
    except Exception as error:
        reason = str(translate(error)).partition("\n")[0]
        return reason if reason.endswith(".") else f"{reason}."
    return None
