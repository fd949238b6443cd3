"""The tools of ``tableapi serve``: names, descriptions, parameters, and what answers a call."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import attrs

from ir.errors import ValidationException, did_you_mean
from tableapi.cli.output import JSON_VERSION
from tableapi.cli.serve import answers
from tableapi.cli.serve.arguments import Parameter, check_arguments
from tableapi.cli.serve.workspace import Workspace

Answer = Callable[[Workspace, Mapping[str, Any]], answers.Fields]


@attrs.frozen(eq=False)
class Tool:
    """A read-only tool.

    Attributes:
        name: the name.
        description: what it answers, for the program or the model that chooses a tool.
        document: the field ``verb`` of the JSON document that it returns.
        parameters: the parameters.
        answer: returns the fields of the document for checked arguments.
    """

    name: str
    description: str
    document: str
    parameters: tuple[Parameter, ...]
    answer: Answer

    def call(self, workspace: Workspace, arguments: Mapping[str, object]) -> dict[str, Any]:
        """Return the JSON document of a call.

        Raises:
            TableException: an argument is invalid, or what is asked for cannot be answered; the message says why.
        """
        checked = check_arguments(self.name, self.parameters, arguments)
        return {"verb": self.document, "version": JSON_VERSION, **self.answer(workspace, checked)}


def tool_named(name: str) -> Tool:
    """Return a tool by its name.

    Raises:
        ValidationException: there is no such tool; the message has the nearest name.
    """
    for tool in TOOLS:
        if tool.name == name:
            return tool
    names = [tool.name for tool in TOOLS]
    raise ValidationException(f"There is no tool {name!r}; there are {', '.join(names)}." + did_you_mean(name, names))


_QUERY: Final = (
    "SQL, such as SELECT id FROM sales.orders; the name of a view of the project, such as sales.daily; or the path of "
    "a .sql file, relative to the project. SQL reads the tables and views of the project, or those that CREATE TABLE "
    "and CREATE VIEW statements before it declare."
)
_SIDE: Final = (
    "SQL, a view of the project, or a .sql file of it; the last two also at a revision of git: HEAD:sales.daily, "
    "v1.2:report.sql."
)
_PROJECT_TARGET: Final = (
    "A target of tableapi.toml, whose version of Spark views are compiled for; by default the newest."
)

TOOLS: Final = (
    Tool(
        "compile",
        "Compile a query without running it: its SQL for a version of Spark, the names, types and nullability of its "
        "columns, and its tree. An invalid query is an error with the place, what is accepted and the nearest name.",
        "explain",
        (
            Parameter("query", _QUERY, is_required=True),
            Parameter("target", "The engine that runs the SQL, such as spark-3.5 or spark-4.0; by default the newest."),
            Parameter("tree_json", "Whether to return the typed tree as JSON, too.", "boolean", default=False),
        ),
        lambda workspace, given: answers.compile_query(workspace, **given),
    ),
    Tool(
        "types",
        "List the tables and views of the project with their columns: names, types, nullability and comments.",
        "types",
        (
            Parameter("name", "A table or view, such as sales.orders, or a pattern, such as sales.*.", default="*"),
            Parameter("columns", "Whether to return the columns, besides the names.", "boolean", default=True),
        ),
        lambda workspace, given: answers.types(workspace, **given),
    ),
    Tool(
        "explain_error",
        "Explain what is wrong with a query or view: the message with the place, what is accepted and the nearest "
        "name. Or explain what an SQLSTATE or an error condition of Spark means.",
        "explain_error",
        (
            Parameter("query", _QUERY),
            Parameter("code", "An SQLSTATE, such as 42703, or a condition, such as UNRESOLVED_COLUMN."),
        ),
        lambda workspace, given: answers.explain_error(workspace, **given),
    ),
    Tool(
        "lineage",
        "Say which columns influence a table, view or column of the project, and which it influences, across all "
        "views, with the kind of each influence.",
        "lineage",
        (
            Parameter(
                "name",
                "A table, a view, a column of one or a part of it, such as sales.orders.address.city.",
                is_required=True,
            ),
            Parameter(
                "direction",
                "up: what influences it; down: what it influences.",
                choices=("up", "down", "both"),
                default="both",
            ),
            Parameter("depth", "How many queries to cross; by default all.", "integer"),
        ),
        lambda workspace, given: answers.lineage(workspace, **given),
    ),
    Tool(
        "diff",
        "Say in words what changed between two queries, and whether readers of the old columns can read the new ones.",
        "diff",
        (
            Parameter("old", _SIDE, is_required=True),
            Parameter("new", _SIDE, is_required=True),
        ),
        lambda workspace, given: answers.compare(workspace, **given),
    ),
    Tool(
        "plan",
        "Say what a deployment of the project would change, in words, and for whom: since a revision of git, or at a "
        "target that is a directory of files. Other targets are refused, because they would start Spark.",
        "plan",
        (
            Parameter("since", "A revision of git that counts as deployed, such as HEAD or origin/main."),
            Parameter(
                "target",
                "A target of tableapi.toml. Without since, a directory; with since, the version of Spark of this "
                "target counts.",
            ),
        ),
        lambda workspace, given: answers.plan(workspace, **given),
    ),
    Tool(
        "check",
        "Build every view of the project and report what is wrong, with file, line, column and the likely fix.",
        "check",
        (Parameter("target", _PROJECT_TARGET),),
        lambda workspace, given: answers.check(workspace, **given),
    ),
    Tool(
        "functions",
        "Search the built-in functions, or describe one: signatures, types, an example with its result.",
        "functions",
        (
            Parameter("pattern", "A name, such as hypot, or a pattern, such as json*.", default="*"),
            Parameter("about", "A word that the name or the description contains, such as median."),
        ),
        lambda workspace, given: answers.functions(**given),
    ),
)
"""All tools; each only reads."""
