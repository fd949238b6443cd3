"""A catalog that somebody else writes to: looking imports nothing, and functions run only where this is allowed."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from ir.errors import FunctionNotExistException, TableException, ValidationException
from tableapi import DirectoryCatalog, EnvironmentSettings, Table, TableEnvironment
from tableapi.catalog.stored_programs import ALLOWED_PROGRAMS
from tableapi.expressions import call, col
from tableapi.user_functions.stored import ALLOWED_PACKAGES

MODULE = "tests.user_functions.hostile"


@pytest.fixture
def mark(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The file that the module creates when it is imported."""
    path = tmp_path / "mark"
    monkeypatch.setenv("TABLEAPI_HOSTILE_MARK", str(path))
    sys.modules.pop(MODULE, None)
    yield path
    sys.modules.pop(MODULE, None)


@pytest.fixture
def env(tmp_path: Path) -> TableEnvironment:
    """An environment whose catalog was written by hand."""
    folder = tmp_path / "team" / "default"
    for path, text in {
        "functions/nice.sql": f"CREATE FUNCTION nice AS '{MODULE}.harmless' LANGUAGE PYTHON;",
        "functions/shell.sql": f"CREATE FUNCTION shell AS '{MODULE}.no_function' LANGUAGE PYTHON;",
        "functions/system.sql": "CREATE FUNCTION system AS 'os.system' LANGUAGE PYTHON;",
        "functions/builtin.sql": "CREATE FUNCTION builtin AS 'builtins.eval' LANGUAGE PYTHON;",
        "functions/wrapped.sql": "CREATE FUNCTION wrapped(x STRING) RETURNS STRING RETURN nice(x);",
        "functions/inlined.sql": "CREATE FUNCTION inlined(x STRING) RETURNS STRING INLINE RETURN nice(x);",
        "functions/rows.sql": "CREATE FUNCTION rows() RETURNS TABLE(a STRING) RETURN SELECT nice('x') AS a;",
        "views/v.sql": "CREATE VIEW v AS SELECT nice('x') AS a;",
    }.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text + "\n", encoding="utf-8")
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory")
    env = TableEnvironment.create(settings.build())
    env.register_catalog("team", DirectoryCatalog("team", tmp_path / "team"))
    env.use_catalog("team")
    return env


def test_listing_imports_no_code(env: TableEnvironment, mark: Path) -> None:
    catalog = env.get_catalog("team")
    assert isinstance(catalog, DirectoryCatalog)
    names = catalog.list_functions("default")
    assert len(names) == 7
    assert set(names) <= set(env.list_functions())
    for name in names:
        assert catalog.get_function("default", name) is not None
        assert name in str(list(env.execute_sql(f"DESCRIBE FUNCTION EXTENDED {name}").collect()))
    assert catalog.broken_files() == {}
    for statement in ("SHOW FUNCTIONS", "SHOW USER FUNCTIONS", "SHOW ALL FUNCTIONS", "SHOW VIEWS"):
        env.execute_sql(statement)
    env.show_create_view("v")
    assert not mark.exists()
    assert MODULE not in sys.modules


