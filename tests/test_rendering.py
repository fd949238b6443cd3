"""The display of tables, results and environments in a prompt and a notebook, and copying and pickling them."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from collections.abc import Callable
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any

import pytest

from tableapi import (
    DataTypes,
    EnvironmentSettings,
    InMemoryCatalog,
    Row,
    Schema,
    Table,
    TableConfig,
    TableEnvironment,
    TableException,
    TableResult,
    ValidationException,
    diff,
    udf,
)
from tableapi.display.rendering import (
    FetchedRows,
    columns_html,
    escape,
    list_html,
    marked_html,
    result_html,
    table_as_html,
    table_html,
)
from tableapi.expressions import col, lit, row_interval
from tableapi.window import Cumulate, Over, Session, Slide, Tumble
from tests.programs.tables import environment_without_spark

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

MARKUP = "<script>alert(1)</script>"


@pytest.fixture
def te() -> TableEnvironment:
    return environment_without_spark()


@pytest.fixture
def orders(te: TableEnvironment) -> Table:
    return te.from_elements([(1, "a", 3), (2, "b", 4)], ["id", "name", "amount"])


class _Elements(HTMLParser):
    """Collect the elements and the text of a page, and check that each element is closed."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.names: list[str] = []
        self.text = ""
        self._open: list[str] = []
        self.feed(page)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.append(tag)
        self._open.append(tag)
        assert {name for name, _ in attrs} <= {"style", "open"}

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


_KNOWN = {"div", "p", "strong", "em", "table", "thead", "tbody", "tr", "th", "td", "details", "summary", "pre", "code"}


def test_a_table_shows_its_types_and_its_sql(orders: Table) -> None:
    table = orders.filter(col("amount") > 3).select(col("id"), col("name").upper_case.alias("n"))
    assert repr(table) == (
        "Table(\n  `id` INT NOT NULL,\n  `n` STRING NOT NULL\n)\n"
        "SELECT id, UPPER(name) AS n\n"
        "FROM VALUES\n    (1, 'a', 3),\n    (2, 'b', 4)\nAS `values`(id, name, amount)\n"
        "WHERE amount > 3"
    )


def test_a_notebook_shows_the_same(orders: Table) -> None:
    page = _Elements(orders._repr_html_())
    assert set(page.names) <= _KNOWN
    assert "INT NOT NULL" in page.text
    assert "VALUES" in page.text


def test_rows_that_were_fetched_are_shown_with_the_table(orders: Table) -> None:
    operation = orders.select(col("name").alias(MARKUP)).query_operation
    fetched = FetchedRows((("<b>a</b>",), ("$x$",)), "the first 2 rows, fetched at 09:12:03")
    page = table_as_html(operation, (), fetched)
    elements = _Elements(page)
    assert set(elements.names) <= _KNOWN
    for text in ("<b>a</b>", "$x$", "the first 2 rows, fetched at 09:12:03", MARKUP):
        assert text in elements.text
    assert "$x$" not in page


def test_wide_tables_scroll_by_themselves(orders: Table) -> None:
    page = result_html(orders.get_resolved_schema(), [["1", "a", "3"]], "")
    assert page.startswith('<div style="overflow: auto;')


def test_long_sql_is_folded_away(orders: Table) -> None:
    assert "<details open><summary>SQL" in orders._repr_html_()
    long = orders.select(*[(col("id") + number).alias(f"column_{number}") for number in range(40)])
    assert "<details><summary>SQL" in long._repr_html_()


def test_a_difference_shows_its_sentences_and_both_trees(orders: Table) -> None:
    changed = orders.filter(col("amount") > 3).select(col("id"), col("name").alias(MARKUP))
    page = diff(orders.filter(col("amount") > 2).select(col("id")), changed)._repr_html_()
    elements = _Elements(page)
    assert set(elements.names) <= {*_KNOWN, "ul", "li", "span"}
    assert "In the condition of the filter, `amount` > 2 became `amount` > 3." in elements.text
    assert "Readers that name the old columns would not notice." in elements.text
    assert MARKUP in elements.text
    assert '<span style="background: rgba(210, 153, 34, 0.25)">~' in page
    assert "The queries are equal." in diff(orders, orders)._repr_html_()


def test_lines_and_items_are_cut() -> None:
    assert _Elements(list_html([f"n{number}" for number in range(60)])).text.endswith("n49… (10 more)")
    assert _Elements(marked_html([(f"n{number}", "") for number in range(301)])).text.endswith("n299\n… (1 more line)")
    assert len(marked_html([("x" * 100_000, "+")])) < 3_000


def test_a_query_without_sql_shows_its_tree(te: TableEnvironment) -> None:
    import pyarrow as pa

    shown = repr(te.from_arrow(pa.table({"a": [1]})).filter(col("a") > 1))
    assert "`a` BIGINT" in shown
    assert "Filter: (condition: [greaterThan(a, 1)])" in shown


