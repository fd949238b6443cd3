"""Names from other libraries: the error says what to write here, and its advice runs."""

from __future__ import annotations

import copy
import pickle
import re
import traceback
from typing import Any

import pytest
from pyspark.sql import Column, DataFrame, GroupedData, SparkSession, functions

import tableapi
from tableapi import DataTypes, EnvironmentSettings, Row, Table, TableEnvironment, expressions, window
from tableapi.advice.foreign_members import (
    ENVIRONMENT,
    EXPRESSION,
    EXPRESSIONS_MODULE,
    FOREIGN_MEMBERS,
    FOREIGN_PARAMETERS,
    GROUPED_TABLE,
    PACKAGE,
    PARTITIONED_TABLE,
    RESULT,
    ROW,
    TABLE,
    TYPES,
    TYPES_MODULE,
    WINDOW_MODULE,
    WINDOWED_TABLE,
)
from tableapi.expression import Expression
from tableapi.expressions import call, col, lit, row, row_number
from tableapi.unknown_members import advise_on_expression, advise_on_name_in_module, public_members
from tableapi.window import Over, Tumble

_TYPES = [DataTypes.INT(), DataTypes.STRING(), DataTypes.TIMESTAMP()]


def _table(te: TableEnvironment, *names: str) -> Table:
    fields = [DataTypes.FIELD(name, data_type) for name, data_type in zip(names, _TYPES, strict=True)]
    return te.from_elements([(1, "x", None)], DataTypes.ROW(fields))


def _scope(te: TableEnvironment) -> dict[str, Any]:
    modules = (tableapi, expressions, window)
    names: dict[str, Any] = {name: getattr(module, name) for module in modules for name in module.__all__}
    t, u = _table(te, "a", "b", "ts"), _table(te, "ua", "ub", "uts")
    te.create_temporary_view("t", t)
    return {**names, "te": te, "t": t, "u": u, "r": Row(a=1, b="x")}


def _environment(database: str = "default") -> TableEnvironment:
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory")
    return TableEnvironment.create(settings.with_built_in_database_name(database).build())


@pytest.fixture
def scope() -> dict[str, Any]:
    return _scope(_environment("sales"))


@pytest.fixture(scope="module")
def scope_in_spark(spark: SparkSession) -> dict[str, Any]:
    te = TableEnvironment.create(spark=spark.newSession())
    te.execute_sql("CREATE DATABASE IF NOT EXISTS foreign_members")
    te.use_database("foreign_members")
    te.execute_sql("CREATE TABLE target (a INT, b STRING, ts TIMESTAMP_NTZ)")
    return _scope(te)


CODES = sorted({code for written in FOREIGN_MEMBERS.values() for code in written.values()})
# Advice that starts Spark or needs an object of Spark's catalog.
_IN_SPARK = re.compile(
    r"(?!.*MERGE)execute|to_spark|to_pandas|to_arrow|te\.spark|result\.|cache|create_table_as|create_view\b"
)
# Advice that closes the environment, reads a missing file, or writes a statement that some catalogs lack.
_NOT_RUN = re.compile(r"te\.close\(\)|MERGE|csv\.`|drop_temporary_view|sparkContext")


@pytest.mark.parametrize("code", [code for code in CODES if not _IN_SPARK.search(code)])
def test_advice_runs(code: str, scope: dict[str, Any]) -> None:
    if _NOT_RUN.search(code):
        compile(code, "advice", "exec")
        method = re.match(r"te\.(\w+)", code)
        assert method is not None
        assert hasattr(TableEnvironment, method[1])
        return
    if code.startswith(("from ", "import ")):
        exec(code, {})
        return
    made = eval(code, scope)
    if isinstance(made, Expression) and not re.search("outer|udf", code):
        ordering = re.search(r"\.(asc|desc)\b", code)
        made = scope["t"].order_by(made) if ordering else scope["t"].select(made)
    if isinstance(made, Table):
        assert made.as_serializable_string()
    assert repr(made)


@pytest.mark.parametrize("code", [code for code in CODES if _IN_SPARK.search(code)])
def test_advice_runs_in_spark(code: str, scope_in_spark: dict[str, Any]) -> None:
    assert repr(eval(code, {**scope_in_spark, "result": scope_in_spark["t"].execute()}))


