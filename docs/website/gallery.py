"""The gallery: queries of the test programs, each as fluent code, SQL, tree, rows and Spark's plan.

Everything is stored in the repository: the programs and their rows as data of the tests, the texts as snapshots.
"""

from __future__ import annotations

from typing import Any, Final

from docs.website.pages import ROOT, Page
from docs.website.program_code import program_code
from tests.programs import PROGRAMS
from tests.programs.tables import SCHEMAS, Tables, environment_without_spark

SNAPSHOTS: Final = ROOT / "snapshots"
THEMES: Final = {
    "Rows and columns": ("add_columns", "filter_chain", "if_then_else", "distinct_rows", "order_offset_fetch"),
    "Joins": (
        "join_inner",
        "join_left_keeps_unmatched",
        "join_on_inequality",
        "join_three_tables",
        "join_full_keeps_unmatched",
    ),
    "Groups": ("group_by_column", "having_by_filter", "aggregate_where", "grouping_sets", "pivot"),
    "Windows over rows": (
        "over_window_of_rows",
        "lag_and_lead",
        "filter_on_a_window",
        "first_last_and_nth_value",
        "cumulative_distribution",
    ),
    "Windows of time": ("tumble_selects_the_window", "hop_rows", "session_by_key", "cumulate", "count_tumble"),
    "Subqueries": (
        "exists_correlated",
        "in_table",
        "not_in_table_without_null",
        "lateral_query",
        "scalar_less_than_the_mean",
    ),
    "Collections": (
        "lambda_transform",
        "lambda_filter_and_exists",
        "lateral_explode",
        "maps_and_entries",
        "element_access",
    ),
    "JSON and sets": ("json_object", "json_aggregates", "from_json", "intersect", "minus_all"),
}
NAMES: Final = tuple([name for names in THEMES.values() for name in names])
_HEAD: Final = """\
# Gallery

Each query of these pages is a test: its code gives the tree and the SQL that are shown, and Spark returns the rows.
SQL is in the layout [MERGED](../layouts.md). Spark's plan is the one after optimisation, without numbers of columns.

| page | queries |
|---|---|
"""
_TABLES: Final = """
## The tables

`t` has the tables, so that `t.orders` is `te.from_path("orders")`:

| table | columns |
|---|---|
"""


def gallery_pages() -> dict[str, Page]:
    """Return the pages of the gallery by their paths."""
    index = Page("gallery/index.md", _HEAD)
    pages = {index.path: index}
    tables = Tables(environment_without_spark())
    for theme, names in THEMES.items():
        page = Page(f"gallery/{theme.lower().replace(' ', '-')}.md", f"# {theme}\n\n")
        page.text += "\n".join(_query(name, tables) for name in names)
        pages[page.path] = page
        index.children.append(page.path)
        shown = ", ".join(map(_title, names))
        index.text += f"| [{theme}]({page.path.removeprefix('gallery/')}) | {shown} |\n"
    index.text += _TABLES
    for table, row in SCHEMAS.items():
        columns = ", ".join(f"`{field.name}` {_type(field.data_type)}" for field in row.fields)
        index.text += f"| `{table}` | {columns} |\n"
    return pages


def _type(found: Any) -> str:
    return str(found.as_summary_string())


def _title(name: str) -> str:
    return name.replace("_", " ").capitalize()


def _query(name: str, tables: Tables) -> str:
    parts = [
        f"## {_title(name)}",
        '<div class="pair">',
        _block("python", program_code()[name]),
        _block("sql", sql_of(name)),
        "</div>",
        _block("text", _snapshot("tree", f"{name}.txt")),
        _rows(name, tables),
        "<details>",
        "<summary>Spark's plan</summary>",
        _block("text", _snapshot("spark_plan", f"{name}.txt")),
        "</details>",
        "",
    ]
    return "\n\n".join(parts)


def _block(language: str, text: str) -> str:
    return f"```{language}\n{text.rstrip()}\n```"


def _snapshot(folder: str, file: str) -> str:
    path = SNAPSHOTS / folder / file
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def sql_of(name: str) -> str:
    """Return the text of a program, in the layout MERGED."""
    # Programs whose text is the same in both layouts have one snapshot.
    return _snapshot("merged", f"{name}.sql") or _snapshot("spark", f"{name}.sql")


def _rows(name: str, tables: Tables) -> str:
    program = PROGRAMS[name]
    columns = program.build(tables).get_resolved_schema().names
    rows = [f"| {' | '.join(_value(value) for value in row)} |" for row in program.rows or ()]
    return "\n".join([f"| {' | '.join(f'`{column}`' for column in columns)} |", "|" + "---|" * len(columns), *rows])


def _value(value: object) -> str:
    """Return a value as a cell.

    >>> _value(None), _value("a|b"), _value([1, None]), _value({"a": 1})
    ('NULL', 'a\\\\|b', '[1, NULL]', '{a: 1}')
    """
    if value is None:
        return "NULL"
    if isinstance(value, (list, tuple)):
        ends = "[]" if isinstance(value, list) else "()"
        return ends[0] + ", ".join(map(_value, value)) + ends[1]
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_value(key)}: {_value(item)}" for key, item in value.items()) + "}"
    return str(value).replace("|", "\\|").replace("<", "&lt;")
