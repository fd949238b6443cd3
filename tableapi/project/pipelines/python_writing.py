"""Writes the Python file of a pipeline: the datasets that its SQL cannot say.

`Spark <https://spark.apache.org/docs/latest/declarative-pipelines-programming-guide.html>`_.
"""

from __future__ import annotations

import keyword
import re
import textwrap
from collections.abc import Mapping, Sequence
from typing import Final

import attrs

from ir.identifiers import quote
from ir.schema import ResolvedSchema
from serializer.quoting import quote_if_needed
from tableapi.catalog.statements import full_type, string
from tableapi.project.declarations import ViewKind

_DECORATORS: Final = {
    ViewKind.MATERIALIZED: "dp.materialized_view",
    ViewKind.STREAMING: "dp.table",
    ViewKind.TEMPORARY: "dp.temporary_view",
}
_NOT_A_NAME: Final = re.compile(r"\W")
_LONGEST: Final = 100
_QUOTED: Final = re.compile(r"'(?:[^'\\]|\\.|'')*'|`(?:[^`]|``)*`", re.DOTALL)


@attrs.frozen
class PythonDataset:
    """A dataset that the Python file of a pipeline defines.

    Attributes:
        kind: what it is.
        path: its name, with its database if it has one in a pipeline.
        query: the text of its query.
        file: the file of the project that declares it.
        calls_python: whether the query calls a function in Python.
        schema: the columns with their comments.
        comment: the comment.
        properties: the properties of a table.
        partitioned_by: the partition columns of a table.
        format: the format of a table, or the data source of a sink.
        options: the options of the data source of a sink.
    """

    kind: ViewKind
    path: tuple[str, ...]
    query: str
    file: str
    calls_python: bool
    schema: ResolvedSchema
    comment: str | None = None
    properties: Mapping[str, str] = attrs.field(factory=dict)
    partitioned_by: tuple[str, ...] = ()
    format: str | None = None
    options: Mapping[str, str] = attrs.field(factory=dict)


def write_python(datasets: Sequence[PythonDataset], project: str) -> str:
    """Return the text of the file.

    Args:
        datasets: the datasets, in the order of the file.
        project: the folder of the project, relative to that of the file.
    """
    needs_project = any(dataset.calls_python for dataset in datasets)
    lines = [
        '"""Written by tableapi pipeline build: sinks, and datasets whose queries call functions in Python.',
        "",
        "Change them in the project.",
        '"""',
        "",
    ]
    lines += ["from pathlib import Path", ""] if needs_project else []
    lines.append("from pyspark import pipelines as dp")
    lines += ["", "from tableapi import PipelineProject"] if needs_project else []
    if needs_project:
        lines += ["", f"project = PipelineProject(spark, Path(__file__).parent / {_text(project)})"]
    taken: set[str] = set()
    for dataset in datasets:
        lines += ["", "", *_dataset(dataset, _choose_name(dataset, taken))]
    return "\n".join(lines) + "\n"


def _dataset(dataset: PythonDataset, function: str) -> list[str]:
    name = _text(".".join(map(quote_if_needed, dataset.path)))
    lines = [f"# {dataset.file}"]
    if dataset.kind is ViewKind.SINK:
        lines += _call("dp.create_sink", [name, _text(str(dataset.format)), _texts(dataset.options)])
        lines += ["", "", f"@dp.append_flow(target={name})"]
    else:
        lines += _call(f"@{_DECORATORS[dataset.kind]}", [f"name={name}", *_arguments(dataset)])
    query = dataset.query.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    source = "project.query" if dataset.calls_python else "spark.sql"
    return [
        *lines,
        f"def {function}():",
        f'    return {source}("""',
        _indent(query),
        '    """)',
    ]


def _indent(query: str) -> str:
    """Return a query with its lines indented, unless a line break is part of a name or string."""
    return query if any("\n" in quoted for quoted in _QUOTED.findall(query)) else textwrap.indent(query, " " * 8)


def _arguments(dataset: PythonDataset) -> list[str]:
    found = [] if dataset.comment is None else [f"comment={_text(dataset.comment)}"]
    if not dataset.kind.is_table:
        return found
    if any(column.comment is not None for column in dataset.schema.columns):
        found.append(f"schema={_text(_columns(dataset.schema))}")
    found += [f"partition_cols=[{', '.join(map(_text, dataset.partitioned_by))}]"] if dataset.partitioned_by else []
    found += [f"table_properties={_texts(dataset.properties)}"] if dataset.properties else []
    found += [] if dataset.format is None else [f"format={_text(dataset.format)}"]
    return found


def _columns(schema: ResolvedSchema) -> str:
    columns = []
    for column in schema.columns:
        comment = "" if column.comment is None else f" COMMENT {string(column.comment)}"
        columns.append(f"{quote(column.name)} {full_type(column.data_type.as_nullable())}{comment}")
    return ", ".join(columns)


def _call(called: str, arguments: Sequence[str]) -> list[str]:
    line = f"{called}({', '.join(arguments)})"
    return [line] if len(line) <= _LONGEST else [f"{called}(", *[f"    {one}," for one in arguments], ")"]


def _texts(given: Mapping[str, str]) -> str:
    return "{" + ", ".join(f"{_text(key)}: {_text(value)}" for key, value in given.items()) + "}"


def _text(given: str) -> str:
    """Return a string literal in double quotes where that needs no escape more than one in single quotes."""
    written = repr(given)
    return f'"{written[1:-1]}"' if written.startswith("'") and '"' not in written else written


def _choose_name(dataset: PythonDataset, taken: set[str]) -> str:
    wanted = _NOT_A_NAME.sub("_", "_".join(dataset.path))
    if not wanted.isidentifier() or keyword.iskeyword(wanted) or wanted in ("dp", "project", "spark"):
        wanted = f"dataset_{wanted}"
    name = wanted
    number = 2
    while name in taken:
        name, number = f"{wanted}_{number}", number + 1
    taken.add(name)
    return name
