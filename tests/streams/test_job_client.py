"""The job of a result: states, cancelling and the end, over queries that only pretend to run."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from tableapi import JobStatus, TableEnvironment, TableException
from tableapi.job_client import JobClient


class Query:
    """A query that runs until it is told how it ends."""

    def __init__(self, name: str) -> None:
        self.id = name
        self.seconds = 1.5
        self.is_stopping = False
        self.ended = threading.Event()
        self.failure: TableException | None = None

    @property
    def is_running(self) -> bool:
        """Whether it has not ended."""
        return not self.ended.is_set()

    def exception(self) -> TableException | None:
        """Return why it failed."""
        return self.failure

    def stop(self) -> None:
        """Wait for the end, as a query whose batch takes long."""
        self.is_stopping = True
        assert self.ended.wait(60)

    def join(self) -> None:
        """Wait for the end, and raise why it failed."""
        assert self.ended.wait(60)
        if self.failure is not None:
            raise self.failure


def _job(*queries: Query) -> JobClient:
    streams: Any = queries
    return JobClient(streams)


def _status(job: JobClient) -> JobStatus:
    return job.get_job_status().result(0)


def test_the_states_of_a_query() -> None:
    query = Query("a")
    job = _job(query)
    assert job.get_job_id() == "a"
    assert _status(job) is JobStatus.RUNNING
    assert not _status(job).is_terminal_state()
    result = job.get_job_execution_result()
    assert not result.done()
    cancelled = job.cancel()
    while not query.is_stopping:
        pass
    assert _status(job) is JobStatus.CANCELLING
    assert not cancelled.done()
    query.ended.set()
    assert cancelled.result(60) is None
    assert _status(job) is JobStatus.CANCELED
    assert _status(job).is_globally_terminal_state()
    assert (result.result(60).get_job_id(), result.result(60).get_net_runtime()) == ("a", 1500)
    assert repr(job) == "<job a, CANCELED>"


def test_a_statement_set_is_one_job() -> None:
    first, second = Query("a"), Query("b")
    job = _job(first, second)
    assert job.get_job_id() == "a,b"
    first.ended.set()
    assert _status(job) is JobStatus.RUNNING
    second.failure = TableException("The function f failed.")
    second.ended.set()
    assert _status(job) is JobStatus.FAILED
    with pytest.raises(TableException, match="The function f failed"):
        job.get_job_execution_result().result(60)
    second.failure = None
    assert _status(job) is JobStatus.FINISHED


def test_what_is_not_to_be_had_says_what_is(in_memory: TableEnvironment) -> None:
    job = _job(Query("a"))
    with pytest.raises(TableException, match="Spark continues a stream from its checkpoint alone"):
        job.stop_with_savepoint(False, "/tmp/x")  # type: ignore[attr-defined]  # Flink's, refused
    with pytest.raises(TableException, match=r"Use progress\(\) of the result"):
        job.get_accumulators()  # type: ignore[attr-defined]  # Flink's, refused
    assert in_memory.execute_sql("SHOW CATALOGS").get_job_client() is None


@pytest.fixture
def in_memory() -> TableEnvironment:
    """An environment without Spark."""
    from tableapi import EnvironmentSettings

    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build()
    return TableEnvironment.create(settings)
