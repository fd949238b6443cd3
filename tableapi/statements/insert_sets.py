"""Executes and explains several INSERT commands as a statement set."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ir.commands.inserts import InsertInto, InsertIntoDirectory, InsertSet
from ir.errors import TableException
from tableapi.explain_detail import ExplainDetail
from tableapi.statement_set import StatementSet, add_insert
from tableapi.statements import inserts
from tableapi.table_pipeline import TablePipeline

if TYPE_CHECKING:
    from tableapi.statements.commands import Commands


def statement_set(commands: Commands, command: InsertSet) -> StatementSet:
    """Return the statement set that does what a command says.

    Raises:
        TableException: an insert is of a form that the catalog of its table does not have.
        ValidationException: a query does not fit its table.
    """
    made = StatementSet(commands.environment, commands.texts)
    for number, insert in enumerate(command.inserts, 1):
        try:
            add_insert(made, _pipeline_or_text(commands, insert))
        except TableException as error:
            error.args = (f"Statement {number} of {len(command.inserts)}: {error}", *error.args[1:])
            raise
    return made


def _pipeline_or_text(commands: Commands, insert: InsertInto | InsertIntoDirectory) -> TablePipeline | str:
    """Return the insert of the fluent API that does what a command says, or its text if only Spark can run it."""
    environment = commands.environment
    if isinstance(insert, InsertInto):
        pipeline = inserts.pipeline_of(environment, insert)
        called, in_spark = insert.form.called, commands.is_in_spark(insert.target)
    else:
        pipeline = inserts.pipeline_into_directory(environment, insert)
        called, in_spark = insert.called, True
    if pipeline is not None:
        return pipeline
    if in_spark and commands.is_readable_by_spark(insert.query):
        return commands.text_to_run(insert)
    where = "the query reads what Spark has under no name" if in_spark else f"{insert.target.catalog} does not have it"
    raise TableException(
        f"{called} of {insert.target.as_summary_string()} runs in Spark alone, and {where}. Execute it by itself, over "
        "tables of Spark. Nothing was written."
    )


def explain(commands: Commands, command: InsertSet, details: tuple[ExplainDetail, ...]) -> str:
    """Return the tree and the SQL of a set, and then the explanation of each insert."""
    text = commands.text_to_run(command)
    whole = commands.environment.statements.explain_command(command, text, details, in_spark=False)
    parts = [
        f"-- Statement {number} of {len(command.inserts)}\n{commands.explain(insert, details)}"
        for number, insert in enumerate(command.inserts, 1)
    ]
    return "\n\n".join([whole, *parts])
