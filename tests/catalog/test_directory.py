"""The directory catalog: its files, edits by hand, views over views, and names."""

from __future__ import annotations

import tempfile
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from ir.errors import (
    CatalogException,
    TableAlreadyExistException,
    TableException,
    ValidationException,
)
from ir.identifiers import fold
from ir.schema import Column, ResolvedSchema
from ir.types import (
    BOOLEAN,
    BYTES,
    INT,
    STRING,
    TIMESTAMP,
    TIMESTAMP_LTZ,
    ArrayType,
    CharType,
    DecimalType,
    MapType,
    RowField,
    RowType,
    VarCharType,
)
from tableapi import EnvironmentSettings, Schema, TableEnvironment
from tableapi.catalog.catalog import CatalogTable, CatalogView
from tableapi.catalog.directory import DirectoryCatalog
from tableapi.catalog.file_names import LONGEST, file_name, object_name
from tableapi.catalog.functions import CatalogFunction, FunctionParameter
from tableapi.declarations.file_tables import FileTable
from tableapi.expressions import col
from tests.catalog.contract import SCALAR, TABLE, CatalogContract, comments, python, said, sql, view_of

SCHEMA = ResolvedSchema.of(["a"], [INT])


@pytest.fixture
def catalog(tmp_path: Path) -> DirectoryCatalog:
    return DirectoryCatalog("team", tmp_path)


@pytest.fixture
def database(catalog: DirectoryCatalog) -> str:
    return catalog.default_database


@pytest.fixture
def make_table(catalog: DirectoryCatalog, database: str) -> Callable[[str], None]:
    return lambda name: catalog.create_table(database, name, CatalogTable(SCHEMA))


class TestContract(CatalogContract):
    pass


def files_in(catalog: DirectoryCatalog) -> dict[str, bytes]:
    """Return the files of a catalog, without its internal ones."""
    found = [path for path in catalog.path.rglob("*") if path.is_file() and ".tableapi" not in path.parts]
    return {str(path.relative_to(catalog.path)): path.read_bytes() for path in sorted(found)}


def write(catalog: DirectoryCatalog, path: str, text: str | bytes) -> Path:
    target = catalog.path / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(text if isinstance(text, bytes) else text.encode())
    return target


# --- contents of the files -------------------------------------------------------------------------------------------


def test_a_view_file_is_a_readable_statement(catalog: DirectoryCatalog, database: str) -> None:
    view = view_of(
        "SELECT 1 AS a, 2 AS b -- last",
        ("a", "it's"),
        "b",
        comment="all of them",
        properties={"z": "", "k": "v"},
        settings={"spark.sql.session.timeZone": "Europe/Berlin"},
    )
    catalog.create_view(database, "Late Flights", view)
    expected = r"""-- SET spark.sql.session.timeZone=Europe/Berlin;
CREATE VIEW `Late Flights` (
  a COMMENT 'it\'s',
  b)
COMMENT 'all of them'
TBLPROPERTIES (
  'k' = 'v',
  'z' = '')
AS
SELECT 1 AS a, 2 AS b -- last
;
"""
    assert files_in(catalog) == {
        "default/database.sql": b"CREATE DATABASE `default`;\n",
        "default/views/Late%20Flights.sql": expected.encode(),
    }
    found = catalog.get_table(database, "late flights")
    assert isinstance(found, CatalogView)
    assert (found.text, found.settings) == (view.text, view.settings)


def test_functions_are_statements(catalog: DirectoryCatalog, database: str) -> None:
    catalog.create_function(database, "full_name", SCALAR)
    catalog.create_function(database, "pairs", TABLE)
    catalog.create_function(database, "score", python("team.scores.Score"))
    files = files_in(catalog)
    assert files["default/functions/score.sql"].decode() == (
        "CREATE FUNCTION `score`\nAS 'team.scores.Score'\nLANGUAGE PYTHON;\n"
    )
    assert files["default/functions/pairs.sql"].decode() == (
        "CREATE FUNCTION `pairs`(\n  `x` INT)\n"
        "RETURNS TABLE(\n  `a` INT COMMENT 'it\\'s',\n  `b c` ARRAY<STRUCT<`p q`: STRING>>)\n"
        "RETURN\nSELECT `x` AS `a`, array(named_struct('p q', 'x')) AS `b c`;\n"
    )


