"""CREATE, ALTER, DROP, SHOW and DESCRIBE of functions, as Flink has them."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from ir.errors import (
    DatabaseNotExistException,
    FunctionAlreadyExistException,
    FunctionNotExistException,
    SqlParserException,
    TableException,
    ValidationException,
)
from tableapi import DirectoryCatalog, EnvironmentSettings, TableEnvironment
from tableapi.catalog.functions import FunctionLanguage
from tableapi.user_functions.stored import ALLOWED_PACKAGES, import_object
from tests.comparison import is_sound

MODULE = "tests.user_functions.functions"


@pytest.fixture
def env() -> TableEnvironment:
    settings = EnvironmentSettings.new_instance().with_built_in_catalog_name("memory")
    env = TableEnvironment.create(settings.with_built_in_database_name("d").build())
    env.get_config().set(ALLOWED_PACKAGES, "tests.user_functions")
    return env


def names(env: TableEnvironment, statement: str) -> list[str]:
    return [row[0] for row in env.execute_sql(statement).collect()]


def test_functions_of_python(env: TableEnvironment) -> None:
    env.execute_sql(f"CREATE FUNCTION plus AS '{MODULE}.plus' LANGUAGE PYTHON")
    env.execute_sql(f"CREATE TEMPORARY SYSTEM FUNCTION words AS '{MODULE}.words' LANGUAGE PYTHON")
    env.execute_sql(f"CREATE TEMPORARY FUNCTION d.total AS '{MODULE}.total' LANGUAGE PYTHON")
    assert names(env, "SHOW USER FUNCTIONS") == ["plus", "total", "words"]
    assert names(env, "SHOW ALL TEMPORARY FUNCTIONS") == ["memory.d.total"]
    assert names(env, "SHOW ALL TEMPORARY SYSTEM FUNCTIONS") == ["words"]
    assert names(env, "SHOW USER FUNCTIONS LIKE 'p*'") == ["plus"]
    assert {"plus", "upper", "words"} <= set(names(env, "SHOW FUNCTIONS"))
    query = env.sql_query("SELECT memory.d.plus(1L), d.total(2L)")
    assert "`memory`.`d`.`plus`(1L)" in query.as_serializable_string()
    env.execute_sql("DROP TEMPORARY SYSTEM FUNCTION words")
    env.execute_sql("DROP TEMPORARY FUNCTION total")
    env.execute_sql("DROP FUNCTION plus")
    env.execute_sql("DROP FUNCTION IF EXISTS plus")
    assert names(env, "SHOW USER FUNCTIONS") == []


@pytest.fixture
def filled(env: TableEnvironment, tmp_path: Path) -> TableEnvironment:
    """An environment with functions under every kind of name, in several databases and catalogs."""
    env.register_catalog("team", DirectoryCatalog("team", tmp_path))
    for statement in (
        "CREATE DATABASE other",
        f"CREATE TEMPORARY SYSTEM FUNCTION Words AS '{MODULE}.words' LANGUAGE PYTHON",
        f"CREATE TEMPORARY SYSTEM FUNCTION upper AS '{MODULE}.stored' LANGUAGE PYTHON",
        f"CREATE TEMPORARY FUNCTION Total AS '{MODULE}.total' LANGUAGE PYTHON",
        f"CREATE TEMPORARY FUNCTION no.where.gone AS '{MODULE}.total' LANGUAGE PYTHON",
        f"CREATE FUNCTION Plus_One AS '{MODULE}.plus' LANGUAGE PYTHON",
        "CREATE FUNCTION other.elsewhere(x INT) RETURNS INT RETURN x",
        "CREATE FUNCTION team.`default`.shared(x INT) RETURNS INT RETURN x",
    ):
        env.execute_sql(statement)
    return env


def test_listings_of_functions(filled: TableEnvironment) -> None:
    own = ["plus_one", "total", "upper", "words"]
    assert names(filled, "SHOW USER FUNCTIONS") == own
    every = names(filled, "SHOW FUNCTIONS")
    assert {*own, "lower"} <= set(every)
    assert not {"elsewhere", "shared", "gone"} & set(every)
    assert every == filled.list_functions()
    built_in = set(names(filled, "SHOW SYSTEM FUNCTIONS"))
    assert built_in >= {"lower", "upper"}
    assert not built_in & {"words", "plus_one"}
    assert sorted(set(names(filled, "SHOW ALL FUNCTIONS")) - built_in) == [
        "memory.d.plus_one",
        "memory.d.total",
        "memory.other.elsewhere",
        "no.where.gone",
        "team.default.shared",
        "words",
    ]
    assert names(filled, "SHOW ALL TEMPORARY FUNCTIONS") == ["memory.d.total", "no.where.gone"]
    assert names(filled, "SHOW ALL TEMPORARY SYSTEM FUNCTIONS") == ["Words", "upper"]


@pytest.mark.parametrize(
    ("statement", "found"),
    [
        ("SHOW USER FUNCTIONS FROM other", ["elsewhere", "upper", "words"]),
        ("SHOW USER FUNCTIONS IN team.`default`", ["shared", "upper", "words"]),
        ("SHOW USER FUNCTIONS IN no.where", ["gone", "upper", "words"]),
        ("SHOW FUNCTIONS FROM other LIKE 'else%'", ["elsewhere"]),
        ("SHOW USER FUNCTIONS LIKE '%o%'", ["plus_one", "total", "words"]),
        ("SHOW USER FUNCTIONS LIKE 't_tal'", ["total"]),
        (r"SHOW USER FUNCTIONS LIKE 't\_tal'", []),
        (r"SHOW USER FUNCTIONS LIKE '%\_%'", ["plus_one"]),
        (r"SHOW USER FUNCTIONS NOT LIKE '%\_%|w%'", ["total", "upper"]),
        ("SHOW USER FUNCTIONS NOT LIKE '%o%'", ["upper"]),
        ("SHOW USER FUNCTIONS ILIKE 'WORD_'", ["words"]),
        ("SHOW USER FUNCTIONS FROM other NOT ILIKE 'W%'", ["elsewhere", "upper"]),
        ("SHOW ALL TEMPORARY FUNCTIONS IN no.where", ["no.where.gone"]),
        ("SHOW ALL TEMPORARY FUNCTIONS LIKE '%.gone'", ["no.where.gone"]),
        ("SHOW ALL TEMPORARY SYSTEM FUNCTIONS NOT LIKE 'w%'", ["upper"]),
        ("SHOW ALL FUNCTIONS LIKE 'team.%'", ["team.default.shared"]),
    ],
)
def test_lists_by_database_and_pattern(filled: TableEnvironment, statement: str, found: list[str]) -> None:
    assert names(filled, statement) == found


def test_lists_of_a_database_that_does_not_exist(filled: TableEnvironment) -> None:
    with pytest.raises(DatabaseNotExistException, match=r"has no database 'never'"):
        filled.execute_sql("SHOW FUNCTIONS IN never")
    with pytest.raises(ValidationException, match=r"takes the name of a database: \[catalog\.\]database"):
        filled.execute_sql("SHOW FUNCTIONS IN a.b.c")


def test_descriptions(filled: TableEnvironment) -> None:
    filled.execute_sql(
        "CREATE FUNCTION plus(x INT COMMENT 'of', y INT DEFAULT 2) RETURNS INT COMMENT 'Adds.' RETURN x + y"
    )
    # The operator's definition is also named plus, but this is not a SQL name.
    assert names(filled, "DESCRIBE FUNCTION EXTENDED plus")[0].splitlines() == [
        "Function: memory.d.plus",
        "Language: SQL",
        "Usage: plus(x INT, y INT) RETURNS INT",
        "Body: x + y",
        "Kind: scalar",
        "Parameter: x INT: of",
        "Parameter: y INT DEFAULT 2",
        "Deterministic: yes",
        "System function: no",
        "Adds.",
    ]
    for name in ("upper", "system.session.upper"):
        assert names(filled, f"DESCRIBE FUNCTION EXTENDED {name}")[0].splitlines()[:5] == [
            "Function: upper",
            "Type: temporary",
            "Usage: upper(text <STRING>)",
            "Kind: scalar",
            "Deterministic: yes",
        ]
    assert names(filled, "DESCRIBE FUNCTION system.builtin.upper")[0].startswith("Function: UPPER\n")
    assert names(filled, "DESCRIBE FUNCTION EXTENDED plus_one")[0].splitlines()[1:3] == [
        "Language: PYTHON",
        f"Body: {MODULE}.plus",
    ]


def test_functions_of_sql_in_sparks_catalog_collide_as_everywhere(spark: SparkSession) -> None:
    env = TableEnvironment.create(spark=spark.newSession())
    env.execute_sql("CREATE DATABASE colliding")
    env.use_database("colliding")
    try:
        stored = "CREATE {} f(x INT) RETURNS INT RETURN x"
        env.execute_sql("CREATE TEMPORARY FUNCTION f(x INT) RETURNS INT RETURN x + 1")
        with pytest.raises(FunctionAlreadyExistException, match=r"register .+ A temporary function '.*drop"):
            env.execute_sql(stored.format("FUNCTION"))
        env.execute_sql(stored.format("FUNCTION IF NOT EXISTS"))
        env.execute_sql("DROP TEMPORARY FUNCTION f")
        assert names(env, "SHOW USER FUNCTIONS") == []
        env.execute_sql(stored.format("FUNCTION"))
        with pytest.raises(
            FunctionAlreadyExistException, match=r"A function 'spark_catalog\.colliding\.f' does already"
        ):
            env.execute_sql(stored.format("FUNCTION").replace("f(", "F("))
        env.execute_sql(stored.format("FUNCTION IF NOT EXISTS"))
        env.execute_sql(stored.format("OR REPLACE FUNCTION"))
        with pytest.raises(DatabaseNotExistException, match="nowhere"):
            env.execute_sql("CREATE FUNCTION nowhere.f(x INT) RETURNS INT RETURN x")
    finally:
        env.execute_sql("DROP DATABASE colliding CASCADE")


# If several operator symbols mean the same, one of them is the name.
OTHER_SIGNS = {
    "==": "=",
    "!=": "<>",
    "<=>": "IS NOT DISTINCT FROM",
    "!": "NOT",
    "||": "CONCAT",
    "<<": "SHIFTLEFT",
    ">>": "SHIFTRIGHT",
    ">>>": "SHIFTRIGHTUNSIGNED",
}


SIGNS = ("=", "<>", "<", "<=", ">", ">=", "+", "-", "*", "/", "%", "|", "&", "^", "~")
WORDS = ("DIV", "AND", "OR", "IN", "NOT", "BETWEEN", "LIKE", "RLIKE")


@pytest.mark.parametrize("sign", [*OTHER_SIGNS, *SIGNS, *WORDS])
def test_operators_are_described_by_their_signs(filled: TableEnvironment, spark: SparkSession, sign: str) -> None:
    """As in Spark, with and without quotes."""
    assert spark.sql(f"DESCRIBE FUNCTION {sign}").collect()[0][0].casefold() == f"function: {sign}".casefold()
    (described,) = names(filled, f"DESCRIBE FUNCTION {sign}")
    assert described.startswith(f"Function: {OTHER_SIGNS.get(sign, sign)}\n")
    assert names(filled, f"DESC FUNCTION '{sign}'") == [described]
    (extended,) = names(filled, f"DESCRIBE FUNCTION EXTENDED {sign}")
    assert extended.splitlines()[:2] == described.splitlines()[:2]


def test_unknown_operators_are_not_described(filled: TableEnvironment) -> None:
    for text in ("->", "::", "= =", "+ x", "a = b"):
        with pytest.raises(SqlParserException):
            filled.execute_sql(f"DESCRIBE FUNCTION {text}")


def test_code_is_looked_up_once(env: TableEnvironment, monkeypatch: pytest.MonkeyPatch) -> None:
    looked_up: list[str] = []

    def counting(path: str) -> object:
        looked_up.append(path)
        return import_object(path)

    monkeypatch.setattr("tableapi.user_functions.stored.import_object", counting)
    env.execute_sql(f"CREATE TEMPORARY FUNCTION f AS '{MODULE}.plus' LANGUAGE PYTHON")
    env.execute_sql(f"CREATE FUNCTION g AS '{MODULE}.plus' LANGUAGE PYTHON")
    assert looked_up == [f"{MODULE}.plus"]
    for _ in range(3):
        env.sql_query("SELECT f(1L), g(2L), f(g(3L))")
    assert looked_up == [f"{MODULE}.plus"] * 2
    env.execute_sql(f"ALTER FUNCTION g AS '{MODULE}.total' LANGUAGE PYTHON")
    env.sql_query("SELECT g(x) FROM VALUES (1L) AS t(x)")
    assert looked_up == [*[f"{MODULE}.plus"] * 2, f"{MODULE}.total"]


@pytest.mark.parametrize(
    ("declared", "message"),
    [
        ("(x INT) RETURNS INT RETURN y + 1", r"Cannot resolve field \[y\]"),
        ("(x INT, z INT DEFAULT y) RETURNS INT RETURN x", r"Cannot resolve y: no columns are in scope here"),
        ("(x INT, z INT DEFAULT x) RETURNS INT RETURN x", r"Cannot resolve x: no columns are in scope here"),
        ("(x INT DEFAULT (SELECT 1)) RETURNS INT RETURN x", r"The default of the parameter 'x' asks a query"),
        ("(x INT DEFAULT 1, y INT) RETURNS INT RETURN x", r"'y' has no default, but 'x' before it has one"),
        ("(x INT NOT NULL) RETURNS INT RETURN x", r"The parameter 'x' is NOT NULL"),
        ("(x INT) RETURNS INT RETURN SUM(x)", r"sum\(x\) in it is computed of several\. .* CREATE AGGREGATE FUNCTION"),
        ("(x INT) RETURNS INT RETURN SELECT 1, 2", r"A scalar subquery has one column, but the table has 2"),
        ("(x INT) RETURNS INT RETURN 1 + (SELECT (SELECT x))", r"^x is a column of a query, or a parameter"),
        ("(x INT) RETURNS ARRAY<INT> RETURN x", r"(?s)CAST"),
        ("(x INT) RETURNS TABLE(a INT) RETURN SELECT x AS a, 1 AS b", r"gives 2 columns, but 1 are declared"),
        (
            "(w INT) RETURNS TABLE(a INT) RETURN SELECT 1 AS a FROM VALUES (1) AS t(b) WHERE EXISTS "
            "(SELECT * FROM VALUES (2) AS u(c) WHERE c = w)",
            r"^w is a column of a query, or a parameter of a function, two levels further out\.",
        ),
    ],
)
def test_wrong_bodies_are_refused_when_created(env: TableEnvironment, declared: str, message: str) -> None:
    for kind in ("", "TEMPORARY ", "TEMPORARY SYSTEM ", "OR REPLACE TEMPORARY "):
        with pytest.raises(TableException, match=message):
            env.execute_sql(f"CREATE {kind}FUNCTION f{declared}")
    assert names(env, "SHOW USER FUNCTIONS") == []


def test_functions_of_sql(env: TableEnvironment) -> None:
    env.execute_sql("CREATE FUNCTION twice(x BIGINT COMMENT 'of', y BIGINT DEFAULT 2) RETURNS BIGINT RETURN x * y")
    stored = env.get_catalog("memory").get_function("d", "twice")
    assert stored is not None
    assert (stored.language, stored.body) == (FunctionLanguage.SQL, "x * y")
    assert [(p.name, p.default, p.comment) for p in stored.parameters] == [("x", None, "of"), ("y", "2", None)]
    assert str(env.sql_query("SELECT twice(3)").get_resolved_schema()) == "(`twice(3)` BIGINT NOT NULL)"
    (described,) = names(env, "DESCRIBE FUNCTION twice")
    assert described.splitlines()[:3] == [
        "Function: memory.d.twice",
        "Language: SQL",
        "Usage: twice(x BIGINT, y BIGINT) RETURNS BIGINT",
    ]


def test_functions_of_sql_that_ask_a_query(env: TableEnvironment) -> None:
    numbers = env.from_elements([(1, 10), (1, 20), (2, 30)], ["k", "n"])
    env.create_temporary_view("numbers", numbers)
    for statement in [
        "TEMPORARY FUNCTION most(k INT) RETURNS BIGINT RETURN SELECT max(n) FROM numbers WHERE numbers.k = most.k",
        "TEMPORARY FUNCTION known(x INT DEFAULT 1 + 1) RETURNS BOOLEAN RETURN x IN (SELECT k FROM numbers)",
        "TEMPORARY FUNCTION itself(x INT) RETURN SELECT x",
        "TEMPORARY FUNCTION half(x INT) RETURN x / 2",
        "TEMPORARY FUNCTION of_key(x INT) RETURNS TABLE RETURN SELECT k, n * 2 AS m FROM numbers WHERE k = x",
        "FUNCTION memory.d.stored(x INT) RETURN WITH q AS (SELECT x AS y) SELECT y FROM q",
    ]:
        env.execute_sql(f"CREATE {statement}")
    text = "SELECT most(k) AS a, known(k) AS b, known() AS c, itself(k) AS d, half(k) AS e, stored(k) AS f FROM numbers"
    schema = "(`a` BIGINT, `b` BOOLEAN, `c` BOOLEAN, `d` INT, `e` DOUBLE, `f` INT)"
    assert str(env.sql_query(text).get_resolved_schema()).replace(" NOT NULL", "") == schema
    assert str(env.sql_query("SELECT * FROM of_key(1)").get_resolved_schema()) == "(`k` INT, `m` INT)"


def test_replaced_code(env: TableEnvironment) -> None:
    env.execute_sql(f"CREATE FUNCTION f AS '{MODULE}.plus' LANGUAGE PYTHON")
    env.execute_sql(f"ALTER FUNCTION f AS '{MODULE}.longest' LANGUAGE PYTHON")
    assert "longest" in names(env, "DESCRIBE FUNCTION f")[0]
    env.execute_sql(f"CREATE FUNCTION IF NOT EXISTS f AS '{MODULE}.words' LANGUAGE PYTHON")
    assert "longest" in names(env, "DESCRIBE FUNCTION f")[0]
    env.execute_sql(f"CREATE OR REPLACE TEMPORARY SYSTEM FUNCTION f AS '{MODULE}.plus' LANGUAGE PYTHON")
    env.execute_sql("CREATE OR REPLACE TEMPORARY SYSTEM FUNCTION f(x INT) RETURNS INT RETURN x + 1")
    assert env.sql_query("SELECT f(1) AS v").get_resolved_schema().columns[0].data_type.as_summary_string() == (
        "INT NOT NULL"
    )


def test_dropping_a_temporary_system_function(env: TableEnvironment) -> None:
    env.execute_sql(f"CREATE TEMPORARY SYSTEM FUNCTION f AS '{MODULE}.plus' LANGUAGE PYTHON")
    with pytest.raises(FunctionNotExistException, match=r"'memory\.d\.f' doesn't exist\. There is a temporary system"):
        env.execute_sql("DROP FUNCTION F")
    env.execute_sql("DROP TEMPORARY SYSTEM FUNCTION F")


@pytest.mark.parametrize(
    ("statement", "kind", "message"),
    [
        (
            f"CREATE FUNCTION taken AS '{MODULE}.plus' LANGUAGE PYTHON",
            FunctionAlreadyExistException,
            "does already",
        ),
        ("DROP FUNCTION missing", FunctionNotExistException, r"'memory\.d\.missing' doesn't exist"),
        ("DROP FUNCTION takn", FunctionNotExistException, r"Did you mean 'taken'\?"),
        (
            "DROP TEMPORARY FUNCTION missing",
            FunctionNotExistException,
            r"^Temporary catalog function memory\.d\.missing doesn't exist",
        ),
        (
            "DROP TEMPORARY SYSTEM FUNCTION missing",
            FunctionNotExistException,
            r"^Could not drop temporary system function\. A function named 'missing' doesn't exist\.",
        ),
        *[
            (
                f"{statement} SYSTEM FUNCTION taken{rest}",
                SqlParserException,
                rf"{statement} TEMPORARY SYSTEM FUNCTION\.",
            )
            for statement, rest in {
                "CREATE": f" AS '{MODULE}.plus' LANGUAGE PYTHON",
                "ALTER": f" AS '{MODULE}.plus' LANGUAGE PYTHON",
                "DROP": "",
            }.items()
        ],
        ("CREATE SYSTEM FUNCTION f AS 'a.b'", SqlParserException, r"CREATE TEMPORARY SYSTEM FUNCTION\."),
        ("CREATE TEMPORARY SYSTEM FUNCTION f AS 'a.b'", ValidationException, r"is one of LANGUAGE PYTHON"),
        (f"ALTER FUNCTION missing AS '{MODULE}.plus' LANGUAGE PYTHON", FunctionNotExistException, r"Could not alter"),
        (f"ALTER TEMPORARY FUNCTION f AS '{MODULE}.plus' LANGUAGE PYTHON", ValidationException, r"drop it, and create"),
        ("ALTER FUNCTION taken AS 'a.b'", ValidationException, r"LANGUAGE PYTHON\. A function of SQL is replaced by"),
        ("ALTER FUNCTION taken AS 'a b' LANGUAGE PYTHON", ValidationException, r"'a b' is no import path of Python"),
        ("CREATE FUNCTION f AS 'a.b c' LANGUAGE PYTHON", ValidationException, r"'a.b c' is no import path of Python"),
        ("CREATE FUNCTION f AS 'com.acme.F' LANGUAGE JAVA", ValidationException, r"LANGUAGE PYTHON; .* says JAVA"),
        ("CREATE TEMPORARY SYSTEM FUNCTION f AS 'os.system' LANGUAGE PYTHON", ValidationException, r"is not allowed"),
        (
            f"CREATE TEMPORARY SYSTEM FUNCTION f AS '{MODULE}.nothing' LANGUAGE PYTHON",
            ValidationException,
            r"has nothing named 'nothing'",
        ),
        (
            f"CREATE TEMPORARY SYSTEM FUNCTION f AS '{MODULE}.dt' LANGUAGE PYTHON",
            ValidationException,
            r"is no function",
        ),
        ("CREATE FUNCTION f(x INT RETURNS INT RETURN x", SqlParserException, r"RETURNS"),
    ],
)
def test_wrong_statements(env: TableEnvironment, statement: str, kind: type[Exception], message: str) -> None:
    env.execute_sql(f"CREATE FUNCTION taken AS '{MODULE}.plus' LANGUAGE PYTHON")
    with pytest.raises(kind, match=message):
        env.execute_sql(statement)
    assert names(env, "SHOW USER FUNCTIONS") == ["taken"]


def test_temporary_functions_that_are_not_there(env: TableEnvironment, spark: SparkSession) -> None:
    of_spark = TableEnvironment.create(spark=spark.newSession())
    of_spark.get_config().set(ALLOWED_PACKAGES, "tests.user_functions")
    of_spark.spark.udf.register("from_elsewhere", lambda x: x)
    for asked in (env, of_spark):
        for name in ("Shout", "Upper"):
            asked.execute_sql(f"CREATE TEMPORARY SYSTEM FUNCTION {name} AS '{MODULE}.plus' LANGUAGE PYTHON")
        asked.execute_sql(f"CREATE TEMPORARY FUNCTION whisper AS '{MODULE}.plus' LANGUAGE PYTHON")
        for statement, message in {
            "DROP TEMPORARY FUNCTION upper": r"There is a temporary system function 'upper': DROP TEMPORARY SYSTEM",
            "DROP TEMPORARY FUNCTION shout": r"There is a temporary system function 'shout': DROP TEMPORARY SYSTEM",
            "DROP TEMPORARY FUNCTION lower": r"^Temporary catalog function \S+\.lower doesn't exist\.$",
            "DROP TEMPORARY FUNCTION whispr": r"\.whispr doesn't exist\. Did you mean 'whisper'\?$",
            "DROP TEMPORARY SYSTEM FUNCTION shut": r"named 'shut' doesn't exist\. Did you mean 'Shout'\?$",
            "DROP TEMPORARY SYSTEM FUNCTION whisper": r"There is a temporary function 'whisper': DROP TEMPORARY",
        }.items():
            with pytest.raises(FunctionNotExistException, match=message):
                asked.execute_sql(statement)
            asked.execute_sql(statement.replace("FUNCTION", "FUNCTION IF EXISTS"))
        assert names(asked, "SHOW ALL TEMPORARY SYSTEM FUNCTIONS") == ["Shout", "Upper"]
    # A function that the session got elsewhere.
    of_spark.execute_sql("DROP TEMPORARY FUNCTION from_elsewhere")
    assert not of_spark.spark.catalog.functionExists("from_elsewhere")


@pytest.mark.usefixtures("spark")
def test_temporary_functions_in_the_namespace_that_spark_has_for_them(env: TableEnvironment) -> None:
    def value(name: str) -> object:
        return next(iter(env.sql_query(f"SELECT {name}() AS v").execute().collect()))[0]

    create = "CREATE {}TEMPORARY FUNCTION {}() RETURNS INT RETURN {}"
    env.execute_sql(create.format("", "system.session.f", 1))
    assert [value(name) for name in ("f", "session.f", "SYSTEM.SESSION.F", "memory.d.f")] == [1, 1, 1, 1]
    with pytest.raises(FunctionAlreadyExistException):
        env.execute_sql(create.format("", "f", 2))
    env.execute_sql(create.format("OR REPLACE ", "session.f", 2))
    assert value("f") == 2
    env.execute_sql("CREATE TEMPORARY FUNCTION session.t() RETURNS TABLE (a INT) RETURN SELECT 1")
    assert [tuple(row) for row in env.sql_query("SELECT a FROM session.t()").execute().collect()] == [(1,)]
    with pytest.raises(ValidationException, match=r"t is a table function, which stands in FROM: FROM t\(…\), or"):
        env.sql_query("SELECT session.t()")
    env.execute_sql("DROP TEMPORARY FUNCTION Session.f")
    env.execute_sql("DROP TEMPORARY FUNCTION IF EXISTS session.f")
    with pytest.raises(FunctionNotExistException, match=r"^Temporary catalog function memory\.d\.f doesn't exist"):
        env.execute_sql("DROP TEMPORARY FUNCTION session.f")
    env.execute_sql(f"CREATE TEMPORARY SYSTEM FUNCTION system.session.g AS '{MODULE}.plus' LANGUAGE PYTHON")
    assert names(env, "SHOW ALL TEMPORARY SYSTEM FUNCTIONS") == ["g"]
    env.execute_sql("DROP TEMPORARY FUNCTION system.session.g")
    assert names(env, "SHOW ALL TEMPORARY SYSTEM FUNCTIONS") == []
    with pytest.raises(ValidationException, match=r"system\.builtin\.f is a built-in one"):
        env.execute_sql(create.format("", "system.builtin.f", 1))


def test_functions_in_sparks_catalog(spark: SparkSession) -> None:
    session = spark.newSession()
    session.sql("CREATE DATABASE IF NOT EXISTS statements_of_functions")
    env = TableEnvironment.create(spark=session)
    env.use_database("statements_of_functions")
    env.get_config().set(ALLOWED_PACKAGES, "tests.user_functions")
    env.execute_sql("CREATE FUNCTION full_name(a STRING, b STRING DEFAULT 'x') RETURNS STRING RETURN concat(a, ' ', b)")
    env.execute_sql(f"CREATE FUNCTION plus AS '{MODULE}.plus' LANGUAGE PYTHON")
    env.create_function("upper", lambda x: x + 1, input_types=["INT"], comment="Not the built-in one.")
    assert env.list_user_defined_functions() == ["full_name", "plus", "upper"]
    names_of = "full_name('a'), plus(1L), upper('b'), statements_of_functions.upper(1)"
    query = env.sql_query(f"SELECT {names_of}")
    assert [tuple(row) for row in query.execute().collect()] == [("a x", 11, "B", 2)]
    # Another environment finds them without registration, and plain Spark finds those in SQL.
    other = TableEnvironment.create(spark=spark.newSession())
    other.get_config().set(ALLOWED_PACKAGES, "tests.user_functions")
    found = other.sql_query("SELECT statements_of_functions.full_name('a', 'b'), statements_of_functions.plus(1L, 2L)")
    assert [tuple(row) for row in found.execute().collect()] == [("a b", 3)]
    assert spark.sql("SELECT statements_of_functions.full_name('a')").collect()[0][0] == "a x"
    view = env.sql_query("SELECT full_name('c') AS n")
    env.create_view("named", view)
    assert spark.table("statements_of_functions.named").collect()[0][0] == "c x"
    with pytest.raises(ValidationException, match=r"which is written in Python, and Spark stores no views over such"):
        env.create_view("never", env.sql_query("SELECT plus(1L) AS n"))
    for name in ("plus", "upper"):
        env.execute_sql(f"DROP FUNCTION {name}")
    env.execute_sql("DROP VIEW named")
    env.execute_sql("DROP FUNCTION full_name")
    assert env.list_user_defined_functions() == []
    session.sql("DROP DATABASE statements_of_functions CASCADE")


def test_functions_with_queries_equal_those_of_spark(spark: SparkSession) -> None:
    """Each function is stored in Spark, and as a temporary one here, whose calls are inlined."""
    from tableapi.spark.types import from_spark

    session = spark.newSession()
    session.sql("CREATE DATABASE IF NOT EXISTS asking")
    env = TableEnvironment.create(spark=session)
    env.use_database("asking")
    session.sql("USE asking")
    session.sql("CREATE TABLE numbers USING parquet AS VALUES (1, 10), (1, 20), (2, NULL), (NULL, 5) AS t(k, n)")
    bodies = {
        "most": "(k INT) RETURNS INT RETURN SELECT max(n) FROM numbers WHERE numbers.k = {0}.k",
        "known": "(x INT DEFAULT 1 + 1) RETURNS BOOLEAN RETURN EXISTS (SELECT * FROM numbers WHERE k = x)",
        "listed": "(x INT) RETURNS BOOLEAN RETURN x IN (SELECT k FROM numbers WHERE k IS NOT NULL)",
        "itself": "(x INT) RETURN SELECT x + 1.5",
        "of_key": "(x INT) RETURNS TABLE(k INT, m BIGINT) RETURN SELECT k, n * 2 FROM numbers WHERE k = x",
    }
    for name, body in bodies.items():
        env.execute_sql(f"CREATE FUNCTION {name}{body.format(name)}")
        env.execute_sql(f"CREATE TEMPORARY FUNCTION own_{name}{body.format(f'own_{name}')}")
    queries = [
        "SELECT k, {0}most(k) AS a, {0}most(k + 1) AS b, {0}known(k) AS c, {0}known() AS d FROM numbers",
        "SELECT {0}itself(k) AS e FROM numbers",
        "SELECT n FROM numbers WHERE {0}listed(k) AND {0}most(k) > 10",
        "SELECT k, sum({0}most(k)) AS s, {0}most(CAST(count(*) AS INT)) AS m FROM numbers GROUP BY k",
        "SELECT n, m FROM numbers, LATERAL {0}of_key(numbers.k) AS f",
    ]
    for text in queries:
        expected = session.sql(text.format(""))
        kept = sorted((tuple(row) for row in expected.collect()), key=repr)
        for prefix in ("", "own_"):
            found = env.sql_query(text.format(prefix))
            with found.execute().collect() as given:
                assert sorted((tuple(row) for row in given), key=repr) == kept, prefix + text
            columns = found.get_resolved_schema().columns
            for column, field in zip(columns, expected.schema.fields, strict=True):
                spark_type = from_spark(field.dataType, field.nullable)
                assert is_sound(column.data_type, spark_type), (prefix, text, column, spark_type)
    session.sql("DROP DATABASE asking CASCADE")
