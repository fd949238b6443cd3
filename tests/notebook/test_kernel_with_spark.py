"""A kernel with Spark: rows, progress, and Ctrl-C."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.notebook.kernel import Cell, Kernel, running_kernel

pytestmark = pytest.mark.long

BEGINNING = """
import time
from tableapi import TableEnvironment, udf
from tableapi.expressions import col

te = TableEnvironment.create()
orders = te.from_elements([(1, "<b>tea</b>"), (2, "cake")], ["id", "product"])

@udf(input_types=["BIGINT"], result_type="BIGINT")
def wait(n):
    time.sleep(1)
    return n

te.create_temporary_function("wait", wait)
slow = te.sql_query("SELECT wait(id) AS n FROM range(0, 1, 1, 1)")

# It would run for hours.
te.create_temporary_view("a", te.sql_query("SELECT id % 7 AS n FROM range(0, 100000000, 1, 8)"))
endless = te.sql_query("SELECT sum(a.n * b.n) AS s FROM a CROSS JOIN a AS b")
"""


@pytest.fixture(scope="module")
def kernel(jvm: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kernel]:
    with running_kernel(tmp_path_factory.mktemp("kernel")) as kernel:
        kernel.run(BEGINNING)
        assert kernel.run("%load_ext tableapi").outputs == []
        kernel.run("te.sql_query('SELECT 1').execute()")
        yield kernel


def _has_progress(cell: Cell) -> bool:
    return any("tasks" in data.get("text/plain", "") for data in cell.displays)


# --- rows -------------------------------------------------------------------------------------------------------------


def test_rows_are_shown_once_they_were_asked_for(kernel: Kernel) -> None:
    kernel.run("query = orders.filter(col('id') > 0)")
    assert "tea&lt;" not in kernel.run("query").html.partition("<details")[0]
    assert kernel.run("result = query.execute()").errors == []
    shown = kernel.run("query").html.partition("<details")[0]
    assert "&lt;b&gt;tea&lt;/b&gt;" in shown
    assert "<b>tea" not in shown
    assert "the first 2 rows, fetched at " in shown
    assert kernel.run("len(list(result.collect()))").text == "2"
    assert "fetched at" in kernel.run("query").html
    assert "fetched at" not in kernel.run("query.select(col('id'))").html


def test_rows_of_pandas_and_arrow_are_shown(kernel: Kernel) -> None:
    for number, method in enumerate(("to_arrow", "to_pandas")):
        kernel.run(f"frame = orders.filter(col('id') > {number}); rows = frame.{method}()")
        assert "cake" in kernel.run("frame").html.partition("<details")[0]
    assert "1 row, fetched at " in kernel.run("frame").html


# --- running a cell again ---------------------------------------------------------------------------------------------


def test_a_function_that_is_registered_again_is_the_new_one_on_spark(kernel: Kernel) -> None:
    for factor in (2, 3):
        made = f"udf(lambda n: n * {factor}, input_types=['INT'], result_type='INT')"
        kernel.run(f"te.create_temporary_function('times', {made})")
        kernel.run(f"te.create_temporary_view('numbers', te.from_elements([({factor},)], ['n']))")
        rows = kernel.run("[tuple(row) for row in te.sql_query('SELECT times(n), n FROM numbers').execute().collect()]")
        assert rows.text == f"[({factor * factor}, {factor})]"


def test_a_query_from_before_keeps_its_function(kernel: Kernel) -> None:
    for factor in (10, 100):
        made = f"udf(lambda n: n * {factor}, input_types=['INT'], result_type='INT')"
        kernel.run(f"te.create_temporary_function('scale', {made})")
        kernel.run(f"scaled_{factor} = te.sql_query('SELECT scale(1) AS n')")
    both = kernel.run("scaled_10.union_all(scaled_100).to_arrow()['n'].to_pylist()")
    assert both.text == "[10, 100]"


# --- progress ---------------------------------------------------------------------------------------------------------


def test_queries_of_a_cell_share_one_display_of_progress(kernel: Kernel) -> None:
    cell = kernel.run("for _ in range(3):\n    slow.to_arrow()")
    assert cell.displays == [{}]
    assert cell.printed == ""


def test_progress_of_the_next_cell_is_in_the_next_cell(kernel: Kernel) -> None:
    assert kernel.run("slow.to_arrow(); None").displays == [{}]
    assert kernel.run("slow.to_arrow(); None").displays == [{}]


# --- Ctrl-C -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "cell",
    [
        "endless.execute()",
        "endless.to_pandas()",
        "te.execute_sql('CREATE TABLE never AS ' + endless.as_serializable_string())",
        "%%tableapi\nCREATE TABLE never AS SELECT sum(a.n * b.n) AS s FROM a CROSS JOIN a AS b",
        "te.sql_query('SELECT wait(id) AS n FROM range(0, 100000, 1, 2)').execute()",
    ],
)
def test_an_interrupt_ends_the_job_and_the_session_stays(kernel: Kernel, cell: str) -> None:
    stopped = kernel.interrupt(cell, _has_progress)
    assert stopped.errors == ["KeyboardInterrupt"]
    assert "tableapi" not in stopped.traceback.replace("%%tableapi", "")
    assert len(stopped.traceback.splitlines()) < 8
    assert stopped.displays == [{}]
    jobs = "te.spark.sparkContext.statusTracker().getActiveJobsIds()"
    assert kernel.run(jobs).text == "[]"
    assert kernel.run("te.sql_query('SELECT 41 + 1 AS n').to_arrow()['n'].to_pylist()").text == "[42]"
    assert "never" not in kernel.run("te.list_tables()").text


def test_an_error_of_spark_in_the_magic_shows_its_message_alone(kernel: Kernel) -> None:
    failed = kernel.run("%%tableapi\nCREATE TABLE broken AS SELECT 1 / 0 AS n")
    assert "[DIVIDE_BY_ZERO]" in failed.traceback
    assert "Traceback" not in failed.traceback