def test_there_are_enough_names() -> None:
    assert sum(map(len, FOREIGN_MEMBERS.values())) >= 150


@pytest.mark.parametrize(
    ("theirs", "receiver", "ours"),
    [
        (DataFrame, TABLE, Table),
        (GroupedData, GROUPED_TABLE, tableapi.GroupedTable),
        (SparkSession, ENVIRONMENT, TableEnvironment),
    ],
)
def test_every_public_name_of_pyspark_is_here_or_has_advice(theirs: type, receiver: str, ours: type) -> None:
    assert {n for n in public_members(theirs) if not hasattr(ours, n) and n not in FOREIGN_MEMBERS[receiver]} == set()


def test_every_member_of_columns_of_pyspark_is_here_or_has_advice() -> None:
    names = [name for name in public_members(Column) if not hasattr(Expression, name)]
    assert [name for name in names if "Write" not in advise_on_expression(name, Expression)] == []


# PySpark's classes for its own table functions, and functions without a counterpart here.
_WITHOUT_ADVICE = {"AnalyzeArgument", "AnalyzeResult", "OrderingColumn", "PartitioningColumn", "SelectedColumn"} | {
    *("SkipRestOfInputTableException", "bucket", "product", "timestamp_nanos", "unix_nanos", "unwrap_udt"),
    *("ArrowUDFType", "PandasUDFType", "UserDefinedTableFunction"),
}


def test_every_function_of_pyspark_is_here_or_has_advice() -> None:
    names = {name for name in functions.__all__ if not hasattr(expressions, name)}
    module = EXPRESSIONS_MODULE
    without = {name for name in names if not advise_on_name_in_module(module, name, expressions.__all__, Expression)}
    assert without == _WITHOUT_ADVICE


def _receivers(scope: dict[str, Any]) -> dict[str, list[Any]]:
    t = scope["t"]
    windowed = t.window(Tumble.over(lit(1).hours).on(col("ts")).alias("w"))
    grouped = t.group_by(col("b"))
    return {
        TABLE: [t],
        GROUPED_TABLE: [grouped, windowed.group_by(col("w")), grouped.aggregate(col("a").sum.alias("n"))],
        WINDOWED_TABLE: [windowed],
        PARTITIONED_TABLE: [t.partition_by(col("b"))],
        RESULT: [tableapi.TableResult.ok()],
        ROW: [scope["r"]],
        EXPRESSION: [lit(1)],
        ENVIRONMENT: [scope["te"]],
        TYPES: [DataTypes],
        TYPES_MODULE: [tableapi.types],
        EXPRESSIONS_MODULE: [expressions],
        WINDOW_MODULE: [window],
        PACKAGE: [tableapi],
    }


@pytest.mark.parametrize("receiver", FOREIGN_MEMBERS)
def test_each_name_is_refused_with_its_advice(receiver: str, scope: dict[str, Any]) -> None:
    for owner in _receivers(scope)[receiver]:
        for name, code in FOREIGN_MEMBERS[receiver].items():
            assert not hasattr(owner, name), name
            with pytest.raises(AttributeError) as raised:
                getattr(owner, name)
            assert f"Write {code}." in str(raised.value) or str(raised.value).endswith(f"Write: {code}")


@pytest.mark.parametrize(
    ("module", "name", "advice"),
    [
        ("tableapi.expressions", "countDistinct", r"Write col\('a'\)\.count\.distinct\."),
        ("tableapi.expressions", "upper", r"Write col\('a'\)\.upper_case\."),
        ("tableapi.expressions", "sum", r"property of expressions: write col\('a'\)\.sum\."),
        ("tableapi.expressions", "regexp_replace", r"method of expressions: write col\('a'\)\.regexp_replace\(…\)\."),
        ("tableapi.expressions", "levenshtein", r"Write call\('levenshtein', …\)\."),
        ("tableapi.expressions", "Tumble", r"Write: from tableapi import Tumble$"),
        ("tableapi.expressions", "rownumber", r"Write row_number\(…\), a function of tableapi\.expressions\."),
        ("tableapi.types", "IntegerType", r"Write DataTypes\.INT\(\)\."),
        ("tableapi.window", "Window", r"Write Over\.partition_by"),
        ("tableapi", "col", r"Write: from tableapi\.expressions import col$"),
        ("tableapi", "SparkSession", r"Write TableEnvironment\.create\(\)\."),
        ("tableapi", "TabelEnvironment", r"Did you mean 'TableEnvironment'\?"),
    ],
)
def test_import_of_a_name_that_is_not_there(module: str, name: str, advice: str) -> None:
    with pytest.raises(ImportError, match=f"^cannot import name '{name}' from '{module}'.*{advice}"):
        exec(f"from {module} import {name}", {})
    with pytest.raises(AttributeError, match=f"^module '{module}' has no attribute '{name}'.*{advice}"):
        eval(f"m.{name}", {"m": __import__(module, fromlist=["_"])})