USES = [
    "SELECT nice('x') AS a",
    "SELECT team.default.nice('x') AS a",
    "SELECT shell('true') AS a",
    "SELECT system('true') AS a",
    "SELECT wrapped('x') AS a",
    "SELECT inlined('x') AS a",
    "SELECT a FROM v",
    # Every place that can name a function.
    "SELECT x FROM VALUES ('a') AS t(x) WHERE upper(nice(x)) = 'A'",
    "SELECT MAX(x) FROM VALUES ('a') AS t(x) GROUP BY nice(x)",
    "SELECT nice(x) OVER (ORDER BY x) AS a FROM VALUES ('a') AS t(x)",
    "SELECT a FROM VALUES ('a') AS t(x), LATERAL nice(x) AS r(a)",
    "SELECT * FROM nice(TABLE(SELECT 1 AS a))",
    "SELECT * FROM VALUES (nice('a')) AS t(a)",
    "SELECT (SELECT MAX(nice(x)) FROM VALUES ('a') AS t(x)) AS a",
    "SELECT transform(array('a'), x -> nice(x)) AS a",
    "WITH w AS (SELECT a FROM v) SELECT * FROM w",
]
FLUENT: dict[str, Callable[[TableEnvironment, Table], Table]] = {
    "select": lambda env, t: t.select(call("nice", col("a"))),
    "filter": lambda env, t: t.filter(call("team.default.nice", col("a")) == "x"),
    "group_by": lambda env, t: t.group_by(call("nice", col("a")).alias("b")).select(col("b")),
    "aggregate": lambda env, t: t.group_by(col("a")).select(call("nice", col("a"))),
    "flat_aggregate": lambda env, t: t.group_by(col("a")).flat_aggregate(call("nice", col("a"))).select(col("a")),
    "map": lambda env, t: t.map(call("nice", col("a"))),
    "flat_map": lambda env, t: t.flat_map(call("nice", col("a"))),
    "join_lateral": lambda env, t: t.join_lateral(call("nice", col("a")).alias("b")),
    "order_by": lambda env, t: t.order_by(call("nice", col("a"))),
    "process": lambda env, t: t.process("nice"),
    "from_call": lambda env, t: env.from_call("nice", t.as_argument("input")),
    "inlined": lambda env, t: t.select(call("inlined", col("a"))),
    "wrapped": lambda env, t: t.select(call("wrapped", col("a"))),
    "from_path": lambda env, t: env.from_path("v"),
}
STATEMENTS = [
    f"CREATE TEMPORARY FUNCTION mine AS '{MODULE}.harmless' LANGUAGE PYTHON",
    f"CREATE TEMPORARY SYSTEM FUNCTION mine AS '{MODULE}.harmless' LANGUAGE PYTHON",
    "CREATE TEMPORARY FUNCTION mine(x STRING) RETURNS STRING RETURN nice(x)",
    "CREATE FUNCTION mine(x STRING) RETURNS STRING RETURN nice(x)",
    "CREATE TEMPORARY VIEW mine AS SELECT nice('x') AS a",
    "DESCRIBE v",
    "DESCRIBE QUERY SELECT nice('x')",
    "SHOW COLUMNS IN v",
    "EXPLAIN SELECT * FROM v",
]


@pytest.mark.parametrize("text", USES)
def test_uses_are_rejected_with_the_setting_that_allows_them(env: TableEnvironment, mark: Path, text: str) -> None:
    env.get_config().set(ALLOWED_PACKAGES, "tests.user_functions.host, test")
    for use in (lambda: env.sql_query(text), lambda: env.execute_sql(f"CREATE VIEW w AS {text}")):
        with pytest.raises(ValidationException, match=r"to use it is to run that code.*python\.functions\.packages"):
            use()
    with pytest.raises(ValidationException, match=r"not allowed: allowed are \[tests\.user_functions\.host, test\]"):
        env.execute_sql(f"EXPLAIN {text}")
    assert not mark.exists()
    assert env.list_views() == ["v"]


@pytest.mark.parametrize("name", FLUENT)
def test_a_fluent_use_is_refused(env: TableEnvironment, mark: Path, name: str) -> None:
    t = env.from_elements([("x",)], ["a"])
    with pytest.raises(ValidationException, match=r"the Python code 'tests\.user_functions\.hostile\.harmless'"):
        FLUENT[name](env, t)
    assert not mark.exists()


@pytest.mark.parametrize("statement", STATEMENTS)
def test_a_statement_that_uses_it_is_refused(env: TableEnvironment, mark: Path, statement: str) -> None:
    before = env.list_user_defined_functions(), env.list_views()
    with pytest.raises(ValidationException, match=r"to use it is to run that code.*python\.functions\.packages"):
        env.execute_sql(statement)
    assert (env.list_user_defined_functions(), env.list_views()) == before
    assert not mark.exists()