def test_a_function_of_every_kind_is_typed(catalog: DirectoryCatalog, database: str) -> None:
    for function in (SCALAR, TABLE):
        catalog.create_function(database, "f", function, or_replace=True)
        found = catalog.get_function(database, "f")
        assert isinstance(found, CatalogFunction)
        assert found.parameters == function.parameters


def test_tables_are_statements(catalog: DirectoryCatalog, database: str, tmp_path: Path) -> None:
    nested = RowType((RowField("x y", ArrayType(INT.not_null()), "it's"), RowField("z", TIMESTAMP.not_null())))
    types = [INT.not_null(), CharType(3), VarCharType(4), DecimalType(5, 2), BYTES, TIMESTAMP_LTZ, MapType(STRING, INT)]
    columns = [Column(f"c{i}", t) for i, t in enumerate([*types, nested])]
    schema = ResolvedSchema((*columns, Column("day", STRING, "which")))
    files = FileTable("parquet", str(tmp_path / "it's"), {"compression": "zstd"}, schema, ("day",), (), "all")
    table = CatalogTable(files.source.schema, "all", files.options, files.source, files, ("day",))
    catalog.create_table(database, "t", table)
    catalog.create_table(database, "declared", CatalogTable(schema, "c", {"k": "v"}, partition_keys=("day",)))
    found = catalog.get_table(database, "t")
    assert isinstance(found, CatalogTable)
    assert found.files is not None
    assert found.files.schema is schema
    for name in ("format", "path", "options", "partition_keys", "comment"):
        assert getattr(found.files, name) == getattr(files, name)
    assert found.schema is files.source.schema
    declared = catalog.get_table(database, "declared")
    assert isinstance(declared, CatalogTable)
    assert declared.schema is schema
    assert (declared.comment, declared.options, declared.partition_keys) == ("c", {"k": "v"}, ("day",))
    text = (catalog.path / "default" / "tables" / "t.sql").read_text()
    assert "  `c0` INT NOT NULL,\n" in text
    assert "`c7` STRUCT<`x y`: ARRAY<INT NOT NULL> COMMENT 'it\\'s', `z`: TIMESTAMP_NTZ NOT NULL>" in text


def test_declared_tables_keep_their_rules(tmp_path: Path) -> None:
    schema = (
        Schema.new_builder()
        .column("a", "INT NOT NULL")
        .column("b", "STRING")
        .with_default("x")
        .primary_key("a")
        .check(col("a") > 0, name="positive")
        .build()
    )
    texts = []
    for _ in range(2):
        te = TableEnvironment.create(EnvironmentSettings.new_instance().with_built_in_catalog_name("memory").build())
        te.register_catalog("team", DirectoryCatalog("team", tmp_path))
        te.use_catalog("team")
        if not texts:
            te.declare("t", schema)
        texts.append(te.execute_sql("SHOW CREATE TABLE t").collect().__next__()[0])
        with pytest.raises(ValidationException, match="violates the CHECK constraint positive of team"):
            te.sql_statement("INSERT INTO t VALUES (-1, DEFAULT)")
        assert te.sql_statement("INSERT INTO t (a) VALUES (1)").get_command() is not None
    assert texts[0] == texts[1]
    assert "DEFAULT 'x'" in texts[0]
    assert "PRIMARY KEY (`a`)" in texts[0]


