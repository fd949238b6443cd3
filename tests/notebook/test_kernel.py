"""A kernel without Spark: what is shown, completed, registered again, and run by the magic."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.notebook.kernel import Kernel, running_kernel

BEGINNING = """
from tableapi import EnvironmentSettings, TableEnvironment, diff, udf, view
from tableapi.expressions import col

te = TableEnvironment.create(EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build())
orders = te.from_elements([(1, "tea", 3), (2, "cake", 4)], ["id", "two words", "amount"])
people = te.from_elements([("Ada", 36)], ["name", "age"])
"""


@pytest.fixture(scope="module")
def kernel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kernel]:
    with running_kernel(tmp_path_factory.mktemp("kernel")) as kernel:
        assert kernel.run(BEGINNING).outputs == []
        yield kernel
        assert "Spark session: not started" in kernel.run("te").text


@pytest.fixture(scope="module")
def loaded(kernel: Kernel) -> Kernel:
    """The kernel with the extension, loaded twice."""
    for command in ("%load_ext tableapi", "%reload_ext tableapi"):
        assert kernel.run(command).outputs == []
    return kernel


# --- display ----------------------------------------------------------------------------------------------------------


def test_a_table_shows_columns_and_sql_and_no_rows(kernel: Kernel) -> None:
    shown = kernel.run("orders.filter(col('amount') > 3)").data
    assert "INT NOT NULL" in shown["text/html"]
    assert "WHERE amount &gt; 3" in shown["text/html"]
    assert "fetched" not in shown["text/html"]
    assert shown["text/plain"].startswith("Table(\n  `id` INT NOT NULL,")


@pytest.mark.parametrize(
    ("code", "html", "text"),
    [
        (
            "diff(orders, orders.filter(col('amount') > 3))",
            "<li>A filter was added: `amount` &gt; 3.</li>",
            "A filter was added: `amount` > 3.\n",
        ),
        ("te.create_view('v', orders); te.from_path('v').filter(col('id') > 1).lineage()", "<svg ", "(rows)\n"),
        ("te.execute_sql('SHOW CATALOGS')", "<td ", "| memory"),
        ("te", "TableEnvironment", "Spark session: not started"),
    ],
)
def test_results_have_html_and_text(kernel: Kernel, code: str, html: str, text: str) -> None:
    shown = kernel.run(code)
    assert html in shown.html
    assert text in shown.text


# --- mistakes ---------------------------------------------------------------------------------------------------------


def test_a_mistake_shows_the_cell_alone(kernel: Kernel) -> None:
    failed = kernel.run("orders.select(col('amuont'))")
    assert failed.errors == ["ValidationException"]
    assert "Did you mean 'amount'?" in failed.traceback
    assert "tracebacks.py" not in failed.traceback
    assert failed.traceback.count("----> 1") == 1


def test_a_mistake_in_a_function_of_the_user_shows_its_line(kernel: Kernel) -> None:
    failed = kernel.run("def choose():\n    return orders.select(col('amuont'))\n\nchoose()")
    assert "----> 4 choose()" in failed.traceback
    assert "----> 2     return orders.select" in failed.traceback


def test_all_frames_on_request(kernel: Kernel) -> None:
    kernel.run("from tableapi.tracebacks import show_internal_frames; show_internal_frames()")
    failed = kernel.run("orders.select(col('amuont'))")
    kernel.run("show_internal_frames(None)")
    assert "operations.py" in failed.traceback


# --- completion -------------------------------------------------------------------------------------------------------


def test_columns_are_completed_without_the_extension(kernel: Kernel) -> None:
    assert kernel.complete("orders.am") == ["amount"]
    assert kernel.complete('orders["') == ["amount", "id", "two words"]


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ('orders.filter(col("', ["amount", "id", "two words"]),
        ("orders.filter(col('am", ["amount"]),
        ('orders.select(col("two w', ["two words"]),
        ('x = 1\npeople.select(\n    col("name"),\n    col("a', ["age"]),
        ('people.join(orders).filter(col("a', ["age", "amount"]),
        ('col("na', ["name"]),
        ('te.from_path("ter', ["terminals"]),
        ('print("am', []),
    ],
)
def test_names_in_strings(loaded: Kernel, code: str, names: list[str]) -> None:
    loaded.run("te.create_temporary_view('terminals', people)")
    assert loaded.complete(code) == names


# --- running a cell again ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "cell",
    [
        "te.create_temporary_function('twice', udf(lambda n: n * 2, input_types=['INT'], result_type='INT'))",
        "te.create_temporary_system_function('thrice', udf(lambda n: n * 3, input_types=['INT'], result_type='INT'))",
        "te.create_temporary_view('registered', orders.select(col('id')))",
        "te.create_view('stored', orders, or_replace=True)",
        "@view('sales.large')\ndef large(te):\n    return te.from_path('orders')",
        "class Later:\n    pass\n\nte.declare('declared', {'id': 'INT'}, or_replace=True)\nNone",
    ],
)
def test_a_cell_that_registers_runs_again(kernel: Kernel, cell: str) -> None:
    for _ in range(2):
        assert kernel.run(cell).outputs == []


def test_what_is_registered_again_replaces_the_old(kernel: Kernel) -> None:
    kernel.run("te.create_temporary_view('changing', orders.select(col('id')))")
    kernel.run("te.create_temporary_view('changing', orders.select(col('amount')))")
    assert kernel.run("te.from_path('changing').get_schema().get_field_names()").text == "['amount']"
    kernel.run("te.create_temporary_function('kind', udf(lambda n: n, input_types=['INT'], result_type='INT'))")
    kernel.run("te.create_temporary_function('kind', udf(lambda n: n, input_types=['INT'], result_type='STRING'))")
    assert kernel.run("te.sql_query('SELECT kind(1) AS k').get_schema().get_field_data_types()").text == "[STRING]"


def test_a_view_cannot_become_a_query_over_itself(kernel: Kernel) -> None:
    kernel.run("te.create_temporary_view('itself', orders)")
    failed = kernel.run("te.create_temporary_view('itself', te.from_path('itself').filter(col('id') > 1))")
    assert "would read itself. Give it another name." in failed.traceback


# --- the magic --------------------------------------------------------------------------------------------------------


def test_a_query_becomes_a_table(loaded: Kernel) -> None:
    loaded.run("te.create_temporary_view('terms', orders)")
    assert "WHERE id &gt; 1" in loaded.run("%%tableapi large --env te\nSELECT id\nFROM terms\nWHERE id > 1").html
    assert loaded.run("type(large).__name__, large.get_schema().get_field_names()").text == "('Table', ['id'])"


def test_a_line_of_sql_is_a_value(loaded: Kernel) -> None:
    shown = loaded.run("name = 'x'\nfound = %tableapi SELECT '{name}' AS a, '$name' AS b\nfound").text
    assert "SELECT '{name}' AS a, '$name' AS b" in shown


def test_statements_run_in_their_order(loaded: Kernel) -> None:
    cell = "%%tableapi\nCREATE DATABASE IF NOT EXISTS magic;\nCREATE OR REPLACE VIEW magic.one AS SELECT 1 AS n;\n"
    assert "SELECT n" in loaded.run(f"{cell}SELECT n FROM magic.one").text
    assert "one" in loaded.run("%tableapi SHOW VIEWS IN magic").text


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        (
            "%%tableapi\nSELECT id,\n  nmae\nFROM VALUES (1, 'a') AS t(id, name)",
            "ValidationException: Cannot resolve field [nmae], input field list:[id, name]. Did you mean 'name'?\n"
            "line 2, column 3:\n    nmae\n    ^^^^",
        ),
        (
            "%%tableapi\nSELECT 1;\n\nSELECT 2 FORM t",
            "Did you mean FROM instead of FORM?\nline 3, column 10:\n  SELECT 2 FORM t\n           ^^^^\n"
            "This is statement 2 of 2; none of them has been executed.",
        ),
        ("%%tableapi --env tee\nSELECT 1", "ValidationException: The variable 'tee' of --env does not exist."),
        ("%%tableapi --env orders\nSELECT 1", "'orders' of --env is no TableEnvironment, but a Table."),
        ("%%tableapi --layout x\nSELECT 1", "The magic has no option --layout; it has --env VAR."),
        ("%%tableapi a b\nSELECT 1", "The line of %%tableapi takes one name of a variable, but has 'b'."),
        ("%%tableapi\n-- nothing", "There is no SQL to run."),
        ("%tableapi", "%tableapi? shows the help."),
    ],
)
def test_a_mistake_in_sql_shows_its_message_alone(loaded: Kernel, cell: str, message: str) -> None:
    failed = loaded.run(cell)
    assert message in failed.traceback
    assert "Traceback" not in failed.traceback
    assert ".py" not in failed.traceback
    assert len(failed.errors) == 1


def test_the_environment_of_several(loaded: Kernel) -> None:
    loaded.run("other = TableEnvironment.create()")
    assert "several environments: [te, other]. Choose one by --env." in loaded.run("%tableapi SELECT 1").traceback
    assert "SELECT 1" in loaded.run("%tableapi --env te SELECT 1 AS a").text
    loaded.run("del other")


def test_the_help_of_the_magic(loaded: Kernel) -> None:
    shown = loaded.run("print(get_ipython().find_cell_magic('tableapi').__doc__)").printed
    assert shown.startswith("Run the SQL of a cell or a line, and return its table or result.")
    assert "--env VAR" in shown


@pytest.mark.slow
def test_the_extension_is_unloaded(loaded: Kernel) -> None:
    loaded.run("%unload_ext tableapi")
    assert "not found" in loaded.run("%tableapi SELECT 1").printed
    assert "amount" not in loaded.complete('orders.filter(col("am')
    loaded.run("%load_ext tableapi")
