"""The job of a result, as PyFlink's ``JobClient``: a handle on queries over streams."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from threading import Thread
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import frozen

from tableapi.advice.copies import NotSent
from tableapi.advice.refusals import add_refusals
from tableapi.lazy import lazy
from tableapi.tracebacks import boundaries
from tableapi.unknown_members import AdvisesOnMembers

if TYPE_CHECKING:
    from concurrent import futures

    from tableapi.spark.streaming.running import RunningStream
else:
    futures = lazy(__name__, "concurrent.futures")

__all__ = ["JobClient", "JobExecutionResult", "JobStatus"]

_T = TypeVar("_T")


class JobStatus(Enum):
    """Whether a job runs, or how it has ended. Spark has those of Flink's states that are members.

    Source: https://nightlies.apache.org/flink/flink-docs-stable/docs/internals/job_scheduling/
    """

    RUNNING = 2
    FAILED = 4
    CANCELLING = 5
    CANCELED = 6
    FINISHED = 7

    def is_terminal_state(self) -> bool:
        """Return whether the job has ended."""
        return self in (JobStatus.FAILED, JobStatus.CANCELED, JobStatus.FINISHED)

    def is_globally_terminal_state(self) -> bool:
        """Return whether the job has ended. Only in Flink, another process may continue one that ended elsewhere."""
        return self.is_terminal_state()


@boundaries
@frozen
class JobExecutionResult:
    """The end of a job without failure.

    Attributes:
        job_id: the identifier of the job.
        net_runtime: how long it ran, in milliseconds.
    """

    job_id: str
    net_runtime: int

    def get_job_id(self) -> str:
        """Return the identifier of the job."""
        return self.job_id

    def get_net_runtime(self) -> int:
        """Return how long the job ran, in milliseconds."""
        return self.net_runtime


@boundaries
@add_refusals
class JobClient(AdvisesOnMembers, NotSent):
    """The job of a result: its query over a stream, or all queries of a statement set.

    Methods that wait return a ``Future`` of the standard library, whose ``result(timeout)`` waits and raises.
    The methods of ``TableResult`` (``wait``, ``stop``, ``progress``) do the same with fewer words.

    Example:
        >>> from tableapi import TableDescriptor, TableEnvironment
        >>> te = TableEnvironment.create()
        >>> te.create_temporary_table("ticks", TableDescriptor.for_connector("rate").build())
        >>> job = te.from_path("ticks").execute_insert(TableDescriptor.for_connector("noop").build()).get_job_client()
        >>> job.get_job_status().result()
        <JobStatus.RUNNING: 2>
        >>> job.cancel().result(60)
        >>> job.get_job_status().result()
        <JobStatus.CANCELED: 6>

    Source: https://nightlies.apache.org/flink/flink-docs-stable/api/python/reference/pyflink.common/job_client.html
    """

    _receiver = "job"
    _instead = "It is a handle on queries of this process. Send get_job_id()."

    def __init__(self, streams: Sequence[RunningStream]) -> None:
        self._streams = tuple(streams)

    def get_job_id(self) -> str:
        """Return the identifier of the query, which its checkpoint keeps over restarts.

        The identifiers of several queries of a statement set are joined by commas.
        """
        return ",".join(stream.id for stream in self._streams)

    def get_job_status(self) -> futures.Future[JobStatus]:
        """Return whether the job runs, or how it has ended; the Future is complete."""
        found: futures.Future[JobStatus] = futures.Future()
        found.set_result(self._status())
        return found

    def _status(self) -> JobStatus:
        if any(stream.exception() is not None for stream in self._streams):
            return JobStatus.FAILED
        is_stopping = any(stream.is_stopping for stream in self._streams)
        if any(stream.is_running for stream in self._streams):
            return JobStatus.CANCELLING if is_stopping else JobStatus.RUNNING
        return JobStatus.CANCELED if is_stopping else JobStatus.FINISHED

    def cancel(self) -> futures.Future[None]:
        """Stop the queries, each after its current batch; a restart continues with the next one.

        Returns:
            A Future that completes when the last query has ended; it raises ``TableException`` if Spark cannot stop it.
        """
        return _run_in_thread("cancel", self._stop)

    def _stop(self) -> None:
        for stream in self._streams:
            stream.stop()

    def get_job_execution_result(self) -> futures.Future[JobExecutionResult]:
        """Wait for the end of the queries.

        Returns:
            A Future that completes when the last query has ended; it raises ``TableException`` if one failed.
        """
        return _run_in_thread("result", self._wait)

    def _wait(self) -> JobExecutionResult:
        for stream in self._streams:
            stream.join()
        seconds = max(stream.seconds for stream in self._streams)
        return JobExecutionResult(self.get_job_id(), round(seconds * 1000))

    def __repr__(self) -> str:
        return f"<job {self.get_job_id()}, {self._status().name}>"


def _run_in_thread(name: str, function: Callable[[], _T]) -> futures.Future[_T]:
    """Run a function in a thread that does not keep the program alive, and return the Future of its result."""
    made: futures.Future[_T] = futures.Future()

    def run() -> None:
        made.set_running_or_notify_cancel()
        try:
            result: Any = function()
        except Exception as error:
            made.set_exception(error)
        else:
            made.set_result(result)

    Thread(target=run, name=f"tableapi job {name}", daemon=True).start()
    return made