def test_mentions_import_no_code(env: TableEnvironment, mark: Path) -> None:
    for statement in (
        f"CREATE FUNCTION mine AS '{MODULE}.harmless' LANGUAGE PYTHON",
        f"ALTER FUNCTION mine AS '{MODULE}.no_function' LANGUAGE PYTHON",
        "SHOW USER FUNCTIONS IN team.`default` LIKE 'm%'",
        "SHOW CREATE VIEW v",
        "DESCRIBE FUNCTION mine",
        "DROP FUNCTION mine",
        "DROP VIEW v",
    ):
        env.execute_sql(statement)
    assert not mark.exists()
    assert MODULE not in sys.modules


def test_a_table_function_of_sql_is_refused_when_it_runs(env: TableEnvironment, mark: Path) -> None:
    query = env.sql_query("SELECT * FROM rows()")
    definition = env._parts.lookup.find("rows")
    with pytest.raises(ValidationException, match=r"the Python code 'tests\.user_functions\.hostile\.harmless'"):
        definition.user_code.implementation.expanded_query(())  # type: ignore[attr-defined]  # of a function in SQL
    assert query.get_resolved_schema().names == ("a",)
    assert not mark.exists()


def test_imported_objects_must_be_functions(env: TableEnvironment, mark: Path) -> None:
    env.get_config().set(ALLOWED_PACKAGES, f"{MODULE}, os, builtins")
    for name, told in (("shell", "'system' is an ordinary function"), ("system", "'system'"), ("builtin", "'eval'")):
        with pytest.raises(ValidationException, match=rf"team\.default\.{name} cannot be used: {told}"):
            env.sql_query(f"SELECT {name}('true')")
    assert env.sql_query("SELECT nice('x') AS a").get_resolved_schema().names == ("a",)
    assert mark.exists()


MODULES = {
    "exits": "import sys\nsys.exit(3)",
    "raises": "raise RuntimeError('boom')",
    "ends": "class End(BaseException): pass\nraise End('now')",
    "wrong": "def (:",
    "needs": "import no_such_module",
    "asked": "def __getattr__(name):\n    raise RuntimeError('asked for ' + name)",
    "things": """
from tableapi import ScalarFunction, udf
from tableapi.udf import UserDefinedFunctionWrapper

class Liar:
    @property
    def __class__(self):
        return UserDefinedFunctionWrapper

class Of(ScalarFunction):
    def eval(self, x: int) -> int:
        return x

class Kind:
    __class__ = type

class Registered:
    def eval(self, x: int) -> int:
        return x

class Shown:
    def __repr__(self):
        raise SystemExit(9)

ScalarFunction.register(Registered)

class Meta(type(Of)):
    def __call__(cls):
        raise RuntimeError("made")

class Made(Of, metaclass=Meta):
    pass

class Begun(Of):
    def __init__(self):
        raise SystemExit(4)

class Asked(Of):
    def is_deterministic(self):
        raise RuntimeError("who asks")

class Documented(Of):
    @property
    def __doc__(self):
        raise RuntimeError("no words")

liar, kind, shown, half, many = Liar(), Kind(), Shown(), object.__new__(UserDefinedFunctionWrapper), {1: "x" * 9999}
""",
}
NO_FUNCTIONS = {
    "exits.f": r"SystemExit: 3, in .*exits\.py\", line 2",
    "raises.f": r"RuntimeError: boom, in .*raises\.py\", line 1",
    "ends.f": r"End: now, in .*ends\.py\", line 2",
    "wrong.f": r"wrong\.py\", line 1(?s:.*)SyntaxError: invalid syntax$",
    "needs.f": "No module named 'no_such_module'",
    "asked.f": r"RuntimeError: asked for f, in .*asked\.py\", line 2",
    "things.liar": "is no function",
    "things.kind": "is no function",
    "things.Registered": "is no function",
    "things.many": "x{100,190}… is no function",
    "things.shown": "SystemExit: 9",
    "things.half": "AttributeError",
    "things.Made": "RuntimeError: made",
    "things.Begun": "SystemExit: 4",
    "things.Asked": "RuntimeError: who asks",
    "things.Documented": "RuntimeError: no words",
}