def test_a_try_around_an_import_still_works() -> None:
    names: dict[str, Any] = {}
    exec("try:\n from tableapi import DataFrame\nexcept ImportError:\n DataFrame = None", names)
    assert names["DataFrame"] is None


@pytest.mark.parametrize(
    ("wrong", "meant"),
    [
        (lambda t: t.select(col("a").dsc), "'desc'"),
        (lambda t: t.order_by(col("a").dsc), "'desc'"),
        (lambda t: t.select(col("a").sum.over(Over.order_by(col("ts").acs))), "'asc'"),
        (lambda t: t.group_by(col("b").uper).select(col("a").sum), "col('b').upper_case"),
        (lambda t: t.filter(col("a").isnull), "col('a').is_null"),
        (lambda t: t.select(col("ts").dt.year), "col('ts').extract(TimeIntervalUnit.YEAR)"),
        (lambda t: t.select(col("ts").month), "with extract(TimeIntervalUnit.MONTH)"),
        (lambda t: t.select(col("b").levenshtein), "call('levenshtein', …)"),
    ],
)
def test_a_wrong_attribute_of_a_column_is_refused_when_its_type_is_known(scope: Any, wrong: Any, meant: str) -> None:
    with pytest.raises(tableapi.ValidationException) as raised:
        wrong(scope["t"])
    assert meant in str(raised.value)


@pytest.mark.parametrize(
    "expression",
    [lit(1), lit("x"), col("a") > 1, col("a").desc, col("b").upper_case, row_number().over(Over.order_by(col("a")))],
    ids=repr,
)
def test_a_wrong_attribute_of_a_scalar_is_refused_at_once(expression: Expression[Any]) -> None:
    assert not hasattr(expression, "uppercas")
    with pytest.raises(AttributeError, match="Expressions have no member 'descnding'"):
        expression.descnding  # noqa: B018


@pytest.mark.parametrize(
    ("wrong", "advice"),
    [
        (lambda: col("status").isNull(), "Write col('status').is_null."),
        (lambda: col("status").notin("x"), "Write ~col('status').in_(1, 2, 3)."),
        (lambda: col("status").upper(), "Write col('status').upper_case."),
        (lambda: (col("a") + 1).isnull(), "Write col('a').is_null."),
        (lambda: col("status").and_(True), "Write (col('a') > 1) & (col('b') == 'x')."),
    ],
)
def test_a_method_of_another_library_is_advised_on_the_expression(wrong: Any, advice: str) -> None:
    with pytest.raises(tableapi.ValidationException, match=r"^Expressions have no method") as raised:
        wrong()
    assert str(raised.value).endswith(advice)


def test_a_field_of_a_row_over_a_window_is_a_field(scope: dict[str, Any]) -> None:
    first = row(col("a").alias("x")).first_value.over(Over.order_by(col("a")))
    made = scope["t"].select(first.x.alias("x"))
    assert repr(made.get_resolved_schema().columns[0].data_type) == "INT"


@pytest.mark.parametrize("expression", [col("r"), call("struct", lit(1)), lit([Row(dsc=1)]), call("f", col("a"))])
def test_attributes_of_possible_rows_are_fields(expression: Expression[Any]) -> None:
    assert "get(" in repr(expression.dsc)


def test_a_column_comes_before_a_name_of_another_library(scope: dict[str, Any]) -> None:
    table = scope["t"].alias("count", "schema", "columns")
    assert repr(table.count) == "count"
    with pytest.raises(AttributeError, match="Did you mean 'count'"):
        table.coun  # noqa: B018