def test_unstorable_objects_are_rejected(catalog: DirectoryCatalog, database: str) -> None:
    files = FileTable("csv", "/x", {}, SCHEMA, ())
    with pytest.raises(TableException, match="rows of its own"):
        catalog.create_table(database, "t", CatalogTable(SCHEMA, data=files.source))
    derived = FileTable("csv", "/x", {}, SCHEMA, (), ((Column("b", INT), "a + 1"),))
    with pytest.raises(TableException, match="computed columns"):
        catalog.create_table(database, "t", CatalogTable(SCHEMA, files=derived))
    with pytest.raises(TableException, match="no path"):
        catalog.create_table(database, "t", CatalogTable(SCHEMA, files=FileTable("csv", None, {}, SCHEMA, ())))
    for text, message in (("SELECT 1 FRM x", "FRM"), ("SELECT 1; SELECT 2", "several statements"), ("", "Cannot read")):
        with pytest.raises(ValidationException, match=rf"team\.default\.v cannot be stored(?s:.*){message}"):
            catalog.create_view(database, "v", view_of(text))
    with pytest.raises(ValidationException, match=r"timeZone.*is no line"):
        catalog.create_view(database, "v", view_of("SELECT 1 AS a", settings={"spark.sql.session.timeZone": "a\nb"}))
    with pytest.raises(ValidationException, match="half of a surrogate pair"):
        catalog.create_view(database, "v", view_of("SELECT 1 AS a", comment="x\ud800"))
    for name, text in (("v", "SELECT 'x\ud800' AS a"), ("v\ud800", "SELECT 1 AS a")):
        with pytest.raises(ValidationException, match="lone surrogate"):
            catalog.create_view(database, name, view_of(text))
    with pytest.raises(CatalogException, match="needs the namespace 'other'"):
        catalog.create_view(database, "v", view_of("SELECT 1 AS a", namespace=("other",)))
    with pytest.raises(ValidationException, match="must not be empty"):
        catalog.create_view(database, "", view_of("SELECT 1 AS a"))
    assert files_in(catalog).keys() <= {"default/database.sql"}


def test_equal_content_leaves_files_untouched(catalog: DirectoryCatalog, database: str) -> None:
    view = view_of("SELECT 1 AS a", properties={"b": "1", "a": "2"})
    catalog.create_view(database, "v", view)
    path = catalog.path / "default" / "views" / "v.sql"
    before = path.stat(), path.read_bytes()
    turned = view_of("SELECT 1 AS a", properties={"a": "2", "b": "1"})
    catalog.create_view(database, "v", turned, or_replace=True)
    assert (path.stat().st_mtime_ns, path.stat().st_ino) == (before[0].st_mtime_ns, before[0].st_ino)
    assert path.read_bytes() == before[1]
    other = DirectoryCatalog("other", catalog.path.parent / (catalog.path.name + " other"))
    other.create_view("DEFAULT", "v", turned)
    assert files_in(other)["default/views/v.sql"] == before[1]


def test_no_other_files_beside_the_objects(catalog: DirectoryCatalog, database: str) -> None:
    catalog.create_view(database, "v", view_of("SELECT 1 AS a"))
    own = catalog.path / ".tableapi"
    assert sorted(path.name for path in own.iterdir()) == [".gitignore", "lock"]
    assert (own / ".gitignore").read_text() == "*\n"


def test_reading_creates_no_files(tmp_path: Path) -> None:
    catalog = DirectoryCatalog("team", tmp_path / "not there")
    assert catalog.list_databases() == ["default"]
    assert catalog.list_tables("default") == catalog.list_functions("default") == []
    assert catalog.broken_files() == {}
    assert not catalog.path.exists()
    (tmp_path / "file").write_text("x")
    with pytest.raises(CatalogException, match="no directory"):
        DirectoryCatalog("team", tmp_path / "file")


# --- edits by hand ---------------------------------------------------------------------------------------------------


def test_files_edited_by_hand(catalog: DirectoryCatalog) -> None:
    write(catalog, "sales/views/late.sql", "-- how I like it\ncreate or replace view sales.late as\r\nselect 1 as a")
    write(
        catalog,
        "sales/functions/f.sql",
        "CREATE FUNCTION f(x INT DEFAULT 1 COMMENT 'c') RETURNS INT RETURN x + 1;\n;\n",
    )
    write(catalog, "sales/README.md", "not SQL")
    write(catalog, "docs/intro.md", "no database")
    assert catalog.list_databases() == ["default", "sales"]
    assert catalog.list_views("sales") == ["late"]
    found = catalog.get_table("sales", "late")
    assert isinstance(found, CatalogView)
    assert found.text == "select 1 as a"
    assert said(catalog.get_function("sales", "f")) == said(sql("x + 1", FunctionParameter("x", INT, "1", "c")))
    write(catalog, "sales/views/late.sql", b"\xef\xbb\xbfCREATE VIEW late (b COMMENT 'x') AS select 'x' as a;")
    changed = catalog.get_table("sales", "late")
    assert changed.schema is ResolvedSchema((Column("b", STRING.not_null(), "x"),))
    catalog.create_view("sales", "LATE", view_of("SELECT 3 AS b", "b"), or_replace=True)
    assert comments(catalog.get_table("sales", "late")) == {"b": "x"}
    (catalog.path / "sales/views/late.sql").unlink()
    assert catalog.list_views("sales") == []


