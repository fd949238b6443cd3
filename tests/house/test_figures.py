"""The counts of the source code figures, for sources written as tests."""

from __future__ import annotations

import ast
from pathlib import Path
from textwrap import dedent

import pytest

from tests.house.measures import MEASURES
from tests.house.sources import SourceFile, import_circles, read_sources


def _source(text: str, module: str = "ir.example") -> SourceFile:
    return SourceFile(module, Path(f"{module}.py"), dedent(text))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("measure", "text", "found"),
    [
        ("functions over 60 lines", "def f():\n" + "    x = 1\n" * 60, ["f: 61 lines"]),
        ("functions over 60 lines", "def f():\n" + "    x = 1\n" * 59, []),
        ("functions of more than 6 parameters", "def f(self, a, b, c, /, d, *, e, g): ...", []),
        ("functions of more than 6 parameters", "def f(a, b, c, /, d, *, e, g, h): ...", ["f: 7 parameters"]),
        ("imports inside functions", "import a\ndef f():\n    def g():\n        from b import c", ["from b import c"]),
        ("tests of a dialect", "x = dialect is Dialect.SPARK\ny = Dialect.FLINK", ["dialect is Dialect.SPARK"]),
        ("private members of peers", "from ir.types import _made", ["from ir.types import _made"]),
        ("private members of peers", "def f(t, n):\n    return t._query, n._replace(a=1)", ["t._query"]),
        ("private members of peers", "def f(session):\n    return session._jvm", []),
        ("private members of peers", "class A:\n    def f(self, o):\n        self._a = 1\n        return o._a", []),
        ("tables by function name", "X = {'upper': 1, 'lower': 2, 'trim': 3, 'concat': 4, 'abs': 5}", None),
        ("tables by function name", "X = ('a', 'b', 'c', 'd', 'e')", []),
        ("tables by function name", "X = 'upper lower trim concat abs'.split()", None),
        ("tables by function name", "match x:\n    case 'upper' | 'lower' | 'trim' | 'concat' | 'abs': y = 1", None),
        ("files under 60 lines", "x = 1\n" * 60, []),
        ("files under 60 lines", "x = 1\n", ["1 lines"]),
    ],
)
def test_a_measure_finds(measure: str, text: str, found: list[str] | None) -> None:
    what = [finding.what for finding in MEASURES[measure](_source(text))]
    assert what == ["5 names: upper, lower, trim, concat, …"] if found is None else what == found


def test_circles_are_found_with_every_kind_of_import() -> None:
    sources = {
        name: _source(text, name)
        for name, text in {
            "ir.a": "from ir.b import x",
            "ir.b": "def f():\n    from ir import c",
            "ir.c": "if TYPE_CHECKING:\n    import ir.a",
            "ir.d": "from ir.a import y",
            "ir.e": "from ir.f import y",
            "ir.f": "from ir.e import y",
        }.items()
    }
    assert import_circles(sources) == [["ir.a", "ir.b", "ir.c"], ["ir.e", "ir.f"]]


@pytest.fixture(scope="module")
def sources() -> dict[str, SourceFile]:
    """The source files of the project, whose syntax trees take seconds."""
    return read_sources()


@pytest.mark.slow
def test_every_source_file_is_read(sources: dict[str, SourceFile]) -> None:
    assert {"ir", "ir.types", "serializer", "grammar.parser", "tableapi.table"} <= sources.keys()
    assert all(isinstance(source.tree, ast.Module) for source in sources.values())


@pytest.mark.slow
def test_facts_about_functions_stand_in_their_entries(sources: dict[str, SourceFile]) -> None:
    """``Facts`` in ``ir.functions.entries`` lists what an entry can say; a layer above reads it from the definition."""
    measure = MEASURES["tables by function name"]
    assert [finding for source in sources.values() for finding in measure(source)] == []


# Members of PySpark's client of Spark Connect, with names that classes of ours have, too.
OF_THE_CLIENT = {"remote.client._builder", "remote._plan"}


@pytest.mark.slow
def test_no_module_reads_a_private_member_of_a_peer(sources: dict[str, SourceFile]) -> None:
    measure = MEASURES["private members of peers"]
    found = [finding for source in sources.values() for finding in measure(source)]
    assert [finding for finding in found if finding.what not in OF_THE_CLIENT] == []


# Tables and expressions make each other in the fluent API.
FLUENT = [
    {"tableapi.expression", "tableapi.members.json_members", "tableapi.members.time_members", "tableapi.window.over"},
    {
        *("tableapi.steps.grouped_table", "tableapi.steps.partitioned_table", "tableapi.steps.windowed_table"),
        "tableapi.table",
    },
]


@pytest.mark.slow
def test_no_other_modules_import_each_other_in_a_circle(sources: dict[str, SourceFile]) -> None:
    circles = [set(circle) for circle in import_circles(sources)]
    assert [circle for circle in circles if circle not in FLUENT] == []