def test_python_adds_no_guess_of_its_own(scope: dict[str, Any]) -> None:
    for owner, name in ((scope["t"], "show"), (scope["te"], "sql"), (expressions, "when"), (lit(1), "dsc")):
        with pytest.raises(AttributeError) as raised:
            getattr(owner, name)
        shown = "".join(traceback.format_exception(raised.value))
        assert shown.count("Did you mean") == str(raised.value).count("Did you mean"), shown
        assert raised.value.name == name


def test_probes_of_python_and_ipython_find_nothing(scope: dict[str, Any]) -> None:
    for owners in _receivers(scope).values():
        for owner in owners:
            for name in ("_ipython_canary_method_should_not_exist_", "_repr_png_", "__array__", "__len_hint__"):
                assert not hasattr(owner, name)
    for owner in (scope["t"], scope["t"].group_by(col("b"))):
        assert copy.copy(owner) is owner
        assert copy.deepcopy(owner) is owner
    assert repr(pickle.loads(pickle.dumps(col("a").get("b")))) == repr(col("a").b)
    assert pickle.loads(pickle.dumps(Row(a=1))) == Row(a=1)
    assert pickle.loads(pickle.dumps(DataTypes)) is DataTypes


def test_an_error_inside_of_a_property_is_not_taken_for_a_missing_member() -> None:
    class Environment(TableEnvironment):
        @property
        def latest(self) -> Table:
            return self.from_elements([(1,)], ["n"]).nothing

    te = Environment.create()
    te.__class__ = Environment
    with pytest.raises(AttributeError, match="a column 'nothing'"):
        te.latest  # noqa: B018


def test_names_of_other_libraries_are_loaded_for_an_error_only() -> None:
    import subprocess
    import sys

    program = (
        "import sys\nfrom tableapi import TableEnvironment\nfrom tableapi.expressions import col\n"
        "t = TableEnvironment.create().from_elements([(1,)], ['n'])\nt.select(col('n').sum).as_serializable_string()\n"
        "before = 'tableapi.advice.foreign_members' in sys.modules\n"
        "try:\n    t.show()\nexcept AttributeError:\n    pass\n"
        "print(before, 'tableapi.advice.foreign_members' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True"]


PARAMETERS = [(method, name, code) for method, written in FOREIGN_PARAMETERS.items() for name, code in written.items()]


@pytest.mark.parametrize(("method", "name", "code"), PARAMETERS, ids=str)
def test_a_parameter_of_another_library_is_refused_with_its_advice(
    method: str, name: str, code: str, scope: dict[str, Any]
) -> None:
    cls, _, function = method.partition(".")
    owners = {"Table": scope["t"], "GroupedTable": scope["t"].group_by(col("b")), "TableResult": tableapi.TableResult}
    owner = owners[cls].ok() if cls == "TableResult" else owners[cls]
    given = {"another" if name == "*" else name: 1}
    with pytest.raises(TypeError) as raised:
        getattr(owner, function)(**given)
    assert str(raised.value).endswith(f". Write {code}.")
    if "execute" not in code:
        assert eval(code, scope).as_serializable_string()


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda t: t.fetch(), r"missing 1 required positional argument: 'fetch'; it takes \(fetch\)\.$"),
        (lambda t: t.fetch(1, 2), r"Table\.fetch\(\) takes 2 .* but 3 were given; it takes \(fetch\)\.$"),
        (lambda t: t.distinct(1), r"; it takes no arguments\.$"),
        (lambda t: t.as_serializable_string(layuot="MERGED"), r"; it takes .*\. Did you mean 'layout'\?$"),
        (
            lambda t: t.join(t, join_predicat=None),
            r"; it takes \(right, join_predicate=None\)\. Did you mean .join_p",
        ),
    ],
)
def test_a_call_that_does_not_fit_names_the_parameters(scope: dict[str, Any], wrong: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        wrong(scope["t"])


def test_a_type_error_of_the_users_own_code_stays(scope: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match=r"has no len\(\)$"):
        scope["t"].select(lambda value: len(3))  # type: ignore[arg-type]