BROKEN = {
    "no SQL at all": ("nonsense", r"line 1, column 1"),
    "a wrong word": ("CREATE VIEW v AS\nSELECT 1 AS a\nFRM x", r"line 3, column 1"),
    "nothing": ("", "no statement"),
    "a comment": ("-- to do", "no statement"),
    "several statements": ("CREATE VIEW v AS SELECT 1;\nDROP TABLE x", r"several statements(?s:.*)line 1, column 26"),
    "another name": ("CREATE VIEW w AS SELECT 1 AS a", r"file of 'v' and says 'w'(?s:.*)line 1, column 13"),
    "another database": ("CREATE VIEW sales.v AS SELECT 1 AS a", "in the database 'default' and says 'sales'"),
    "another kind": ("CREATE TABLE v (a INT)", "holds a CREATE TABLE statement and not a CREATE VIEW statement"),
    "something temporary": ("CREATE TEMPORARY VIEW v AS SELECT 1 AS a", "not temporary"),
    "no UTF-8": (b"CREATE VIEW v AS\nSELECT '\xff' AS a", "not UTF-8: line 2 has the byte 0xFF"),
    "a column twice": ("CREATE VIEW v (a, A) AS SELECT 1, 2", "'A' is there twice"),
}


@pytest.mark.parametrize("case", sorted(BROKEN))
def test_a_corrupt_file_affects_only_its_object(catalog: DirectoryCatalog, database: str, case: str) -> None:
    content, message = BROKEN[case]
    catalog.create_view(database, "whole", view_of("SELECT 1 AS a"))
    catalog.create_function(database, "f", python("a.b"))
    path = write(catalog, "default/views/v.sql", content)
    with pytest.raises(CatalogException, match=rf"team\.default\.v is broken in {path}(?s:.*){message}"):
        catalog.get_table(database, "v")
    assert list(catalog.broken_files()) == [path]
    assert catalog.list_tables(database) == ["v", "whole"]
    assert isinstance(catalog.get_table(database, "whole"), CatalogView)
    assert catalog.get_function(database, "f") is not None
    with pytest.raises(TableAlreadyExistException):
        catalog.create_view(database, "v", view_of("SELECT 1 AS a"))
    catalog.create_view(database, "v", view_of("SELECT 1 AS a"), or_replace=True)
    assert catalog.broken_files() == {}
    path.write_text("broken again")
    catalog.drop_view(database, "v")
    assert not path.exists()


BROKEN_OTHERS = {
    "tables/t.sql": ("CREATE TABLE t (a INT) USING csv", "needs a LOCATION"),
    "tables/u.sql": ("CREATE TABLE u (a INT) LOCATION '/x'", "has a format"),
    "tables/v.sql": ("CREATE TABLE v (a INT) USING paimon LOCATION '/x'", "'paimon' is not one of"),
    "tables/w.sql": ("CREATE TABLE w (a INT, A INT)", "Ambiguous column name"),
    "tables/x.sql": ("CREATE TABLE x (a MAP<INT, INT>) USING csv LOCATION '/x'", "hold no MAP"),
    "tables/y.sql": ("CREATE TABLE y (a INT) PARTITIONED BY (b)", r"Cannot resolve field \[b\]"),
    "functions/f.sql": ("CREATE FUNCTION f AS 'a.b'", "no language"),
    "functions/g.sql": ("CREATE FUNCTION g AS 'a.b' LANGUAGE JAVA", "JAVA"),
    "functions/h.sql": ("CREATE FUNCTION h(x INT) RETURNS NUMBR RETURN x", "no type 'NUMBR'"),
    "functions/j.sql": ("CREATE FUNCTION j AS 'no path' LANGUAGE PYTHON", "'no path' is no import path of Python"),
    "functions/i.sql": ("CREATE FUNCTION i(x INT) LANGUAGE PYTHON RETURN x", "LANGUAGE SQL; the statement says PYTHON"),
}