@pytest.fixture
def hostile_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A package with these modules."""
    package = tmp_path / "code" / "hostile_code"
    package.mkdir(parents=True)
    for name, text in MODULES.items():
        (package / f"{name}.py").write_text(text)
    monkeypatch.syspath_prepend(package.parent)
    yield
    for name in [name for name in sys.modules if name.partition(".")[0] == "hostile_code"]:
        del sys.modules[name]


@pytest.mark.usefixtures("hostile_code")
@pytest.mark.parametrize("path", NO_FUNCTIONS)
def test_code_that_fails_on_inspection(env: TableEnvironment, path: str) -> None:
    """Neither a false ``__class__`` nor a SystemExit gets past the library, and the message names the function."""
    env.get_config().set(ALLOWED_PACKAGES, "hostile_code")
    env.execute_sql(f"CREATE FUNCTION odd AS 'hostile_code.{path}' LANGUAGE PYTHON")
    env.execute_sql("DESCRIBE FUNCTION EXTENDED odd")
    assert "odd" in env.list_user_defined_functions()
    assert "hostile_code" not in sys.modules
    for use in (
        lambda: env.sql_query("SELECT odd(1) AS a"),
        lambda: env.execute_sql(f"CREATE TEMPORARY SYSTEM FUNCTION mine AS 'hostile_code.{path}' LANGUAGE PYTHON"),
    ):
        with pytest.raises(ValidationException) as raised:
            use()
        told = str(raised.value).partition("\nline 1, column")[0]
        assert re.search(NO_FUNCTIONS[path], told), told
        assert re.match(r"The function (team\.default\.odd|mine) cannot be used: ", told), told
    assert "mine" not in env.list_user_defined_functions()


def test_a_default_that_calls_its_own_function(env: TableEnvironment) -> None:
    folder = env.get_catalog("team").path / "default" / "functions"  # type: ignore[attr-defined]  # a directory
    (folder / "one.sql").write_text("CREATE FUNCTION one(x INT DEFAULT other()) RETURNS INT RETURN x")
    (folder / "other.sql").write_text("CREATE FUNCTION other(x INT DEFAULT one()) RETURNS INT RETURN x")
    for text in ("SELECT one()", "SELECT other(1)", "SELECT * FROM one(1)"):
        with pytest.raises(ValidationException, match=r"^A function of SQL calls itself.*(\n.*){1,9}$"):
            env.sql_query(text)


def test_the_same_in_sparks_catalog(spark: SparkSession, mark: Path) -> None:
    env = TableEnvironment.create(spark=spark.newSession())
    env.execute_sql("CREATE DATABASE IF NOT EXISTS hostile")
    env.use_database("hostile")
    env.spark.sql(f"CREATE OR REPLACE FUNCTION hostile.nice AS 'python:{MODULE}.harmless'")
    try:
        assert env.list_user_defined_functions() == ["nice"]
        assert MODULE in str(list(env.execute_sql("DESCRIBE FUNCTION nice").collect()))
        with pytest.raises(TableException, match=r"to use it is to run that code"):
            env.sql_query("SELECT nice('x')")
        odd_paths = ("", "a", "..", "a..b", " os.system", "os.system ", "os.system; x", "`os`.system")
        for number, odd in enumerate(odd_paths):
            env.spark.sql(f"CREATE FUNCTION hostile.odd{number} AS 'python:{odd}'")
            with pytest.raises(ValidationException, match=rf"stored as '{re.escape(odd)}', which is no import path"):
                env.sql_query(f"SELECT odd{number}('x')")
        env.spark.sql("CREATE FUNCTION hostile.of_java AS 'java.lang.Runtime'")
        env.spark.sql("CREATE FUNCTION hostile.lies(x INT) RETURNS INT COMMENT 'Class: python:os.system' RETURN x")
        assert "of_java" in env.list_user_defined_functions()
        for name in ("of_java", "hostile.of_java"):
            with pytest.raises(FunctionNotExistException, match=r"hostile\.of_java is of Java or Scala"):
                env.sql_query(f"SELECT {name}('x')")
        assert env.sql_query("SELECT lies(1) AS a").get_resolved_schema().names == ("a",)
        assert not mark.exists()
    finally:
        env.use_database("default")
        env.spark.sql("DROP DATABASE hostile CASCADE")


PROGRAMS = {
    "views/v.sql": "CREATE VIEW v AS SELECT TRANSFORM(1) USING '{program}' AS (a STRING);",
    "views/over.sql": "CREATE VIEW over AS SELECT a FROM v;",
    "functions/rows_of.sql": "CREATE FUNCTION rows_of() RETURNS TABLE(a STRING) "
    "RETURN SELECT TRANSFORM(1) USING '{program}' AS (a STRING);",
    "functions/inlined.sql": "CREATE FUNCTION inlined() RETURNS TABLE(a STRING) INLINE "
    "RETURN SELECT TRANSFORM(1) USING '{program}' AS (a STRING);",
    "functions/asked.sql": "CREATE FUNCTION asked() RETURNS BIGINT "
    "RETURN (SELECT count(*) FROM (SELECT TRANSFORM(1) USING '{program}' AS (a STRING)));",
}


@pytest.mark.parametrize(
    ("query", "shown"),
    [
        ("SELECT a FROM v", "The view team.default.v"),
        ("SELECT a FROM over", "The view team.default.v"),
        ("SELECT a FROM rows_of()", "The function team.default.rows_of"),
        ("SELECT a FROM inlined()", "The function team.default.inlined"),
        ("SELECT asked() AS a", "The function team.default.asked"),
    ],
)
def test_programs_run_where_they_are_allowed(spark: SparkSession, tmp_path: Path, query: str, shown: str) -> None:
    mark = tmp_path / "mark"
    for path, text in PROGRAMS.items():
        file = tmp_path / "team" / "default" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text.replace("{program}", f"tee {mark}") + "\n", encoding="utf-8")
    env = TableEnvironment.create(spark=spark.newSession())
    env.register_catalog("team", DirectoryCatalog("team", tmp_path / "team"))
    env.use_catalog("team")
    # Listing and reading them works as for any other object.
    assert env.list_views() == ["over", "v"]
    assert env.list_user_defined_functions() == ["asked", "inlined", "rows_of"]
    assert env.from_path("over").get_resolved_schema().names == ("a",)
    assert "TRANSFORM" in env.show_create_view("v")
    with pytest.raises(ValidationException, match="show_create_view"):
        # Its query would count as one of the program itself.
        env.from_view_definition("v")
    env.execute_sql("DESCRIBE FUNCTION EXTENDED rows_of")
    message = (
        rf"^{shown} is stored with TRANSFORM … USING 'tee .*mark', and .* allow it with env\.get_config\(\)\.set\("
    )
    with pytest.raises(ValidationException, match=message):
        env.sql_query(query).execute()
    assert not mark.exists()
    # A TRANSFORM that the program itself writes is allowed.
    own = env.sql_query("SELECT TRANSFORM(1) USING 'cat' AS (a STRING)")
    env.create_temporary_view("own", own)
    assert [tuple(row) for row in env.from_path("own").execute().collect()] == [("1",)]
    env.get_config().set(ALLOWED_PROGRAMS, "true")
    assert [tuple(row) for row in env.sql_query(query).execute().collect()] in ([("1",)], [(1,)])
    assert mark.read_text() == "1\n"
