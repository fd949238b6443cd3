"""The verbs of the command line, with their arguments and help. What they do is in the modules beside this one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ir.rendering import Dialect
from tableapi._version import __version__
from tableapi.cli.output import ExitCode, Output
from tableapi.lazy import lazy

if TYPE_CHECKING:
    from tableapi.cli import (
        checking,
        comparing,
        deploying,
        formatting,
        importing,
        lineage_verb,
        pipelines,
        querying,
        schemas,
        serving,
        starting,
        states,
    )
    from tableapi.cli import (
        doctor as doctor_verb,
    )
else:
    # Each verb loads what it needs, so that --help is shown at once.
    comparing = lazy(__name__, "tableapi.cli.comparing")
    checking = lazy(__name__, "tableapi.cli.checking")
    deploying = lazy(__name__, "tableapi.cli.deploying")
    doctor_verb = lazy(__name__, "tableapi.cli.doctor")
    formatting = lazy(__name__, "tableapi.cli.formatting")
    importing = lazy(__name__, "tableapi.cli.importing")
    lineage_verb = lazy(__name__, "tableapi.cli.lineage_verb")
    pipelines = lazy(__name__, "tableapi.cli.pipelines")
    querying = lazy(__name__, "tableapi.cli.querying")
    schemas = lazy(__name__, "tableapi.cli.schemas")
    serving = lazy(__name__, "tableapi.cli.serving")
    starting = lazy(__name__, "tableapi.cli.starting")
    states = lazy(__name__, "tableapi.cli.states")

app = typer.Typer(
    name="tableapi",
    help="Typed queries and views as code for Apache Spark.",
    epilog="Exit codes: 0 all is well; 1 the verb found something (problems, differences, drift); 2 it could not work.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
schema = typer.Typer(help="Keep the columns of tables as files, and find drift.", no_args_is_help=True)
app.add_typer(schema, name="schema")
pipeline = typer.Typer(help="Write views as a pipeline of Spark, and check pipelines.", no_args_is_help=True)
app.add_typer(pipeline, name="pipeline")


class DialectName(str, Enum):
    """The SQL dialects."""

    SPARK = "spark"
    FLINK = "flink"


class QuotingName(str, Enum):
    """Which names of a text are quoted."""

    ALL = "all"
    NEEDED = "needed"


class LayoutName(str, Enum):
    """The layouts of SQL."""

    NESTED = "nested"
    MERGED = "merged"


class LineageForm(str, Enum):
    """How a lineage is printed."""

    TEXT = "text"
    OPENLINEAGE = "openlineage"
    DOT = "dot"
    MERMAID = "mermaid"
    SVG = "svg"


class SafetyName(str, Enum):
    """The effect of a step of a plan on readers."""

    CHANGES_READERS = "changes-readers"
    DESTRUCTIVE = "destructive"


Json = Annotated[bool, typer.Option("--json", help="Print one JSON document; docs/command-line.md has its schema.")]
ProjectFolder = Annotated[
    Path, typer.Option("--project", "-C", help="The folder of the project, or one below it.", show_default="here")
]
TargetName = Annotated[str, typer.Argument(help="A target of tableapi.toml.", metavar="TARGET")]
Environment = Annotated[
    str | None, typer.Option("--env", help="Deploy to the databases of an environment, such as dev_alice.")
]
Engine = Annotated[str | None, typer.Option("--target", help="The engine that runs the SQL, such as spark-4.0.")]
Overwrite = Annotated[bool, typer.Option("--overwrite-edited", help="Replace views that were edited at the target.")]
HERE = Path()


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line, and return its exit code."""
    try:
        app(args=None if arguments is None else list(arguments), prog_name="tableapi")
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    return 0


def _report(verb: str, is_json: bool, work: Callable[[Output], ExitCode | int]) -> None:
    output = Output(verb, is_json=is_json)
    with output.reporting():
        code = work(output)
    raise typer.Exit(int(code))