def test_other_files_that_are_broken(catalog: DirectoryCatalog, database: str) -> None:
    for path, (content, _) in BROKEN_OTHERS.items():
        write(catalog, f"default/{path}", content)
    found = catalog.broken_files()
    assert len(found) == len(BROKEN_OTHERS)
    for path, (_, message) in BROKEN_OTHERS.items():
        folder, _, name = path.partition("/")
        look = catalog.get_table if folder == "tables" else catalog.get_function
        with pytest.raises(CatalogException, match=message):
            look(database, name.removesuffix(".sql"))  # type: ignore[operator]  # both take a database and a name
    assert catalog.list_functions(database) == ["f", "g", "h", "i", "j"]


def test_files_with_invalid_names(catalog: DirectoryCatalog, database: str) -> None:
    path = write(catalog, "default/views/100%.sql", "CREATE VIEW v AS SELECT 1 AS a")
    long = write(catalog, f"default/views/{file_name('x' * 300)}.sql", "broken")
    assert list(catalog.broken_files()) == sorted([path, long])
    assert catalog.list_tables(database) == []


def test_one_name_in_several_files(catalog: DirectoryCatalog, database: str) -> None:
    write(catalog, "default/views/a b.sql", "CREATE VIEW `a b` AS SELECT 1 AS a")
    write(catalog, "default/tables/a%20b.sql", "CREATE TABLE `a b` (a INT)")
    assert catalog.list_tables(database) == ["a b"]
    for use in (
        lambda: catalog.get_table(database, "a b"),
        lambda: catalog.create_view(database, "a b", view_of("SELECT 1 AS a"), or_replace=True),
        lambda: catalog.drop_view(database, "a b"),
    ):
        with pytest.raises(CatalogException, match=r"several files: .*a%20b\.sql, .*a b\.sql\. Remove all but one"):
            use()


def test_a_database_whose_folder_has_other_files_is_not_dropped(catalog: DirectoryCatalog) -> None:
    catalog.create_database("sales")
    kept = write(catalog, "sales/views/notes.txt", "mine")
    with pytest.raises(CatalogException, match=r"not the catalog's: \[views/notes\.txt\]"):
        catalog.drop_database("sales", cascade=True)
    kept.unlink()
    catalog.drop_database("sales", cascade=True)
    assert not (catalog.path / "sales").exists()
    with pytest.raises(CatalogException, match="default database"):
        catalog.drop_database("default", cascade=True)


# --- views over views ------------------------------------------------------------------------------------------------


def test_views_are_read_through_views(catalog: DirectoryCatalog, database: str) -> None:
    """The number of views is not limited by recursion."""
    write(catalog, "default/views/v0.sql", "CREATE VIEW v0 AS SELECT 1 AS a")
    for number in range(1, 400):
        below = f"v{number - 1}"
        write(catalog, f"default/views/v{number}.sql", f"CREATE VIEW v{number} AS SELECT x.a FROM {below} x, {below} y")
    assert catalog.get_table(database, "v399").schema.names == ("a",)


def test_recursive_views_and_views_without_tables(catalog: DirectoryCatalog, database: str) -> None:
    write(catalog, "default/views/v.sql", "CREATE VIEW v AS SELECT a FROM w")
    write(catalog, "default/views/w.sql", "CREATE VIEW w AS SELECT a FROM `Default`.V")
    with pytest.raises(CatalogException, match=r"reads itself: team\.default\.v → team\.default\.w → team\.default\.v"):
        catalog.get_table(database, "v")
    write(catalog, "default/views/w.sql", "CREATE VIEW w AS SELECT a FROM nothing")
    with pytest.raises(TableException, match=r"nothing(?s:.*)The view team\.default\.v reads it"):
        catalog.get_table(database, "v")
    write(catalog, "default/views/w.sql", "CREATE VIEW w AS SELECT a FROM other.db.t")
    with pytest.raises(CatalogException, match="in another catalog than team"):
        catalog.get_table(database, "w")
    write(catalog, "default/views/w.sql", "CREATE VIEW w (x, y) AS SELECT 1")
    with pytest.raises(ValidationException, match="names 2 columns, and its query gives 1"):
        catalog.get_table(database, "w")