@pytest.mark.parametrize("name", [MARKUP, "a&b", '"x" onload="y', "$x$", "\u202eabc", "\x00"])
def test_markup_in_names_is_text(te: TableEnvironment, name: str) -> None:
    table = te.from_elements([(name,)], [name])
    for page in (table._repr_html_(), columns_html(name, table.get_resolved_schema())):
        assert set(_Elements(page).names) <= _KNOWN
        assert "\u202e" not in page
        assert "\x00" not in page
    page = result_html(table.get_resolved_schema(), [[name]], name)
    assert set(_Elements(page).names) <= _KNOWN


def test_escaped_text_is_the_text_to_a_reader() -> None:
    assert _Elements(escape("<a> & 'b' $c$ \"d\"\nü")).text == "<a> & 'b' $c$ \"d\"\nü"
    assert "$" not in escape("$x$")


def test_html_names_no_colour(orders: Table) -> None:
    assert "color" not in orders._repr_html_() + table_html(["a"], [["1"]], [True])


def test_a_huge_query_is_shown_cut(te: TableEnvironment, orders: Table) -> None:
    deep = orders
    for number in range(1_000):
        deep = deep.filter(col("id") > number)
    wide = orders.select(*[lit(1).alias(f"c{number}") for number in range(3_000)])
    long_names = orders.select(lit(1).alias("x" * 100_000))
    many_rows = te.from_elements([(number, "x" * 100) for number in range(20_000)], ["a", "b"])
    for table in (deep, wide, long_names, many_rows):
        assert len(repr(table)) < 20_000
        assert len(table._repr_html_()) < 60_000
    assert "(2900 more columns)" in repr(wide)
    assert "The query is large" in repr(deep)
    expression = col("a")
    for number in range(5_000):
        expression = expression + number
    assert len(repr(expression)) < 2_100


def test_columns_are_found_by_their_names(te: TableEnvironment) -> None:
    table = te.from_elements([(1, 2, 3)], ["amount", "two words", "filter"])
    assert repr(table["amount"]) == "amount"
    assert repr(table["AMOUNT"]) == "amount"
    assert table.select(table["two words"]).get_schema().get_field_names() == ["two words"]
    assert repr(table[1]) == repr(table[-2]) == repr(col("two words"))  # type: ignore[index]  # as in PySpark
    assert {"amount", "filter", "select"} <= set(dir(table))
    assert "two words" not in dir(table)
    assert table._ipython_key_completions_() == ["amount", "two words", "filter"]


@pytest.mark.parametrize(
    ("key", "message"),
    [
        ("amuont", r"Cannot resolve field \[amuont\].*Did you mean 'amount'"),
        (3, "The table has 3 columns, and none at the position 3"),
        (["id", "name"], r"was given \['id', 'name'\]\. Write select"),
        (True, "was given True"),
    ],
)
def test_a_column_that_is_not_there(orders: Table, key: Any, message: str) -> None:
    with pytest.raises(ValidationException, match=message):
        orders[key]


def test_a_table_is_not_a_sequence(orders: Table) -> None:
    with pytest.raises(TypeError, match="not iterable"):
        list(orders)  # type: ignore[call-overload]  # that is the mistake
    with pytest.raises(TypeError):
        "id" in orders  # type: ignore[operator]  # noqa: B015  # that is the mistake