def _print_version(is_wanted: bool) -> None:
    if is_wanted:
        print(f"tableapi {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Typed queries and views as code for Apache Spark."""


# --- a project -------------------------------------------------------------------------------------------------------


@app.command(short_help="Write a new project that passes its own checks.")
def init(
    folder: Annotated[Path, typer.Argument(help="The folder of the new project.")] = HERE,
    name: Annotated[str | None, typer.Option(help="The name of the project; by default that of the folder.")] = None,
    json: Json = False,
) -> None:
    """Write a new project: tableapi.toml, a table, two views and a test, which pass their own checks.

    Example: tableapi init sales
    """
    _report("init", json, lambda output: starting.write_project(output, folder, name))


@app.command(short_help="Build the views without Spark, and report what is wrong.")
def check(
    target: Annotated[str | None, typer.Option("--target", help="Compile for a target of tableapi.toml.")] = None,
    every: Annotated[bool, typer.Option("--all", help="Build unchanged views, too.")] = False,
    project: ProjectFolder = HERE,
    json: Json = False,
) -> None:
    """Build the views of a project without Spark, and report what is wrong with file and line.

    Views in SQL that did not change since the last check, nor anything that they read, are not built again.

    Example: tableapi check --target production
    """
    _report("check", json, lambda output: checking.check(output, project, target, every=every))


@app.command(short_help="Show what a deployment would change, in words, and for whom.")
def plan(
    target: Annotated[str | None, typer.Argument(help="A target of tableapi.toml.")] = None,
    env: Environment = None,
    since: Annotated[
        str | None, typer.Option(help="Compare with the project at a revision of git instead of a target.")
    ] = None,
    sql: Annotated[bool, typer.Option("--sql", help="Print the statements that would be run.")] = False,
    fail_on: Annotated[
        SafetyName | None, typer.Option(help="End with exit code 1 if a step is as grave as this.")
    ] = None,
    overwrite_edited: Overwrite = False,
    project: ProjectFolder = HERE,
    json: Json = False,
) -> None:
    """Show what a deployment would change at a target, in words, and for whom. Nothing is changed.

    Example: tableapi plan production --fail-on destructive

    Example: tableapi plan --since origin/main
    """
    grave = None if fail_on is None else fail_on.value
    _report(
        "plan",
        json,
        lambda output: deploying.plan(
            output,
            project,
            target,
            env,
            since=since,
            shows_sql=sql,
            fail_on=grave,
            overwrite_edited=overwrite_edited,
        ),
    )


@app.command()
def apply(
    target: TargetName,
    env: Environment = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask before the first change.")] = False,
    overwrite_edited: Overwrite = False,
    project: ProjectFolder = HERE,
    json: Json = False,
) -> None:
    """Carry out the plan for a target, in place. After an interruption, run it again: it does the rest.

    Example: tableapi apply production --yes
    """
    _report(
        "apply",
        json,
        lambda output: deploying.apply(output, project, target, env, yes=yes, overwrite_edited=overwrite_edited),
    )


@app.command(short_help="Bring the views back to the state after a deployment.")
def rollback(
    target: TargetName,
    to: Annotated[
        str, typer.Option("--to", help="The deployment whose state is restored, or the beginning of its identifier.")
    ],
    env: Environment = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask before the first change.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show the plan, and change nothing.")] = False,
    overwrite_edited: Overwrite = False,
    project: ProjectFolder = HERE,
    json: Json = False,
) -> None:
    """Bring the views of a target back to the state after a deployment, as a plan that can be looked at first.

    `tableapi history` has the identifiers of the deployments.

    Example: tableapi rollback production --to 3f2a --dry-run
    """
    _report(
        "rollback",
        json,
        lambda output: deploying.rollback(
            output, project, target, to, env, yes=yes, dry_run=dry_run, overwrite_edited=overwrite_edited
        ),
    )


@app.command(short_help="Show who deployed what, when, and from which revision.")
def history(
    target: TargetName,
    limit: Annotated[int, typer.Option(min=1, help="The number of changes to show, the newest last.")] = 20,
    project: ProjectFolder = HERE,
    json: Json = False,
) -> None:
    """Show who deployed what to a target, when, and from which revision.

    Example: tableapi history production --limit 5
    """
    _report("history", json, lambda output: deploying.history(output, project, target, limit))


@app.command(short_help="Compare the views of an environment with production.")
def compare(
    target: TargetName,
    views: Annotated[list[str] | None, typer.Argument(help="Which views, such as 'sales.*'; by default all.")] = None,
    env: Annotated[str | None, typer.Option("--env", help="An environment, such as dev_alice.")] = None,
    other: Annotated[
        str | None, typer.Option("--with", help="The environment to compare it with.", show_default="production")
    ] = None,
    rows: Annotated[bool, typer.Option("--rows", help="Compare the rows one by one, besides their number.")] = False,
    project: ProjectFolder = HERE,
    json: Json = False,
) -> None:
    """Compare the views of an environment with those of production: columns, numbers of rows, and on request all rows.

    Example: tableapi compare production --env dev_alice --rows 'sales.*'
    """
    _report(
        "compare",
        json,
        lambda output: comparing.compare(output, project, target, other, env, views or ["*"], rows=rows),
    )


@schema.command("pull")
def schema_pull(
    target: TargetName,
    tables: Annotated[
        list[str] | None, typer.Option("--tables", help="Which tables, such as 'sales.*'; may be repeated.")
    ] = None,
    project: ProjectFolder = HERE,
    json: Json = False,
) -> None:
    """Write the columns of a target's tables into the project's catalog, a file for each table.

    Example: tableapi schema pull production --tables 'sales.*'
    """
    _report("schema pull", json, lambda output: schemas.pull(output, project, target, tables or ["*"]))


@schema.command("check")
def schema_check(
    target: TargetName,
    tables: Annotated[
        list[str] | None, typer.Option("--tables", help="Which tables, such as 'sales.*'; may be repeated.")
    ] = None,
    project: ProjectFolder = HERE,
    json: Json = False,
) -> None:
    """Compare the tables of the project's catalog with those of a target, column by column.

    Example: tableapi schema check production
    """
    _report("schema check", json, lambda output: schemas.check(output, project, target, tables or ["*"]))


@pipeline.command("build", short_help="Write the views of a project as a pipeline.")
def pipeline_build(
    to: Annotated[
        Path | None, typer.Option("--to", help="The folder of the pipeline.", show_default="folder of [pipeline]")
    ] = None,
    target: Annotated[str | None, typer.Option("--target", help="Compile for a target of tableapi.toml.")] = None,
    overwrite_edited: Annotated[
        bool, typer.Option("--overwrite-edited", help="Replace files that were edited in the folder.")
    ] = False,
    project: ProjectFolder = HERE,
    json: Json = False,
) -> None:
    """Write the views, materialized views and temporary views of a project as a Spark Declarative Pipeline.

    `spark-pipelines run` in the folder runs it. Files that an earlier build did not write stay.

    Example: tableapi pipeline build --to deployed/pipeline
    """
    _report(
        "pipeline build",
        json,
        lambda output: pipelines.build(output, project, to, target, overwrite_edited=overwrite_edited),
    )


@pipeline.command("check", short_help="Find without Spark what a dry run of a pipeline would.")
def pipeline_check(
    folder: Annotated[
        Path | None,
        typer.Argument(help="A folder with spark-pipeline.yml; by default here, else the pipeline of the project."),
    ] = None,
    target: Annotated[str | None, typer.Option("--target", help="Compile for a target of tableapi.toml.")] = None,
    project: ProjectFolder = HERE,
    json: Json = False,
) -> None:
    """Find without Spark and Java what `spark-pipelines dry-run` would, in a built pipeline or one written by hand.

    Tables of the catalog are those of the project around the folder. A dataset that cannot be checked is named with the
    reason, and is not an error.

    Example: tableapi pipeline check deployed/pipeline
    """
    _report("pipeline check", json, lambda output: pipelines.check(output, project, folder, target))


# --- queries ---------------------------------------------------------------------------------------------------------


@app.command(short_help="Print a query or a statement as SQL that the target runs.")
def sql(
    query: Annotated[str, typer.Argument(help="SQL, a file, - for stdin, or a view of the project.", metavar="QUERY")],
    target: Engine = None,
    dialect: Annotated[DialectName, typer.Option(help="The SQL to print.")] = DialectName.SPARK,
    layout: Annotated[LayoutName, typer.Option(help="As few SELECTs as possible, or one a step.")] = LayoutName.MERGED,
    quoting: Annotated[
        QuotingName | None,
        typer.Option(help="Quote every name, or, by default for Spark, those that need it.", show_default=False),
    ] = None,
    project: ProjectFolder = HERE,
    json: Json = False,
) -> None:
    """Print a query, or a statement about a table, as SQL that the target runs.

    It reads tables of the project, or those that the text declares: CREATE TABLE orders (id INT); SELECT * FROM orders

    Example: tableapi sql report.sql --target spark-3.5
    """
    _report(
        "sql",
        json,
        lambda output: querying.sql(
            output, query, target, dialect.value, layout.value, None if quoting is None else quoting.value, project
        ),
    )


@app.command()
def explain(
    query: Annotated[str, typer.Argument(help="SQL, a file, - for stdin, or a view of the project.", metavar="QUERY")],
    target: Engine = None,
    tree_json: Annotated[
        bool, typer.Option("--tree-json", help="Print the typed tree alone, as JSON for programs.")
    ] = False,
    project: ProjectFolder = HERE,
    json: Json = False,
) -> None:
    """Print the tree, the columns and the SQL of a query.

    Example: tableapi explain sales.daily
    """
    _report("explain", json, lambda output: querying.explain(output, query, target, project, tree_json=tree_json))


@app.command(short_help="Say in words what changed between queries or revisions.")
def diff(
    old: Annotated[str, typer.Argument(help="A file, a view, either at a revision (v1.2:sales.daily), or a revision.")],
    new: Annotated[str, typer.Argument(help="The same for the new query; . is the project as it is now.")],
    project: ProjectFolder = HERE,
    json: Json = False,
) -> None:
    """Say in words what changed between two queries, or in all views between two revisions. Exit code 1 if they differ.

    Example: tableapi diff HEAD:sales.daily sales.daily

    Example: tableapi diff v1.2 .
    """
    _report("diff", json, lambda output: querying.diff(output, old, new, project))


@app.command(short_help="Show where a column comes from, and where it goes.")
def lineage(
    name: Annotated[
        str | None,
        typer.Argument(
            help="A table, a view, or a column of one, such as sales.orders.address.city; by default the project.",
            metavar="NAME",
        ),
    ] = None,
    up: Annotated[bool, typer.Option("--up", help="What influences it.")] = False,
    down: Annotated[bool, typer.Option("--down", help="What it influences. By default both.")] = False,
    depth: Annotated[int | None, typer.Option(min=1, help="How many queries to cross; by default all.")] = None,
    form: Annotated[LineageForm, typer.Option("--format", help="What to print.")] = LineageForm.TEXT,
    namespace: Annotated[
        str | None, typer.Option(help="The namespace of the tables in OpenLineage; by default their catalog.")
    ] = None,
    project: ProjectFolder = HERE,
    json: Json = False,
) -> None:
    """Show which columns a column comes from, across views, and which columns come from it.

    Influences on a value are identity, transformation and aggregation, and conditional, window. Influences on which
    rows there are, and their order, are join, filter, group and sort.

    Example: tableapi lineage sales.revenue.total --up

    Example: tableapi lineage sales.orders --down --format mermaid
    """
    _report(
        "lineage",
        json,
        lambda output: lineage_verb.lineage(
            output, project, name, up=up, down=down, depth=depth, form=form.value, namespace=namespace
        ),
    )


@app.command()
def functions(
    pattern: Annotated[str, typer.Argument(help="A name, or a pattern such as 'json*'.")] = "*",
    json: Json = False,
) -> None:
    """List built-in functions, or describe one.

    Example: tableapi functions hypot
    """
    _report("functions", json, lambda output: querying.functions(output, pattern))


@app.command()
def fmt(
    paths: Annotated[list[str], typer.Argument(help="A file, a folder with *.sql files, or - for stdin.")],
    check: Annotated[bool, typer.Option("--check", help="Write nothing, print the files that would change.")] = False,
    diff: Annotated[bool, typer.Option("--diff", help="Write nothing, print what would change.")] = False,
    dialect: Annotated[DialectName, typer.Option(help="How to read the files.")] = DialectName.SPARK,
    width: Annotated[int, typer.Option(min=1, help="The columns of a line.")] = 100,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing but errors.")] = False,
    json: Json = False,
) -> None:
    """Format SQL files in place. Comments stay, and nothing changes that has a meaning.

    Example: tableapi fmt views --check
    """
    mode = formatting.Mode.DIFF if diff else formatting.Mode.CHECK if check else formatting.Mode.WRITE
    _report(
        "fmt",
        json,
        lambda output: formatting.Formatting(output, paths, Dialect[dialect.name], width, mode, is_quiet=quiet).run(),
    )


# --- streams ---------------------------------------------------------------------------------------------------------


@app.command(short_help="Show the state of functions in the checkpoint of a stream.")
def state(
    checkpoint: Annotated[str, typer.Argument(help="The checkpoint of a query, a directory.", metavar="CHECKPOINT")],
    other: Annotated[
        str | None, typer.Argument(help="With --diff: the other checkpoint.", metavar="OTHER", show_default=False)
    ] = None,
    diff: Annotated[bool, typer.Option("--diff", help="Compare the states of two checkpoints.")] = False,
    uid: Annotated[
        str | None, typer.Option("--uid", help="Show the states of one call; by default all calls, counted.")
    ] = None,
    key: Annotated[
        list[str] | None,
        typer.Option("--key", help="Show one partition: the value of its key, NULL for NULL. Repeat it for each key."),
    ] = None,
    limit: Annotated[int, typer.Option(min=1, help="How many keys to show with --uid.")] = 20,
    buckets: Annotated[int | None, typer.Option("--buckets", hidden=True)] = None,
    json: Json = False,
) -> None:
    """Show what a checkpoint has stored for each process table function: types, keys, timers and sizes.

    It starts a Spark session, and reads the state after the last finished batch, also while the query runs. With
    --diff, exit code 1 if the states differ.

    Example: tableapi state ~/streams/totals

    Example: tableapi state ~/streams/totals --uid Totals --key ada --json

    Example: tableapi state --diff ~/streams/totals ~/streams/totals-restored
    """
    if buckets is not None or (checkpoint == "repartition" and not Path(checkpoint).exists()):
        raise typer.BadParameter(states.NO_REPARTITION)
    if diff != (other is not None) or (diff and (uid is not None or key)):
        raise typer.BadParameter("--diff takes two checkpoints, and neither --uid nor --key; without it, give one.")
    if other is not None:
        second = other
        _report("state", json, lambda output: states.diff_states(output, checkpoint, second))
    else:
        _report("state", json, lambda output: states.show_state(output, checkpoint, uid, key or [], limit))


@app.command(short_help="Print what is installed, and what is wrong with it.")
def doctor(
    spark: Annotated[bool, typer.Option("--spark", help="Start a Spark session and run a query, too.")] = False,
    project: ProjectFolder = HERE,
    json: Json = False,
) -> None:
    """Print versions, Java, variables and folders of this installation, and what is wrong, with what to do.

    A query is compiled as a test. No Spark starts without --spark. Paste the output into a report of an error: it holds
    no secrets. Exit code 1: there is a problem.

    Example: tableapi doctor --spark
    """
    _report("doctor", json, lambda output: doctor_verb.doctor(output, project, starts_spark=spark))


@app.command(short_help="Serve a project to an editor or an assistant by MCP.")
def serve(project: ProjectFolder = HERE) -> None:
    """Serve read-only tools over a project to an editor or an assistant, by the Model Context Protocol over stdio.

    It needs the extra serve: pip install 'tableapi[serve]'. Loading the views of a project runs its Python modules, so
    serve only a project that you trust. Nothing is written, and no Spark starts.

    Example: tableapi serve -C shop
    """
    _report("serve", False, lambda output: serving.serve(project))


# --- views that exist already ----------------------------------------------------------------------------------------


class ViewForm(str, Enum):
    """In which form imported views are written."""

    SQL = "sql"
    PYTHON = "python"


Destination = Annotated[
    Path, typer.Option("--to", help="The folder of the project into which views are imported; new or of a project.")
]
Form = Annotated[ViewForm, typer.Option("--as", help="Files of SQL, or a Python module a database.")]
Normalise = Annotated[bool, typer.Option("--normalise", help="Write the text of the tree instead of the author's.")]
OverwriteFiles = Annotated[
    bool, typer.Option("--overwrite-edited", help="Replace files that were edited since an import wrote them.")
]


@app.command("import-views", short_help="Take the views of a catalog over, each with a proof.")
def import_views(
    target: TargetName,
    databases: Annotated[list[str], typer.Argument(help="Databases, or patterns such as 'sales_*'.")],
    to: Destination,
    form: Form = ViewForm.SQL,
    normalise: Normalise = False,
    rows: Annotated[bool, typer.Option("--rows", help="Compare all rows, too, by a hash over them.")] = False,
    overwrite: OverwriteFiles = False,
    project: ProjectFolder = HERE,
    json: Json = False,
) -> None:
    """Take the views of a catalog over into a project, each with a proof that it means the same there.

    Every view ends as imported and proved, as imported and not proved (with the reason), or as kept as text (with the
    place that cannot be read). A run that was ended goes on where it stopped. Exit code 1: not all are proved.

    Example: tableapi import-views production sales finance --to imported
    """
    _report(
        "import-views",
        json,
        lambda output: importing.import_views(
            output, project, target, databases, to, _import_options(form, normalise, overwrite, rows=rows)
        ),
    )


@app.command("import-sql", short_help="Take the views of SQL files over, each with a proof.")
def import_sql(
    files: Annotated[list[Path], typer.Argument(help="Files, and folders with files *.sql.")],
    to: Destination,
    dialect: Annotated[DialectName, typer.Option(help="The dialect of the queries.")] = DialectName.SPARK,
    database: Annotated[
        str, typer.Option(help="The database of names without one, in a new project; else that of the project.")
    ] = "default",
    form: Form = ViewForm.SQL,
    normalise: Normalise = False,
    overwrite: OverwriteFiles = False,
    json: Json = False,
) -> None:
    """Take the views of SQL files over into a project: CREATE VIEW statements, and files of one query.

    CREATE TABLE, CREATE FUNCTION, USE and SET count; the tables of the project may be read, too. Views that cannot be
    read are kept as text, with their place. Exit code 1: not all are proved.

    Example: tableapi import-sql warehouse/views --to imported

    Example: tableapi import-sql job.sql --dialect flink --to imported
    """
    _report(
        "import-sql",
        json,
        lambda output: importing.import_sql(
            output, files, to, Dialect[dialect.name], database, _import_options(form, normalise, overwrite)
        ),
    )


def _import_options(
    form: ViewForm, normalises: bool, overwrites: bool, *, rows: bool = False
) -> importing.ImportOptions:
    return importing.ImportOptions(form is ViewForm.PYTHON, normalises, rows, overwrites)