# --- names -----------------------------------------------------------------------------------------------------------

HOSTILE = [
    *("..", ".", "../x", "a/b", "a\\b", "con", "CON", "com1", "nul.txt", "-rf", "a.", " ", "a ", "%41", "~", "a:b"),
    *("ß", "ss", "ſ", "K", "k", "é", "e\u0301", "İ", "i̇", "ı", "Σ", "ΑΣ", "ας", "ασ", "ﬁ", "한", "\u1112\u1161\u11ab"),
    *("日本", "😀", "\x00", "\n", "\x7f", "\u202e", "x" * 500, "日" * 200, "X" * 500, ".git", ".tableapi", "a`b", "`"),
    "$" + "x" * 148,
]
any_name = st.one_of(st.sampled_from(HOSTILE), st.text(st.characters(exclude_categories=["Cs"]), min_size=1))


def as_file_systems_compare(name: str) -> set[str]:
    """Return the forms under which some file system considers names to be equal."""
    return {unicodedata.normalize("NFKD", form).casefold() for form in (name, name.upper(), name.lower())}


@given(any_name, any_name)
@settings(max_examples=500)
def test_every_name_has_a_file_of_its_own(one: str, other: str) -> None:
    first, second = file_name(one), file_name(other)
    assert len(first.encode()) <= LONGEST
    assert not set(first) & set('<>:"/\\|?*. \x00\n')
    assert first.isprintable()
    assert object_name(first) in (one, None)
    if fold(one) != fold(other):
        assert not as_file_systems_compare(first) & as_file_systems_compare(second)
    elif object_name(first) is None:
        assert first.rpartition("~")[2] == second.rpartition("~")[2]


@given(st.lists(any_name, min_size=1, max_size=4, unique_by=fold))
@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])
@example(list({fold(name): name for name in HOSTILE[:30]}.values()))
@example(list({fold(name): name for name in HOSTILE[30:]}.values()))
def test_hostile_names(names: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        catalog = DirectoryCatalog("team", folder, names[0])
        for name in names:
            catalog.create_database(name, if_not_exists=True)
            catalog.create_view(names[0], name, view_of("SELECT 1 AS a", comment=name))
            catalog.create_function(names[0], name, python("a.b"))
        again = DirectoryCatalog("team", folder, names[0])
        assert again.list_databases() == again.list_views(names[0]) == again.list_functions(names[0]) == sorted(names)
        assert again.broken_files() == {}
        for name in names:
            found = again.get_table(names[0], name)
            assert isinstance(found, CatalogView)
            assert found.comment == name
            again.drop_view(names[0], name)
            assert again.get_function(names[0], name) is not None
            again.drop_function(names[0], name)
        for name in names[1:]:
            again.drop_database(name)
        assert len(files_in(again)) == 1


texts = st.text(st.characters(exclude_categories=["Cs"]))


@given(texts, st.dictionaries(texts, texts), texts, texts)
@settings(max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_text_is_kept(
    catalog: DirectoryCatalog, database: str, comment: str, properties: dict[str, str], column: str, of_column: str
) -> None:
    schema = ResolvedSchema((Column(column, BOOLEAN.not_null(), of_column),))
    view = CatalogView(schema, "SELECT TRUE AS a", comment, properties)
    catalog.create_view(database, "v", view, or_replace=True)
    found = catalog.stored_table(database, "v")
    assert (found.comment, found.properties) == (comment, properties)  # type: ignore[union-attr]  # it is a view
    assert found.columns == ((column, of_column),)  # type: ignore[union-attr]
    catalog.drop_view(database, "v")
    function = sql("TRUE", FunctionParameter(column, BOOLEAN, "FALSE", of_column), comment=comment, returns=BOOLEAN)
    catalog.create_function(database, "f", function, or_replace=True)
    assert said(catalog.get_function(database, "f")) == said(function)