def test_an_environment_displays_its_namespace_without_spark() -> None:
    program = (
        "import sys\nfrom tableapi import TableEnvironment\nte = TableEnvironment.create()\n"
        "print(te); print(te._repr_html_()); print('pyspark' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines()
    assert lines[0] == (
        "TableEnvironment(catalog: spark_catalog, database: default, temporary views: 0, Spark session: not started)"
    )
    assert "spark_catalog" in lines[1]
    assert lines[-1] == "False"


def test_an_environment_shows_the_current_catalog_and_database(te: TableEnvironment, orders: Table) -> None:
    te.execute_sql("CREATE DATABASE sales")
    te.use_database("sales")
    te.create_temporary_view("o", orders)
    assert "database: sales, temporary views: 1" in repr(te)
    assert set(_Elements(te._repr_html_()).names) <= _KNOWN


def test_settings_windows_and_catalogs_have_readable_representations(te: TableEnvironment) -> None:
    assert repr(EnvironmentSettings.in_batch_mode()).startswith("EnvironmentSettings(batch mode, catalog 'spark_")
    assert repr(TableConfig().set("table.display.progress", "off")) == "TableConfig({'table.display.progress': 'off'})"
    assert repr(InMemoryCatalog("m", "d")) == "InMemoryCatalog('m', default database 'd')"
    hour = lit(1).hours
    assert repr(Tumble.over(hour)) == "Tumble(size: 1 hour)"
    assert repr(Tumble.over(row_interval(3)).on(col("t"))) == "Tumble(size: 3 rows, on: t)"
    assert repr(Slide.over(lit(2).hours).every(hour).on(col("t")).alias("w")) == (
        "Slide(size: 2 hours, slide: 1 hour, on: t) as w"
    )
    assert repr(Cumulate.over(lit(2).hours).every(hour).on(col("t")).alias("w")).startswith("Cumulate(size: 2 hours, ")
    assert repr(Session.with_gap(hour).on(col("t")).alias("w")) == "Session(gap: 1 hour, on: t) as w"


def test_a_result_of_a_statement_shows_its_rows(te: TableEnvironment) -> None:
    listed = TableResult.of_rows(["name"], [(f"t{number}",) for number in range(25)])
    assert repr(listed).splitlines()[3] == "| t0   |"
    assert repr(listed).splitlines()[-1] == "10 of 25 rows"
    assert listed._repr_html_().count("<tr>") == 11
    assert repr(TableResult.ok()) == "OK"
    assert "OK" in TableResult.ok()._repr_html_()
    plan = TableResult.of_rows(["plan"], [("a\n<b>",)])
    assert repr(plan) == "a\n<b>"
    assert plan._repr_html_() == '<pre style="text-align: left"><code>a\n&lt;b&gt;</code></pre>'


def test_showing_a_result_reads_no_row_of_it(spark: SparkSession) -> None:
    te = TableEnvironment.create(spark=spark.newSession())
    result = te.sql_query("SELECT id, CAST(id AS STRING) AS `<b>` FROM range(30)").execute()
    assert repr(result).splitlines()[-1] == "10 of 30 rows fetched and not read yet"
    page = _Elements(result._repr_html_())
    assert set(page.names) <= _KNOWN
    assert "<b>" in page.text
    assert len(list(result.collect())) == 30
    assert "no unread rows" in repr(result)


COPIED: dict[str, Callable[[Table], Any]] = {
    "an expression": lambda t: col("a") + 1,
    "a schema": lambda t: t.get_schema(),
    "a resolved schema": lambda t: t.get_resolved_schema(),
    "a declared schema": lambda t: Schema.new_builder().column("a", "INT").build(),
    "a type": lambda t: DataTypes.ROW([DataTypes.FIELD("a", DataTypes.INT())]),
    "a row": lambda t: Row(a=1),
    "an over window": lambda t: Over.partition_by(col("k")).order_by(col("x")),
    "a group window": lambda t: Tumble.over(lit(1).hours).on(col("t")).alias("w"),
    "settings": lambda t: EnvironmentSettings.in_batch_mode(),
}


@pytest.mark.parametrize("kind", COPIED)
def test_descriptions_are_copied_and_pickled(kind: str, orders: Table) -> None:
    made = COPIED[kind](orders)
    for again in (copy.copy(made), copy.deepcopy(made), pickle.loads(pickle.dumps(made))):
        assert type(again) is type(made)
        assert repr(again) == repr(made)


def test_a_copied_expression_is_the_same_query(orders: Table) -> None:
    expression = (col("amount") * 2).alias("twice")
    for again in (copy.deepcopy(expression), pickle.loads(pickle.dumps(expression))):
        assert orders.select(again).query_operation is orders.select(expression).query_operation


def test_a_table_is_its_own_copy(orders: Table) -> None:
    assert copy.copy(orders) is copy.deepcopy(orders) is orders
    grouped = orders.group_by(col("id"))
    assert copy.deepcopy([grouped])[0] is grouped


def test_a_table_is_pickled_as_its_query(te: TableEnvironment, orders: Table) -> None:
    query = orders.filter(col("id") > 1)
    sent = pickle.loads(pickle.dumps({"query": query}))["query"]
    assert sent is query.query_operation
    other = environment_without_spark()
    assert other.from_operation(sent).select(col("name")).get_schema().get_field_names() == ["name"]
    assert te.from_operation(sent).query_operation is sent


def test_data_of_the_process_is_pickled_with_the_query(spark: SparkSession) -> None:
    import pyarrow as pa

    te = TableEnvironment.create(spark=spark.newSession())
    sent = pickle.dumps(te.from_arrow(pa.table({"a": [1, 2]})).select((col("a") + 1).alias("b")))
    assert [row.b for row in te.from_operation(pickle.loads(sent)).execute().collect()] == [2, 3]


def test_from_operation_takes_queries_only(te: TableEnvironment) -> None:
    with pytest.raises(ValidationException, match=r"from_operation takes a query, such as table\.query_operation"):
        te.from_operation("SELECT 1")  # type: ignore[arg-type]  # that is the mistake


def test_pickling_a_query_with_a_lambda_is_rejected_with_a_reason(orders: Table) -> None:
    twice = udf(lambda x: x * 2, ["INT"], "INT")
    with pytest.raises(TableException, match=r"cannot be pickled: .*lambda.*Send as_serializable_string"):
        pickle.dumps(orders.select(twice(col("id"))))


@pytest.mark.parametrize("action", [copy.copy, copy.deepcopy, pickle.dumps])
def test_objects_of_the_process_cannot_be_pickled(action: Callable[[Any], Any], te: TableEnvironment) -> None:
    result = TableResult.ok()
    for given in (te, result, result.collect(), te.create_statement_set(), InMemoryCatalog("m", "d")):
        with pytest.raises(TableException, match=f"{type(given).__name__} cannot be pickled or copied. [A-Z].*"):
            action(given)


def test_a_step_between_tables_cannot_be_pickled(orders: Table) -> None:
    with pytest.raises(TableException, match=r"GroupedTable cannot be pickled.*Pickle the table that comes of it"):
        pickle.dumps(orders.group_by(col("id")))
