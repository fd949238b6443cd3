"""Read the views of a target, each under the namespace and the settings that it was stored with."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any, Final

import attrs

from ir.errors import CatalogException, TableException, did_you_mean, listing
from ir.identifiers import fold
from ir.operations.operation import QueryOperation
from ir.resolution.operations import rename_all
from tableapi.catalog.catalog import CatalogTable, CatalogView, StoredView
from tableapi.catalog.directory import DirectoryCatalog
from tableapi.catalog.functions import CatalogFunction
from tableapi.catalog.statements import ViewDefinition
from tableapi.environment.table_environment import parts_of
from tableapi.lazy import lazy
from tableapi.migration.memory import content_digest
from tableapi.migration.records import Check, Failure, Proof, SourceView
from tableapi.migration.sources import (
    READER,
    Surroundings,
    called_by,
    failure_of,
    failure_of_query,
    is_stored_in,
    read_by,
)
from tableapi.project.configuration import ProjectError
from tableapi.project.deployment import Deployment
from tableapi.project.table_files import declared_table

if TYPE_CHECKING:
    from tableapi.spark import catalog as spark_catalog
    from tableapi.spark import settings as spark_settings
    from tableapi.spark.views import equivalence
    from tableapi.spark.views import settings as view_settings
else:
    equivalence = lazy(__name__, "tableapi.spark.views.equivalence")
    spark_catalog = lazy(__name__, "tableapi.spark.catalog")
    spark_settings = lazy(__name__, "tableapi.spark.settings")
    view_settings = lazy(__name__, "tableapi.spark.views.settings")

_OF_PRESTO: Final = re.compile(r"\s*/\* (?:Presto|Trino) (?:Materialized )?View")


class TargetViews:
    """The views of some databases of a target.

    Args:
        deployment: the target, connected.
        patterns: the names of databases, or patterns such as ``sales_*``.

    Raises:
        ProjectError: a name or pattern has no database at the target; the message suggests the nearest name.
    """

    def __init__(self, deployment: Deployment, patterns: Sequence[str]) -> None:
        self.deployment = deployment
        self.databases = self._chosen(patterns)

    def _chosen(self, patterns: Sequence[str]) -> list[str]:
        names = self.deployment.catalog.list_databases()
        found: dict[str, None] = {}
        for pattern in patterns:
            matching = [name for name in names if fnmatchcase(fold(name), fold(pattern))]
            if not matching:
                raise ProjectError(
                    f"The target {self.deployment.settings.name} has no database {pattern!r}. It has "
                    f"{listing(names)}." + did_you_mean(pattern, names)
                )
            found.update(dict.fromkeys(matching))
        return list(found)

    @property
    def origin(self) -> str:
        """The target and its databases."""
        return f"{self.deployment.settings.name}: {', '.join(self.databases)}"

    @property
    def skipped(self) -> tuple[str, ...]:
        """Nothing, because a catalog has views alone."""
        return ()

    # --- as they are stored ------------------------------------------------------------------------------------------

    def stored(self, own: Collection[str] = ()) -> list[SourceView]:
        """Return the views as they are stored, without reading their texts."""
        catalog = self.deployment.catalog
        return [self._stored(database, name) for database in self.databases for name in catalog.list_views(database)]

    def _stored(self, database: str, name: str) -> SourceView:
        """Return a view as it is stored; never raises for one view."""
        try:
            definition, settings, namespace = self._definition(database, name)
        except Exception as error:
            failure, text = failure_of(error), self._file_text(database, name)
            return SourceView(
                database,
                name,
                ViewDefinition("", ()),
                failure=failure,
                original=text,
                digest=content_digest(failure.reason + text),
            )
        facts = [attrs.asdict(definition), sorted(settings.items()), namespace]
        digest = content_digest(json.dumps(facts, default=str))
        return SourceView(database, name, definition, settings, namespace, digest=digest)

    def _definition(self, database: str, name: str) -> tuple[ViewDefinition, dict[str, str], tuple[str, ...]]:
        catalog = self.deployment.catalog
        # The first condition spares other catalogs PySpark.
        if catalog.is_in_spark and isinstance(catalog, spark_catalog.SparkCatalog):
            definition, settings, namespace = catalog.view_definition(database, name)
            return definition, dict(settings), namespace
        found: Any = catalog.stored_table(database, name)
        assert isinstance(found, StoredView | CatalogView)
        columns = (
            found.columns if isinstance(found, StoredView) else tuple((c.name, c.comment) for c in found.schema.columns)
        )
        mode = found.schema_mode or None
        definition = ViewDefinition(found.text, columns, found.comment, found.properties, mode, bool(columns))
        return definition, dict(found.settings), (self.deployment.configuration.catalog_name, database)

    def _file_text(self, database: str, name: str) -> str:
        """Return the text of a view's file in a directory catalog; empty if the target has no files."""
        catalog = self.deployment.catalog
        if isinstance(catalog, DirectoryCatalog):
            with contextlib.suppress(TableException, OSError):
                file = catalog.file_of(database, name)
                return "" if file is None else file.read_bytes().decode("utf-8-sig", "backslashreplace")
        return ""

    # --- as queries --------------------------------------------------------------------------------------------------

    def read(self, view: SourceView) -> SourceView:
        """Return a view with its tree and columns, or with the reason why it cannot be read; never raises for one."""
        if view.failure is not None:
            return view
        try:
            return self._read(view)
        except Exception as error:
            return attrs.evolve(view, failure=self._find_place(view, error))

    def _read(self, view: SourceView) -> SourceView:
        if _OF_PRESTO.match(view.definition.text):
            reason = "It is a view of Presto or Trino, whose text in the metastore is encoded, and no SQL of Spark."
            return attrs.evolve(view, failure=Failure(reason, 1, 1))
        deployed = self.deployment.view(view.database, view.name)
        if deployed is None:
            raise CatalogException("It was dropped while the import ran.")
        view = attrs.evolve(view, schema=deployed.schema, settings=deployed.settings or view.settings)
        if deployed.operation is not None and deployed.schema is not None:
            return attrs.evolve(view, operation=deployed.operation)
        violated = spark_settings.violations(view.settings)
        if violated:
            return self._read_under_other_settings(view, violated)
        return attrs.evolve(view, failure=self._find_place(view, deployed.unreadable))

    def _read_under_other_settings(self, view: SourceView, violated: list[str]) -> SourceView:
        """Read a text under the required settings, if Spark has the same plan for it then."""
        reason = "\n".join(["It was stored under other settings than views of a project have:", *violated])
        with self._within(view):
            try:
                query = self.deployment.environment.sql_query(view.definition.text).query_operation
            except TableException as error:
                found = failure_of_query(error, view.definition.text)
                return attrs.evolve(view, failure=Failure(f"{found.reason}\n{reason}", found.line, found.column))
        schema = view.schema
        if schema is None or len(schema) != len(query.schema):
            return attrs.evolve(view, failure=Failure(reason))
        operation = rename_all(query, list(schema.names))
        types = [column.data_type for column in operation.schema.columns]
        if types != [column.data_type for column in schema.columns]:
            return attrs.evolve(view, failure=Failure(f"{reason}\nThe types of its columns differ under the others."))
        if not self._has_same_meaning(view):
            return attrs.evolve(view, operation=operation, doubt=reason)
        names = [line.split(" is ")[0] for line in violated]
        note = f"It was stored with other values of {listing(names)}, which make no difference to it."
        return attrs.evolve(view, operation=operation, notes=(*view.notes, note))

    # --- what they read ----------------------------------------------------------------------------------------------

    def surroundings(self, views: Sequence[SourceView]) -> Surroundings:
        """Return the tables, views and functions of the catalog that views read and that are not imported."""
        catalog_name = self.deployment.configuration.catalog_name
        tables: dict[tuple[str, str], CatalogTable] = {}
        functions: dict[tuple[str, str], CatalogFunction] = {}
        manager = parts_of(self.deployment.environment).runtime.manager
        for identifier in read_by(views):
            if is_stored_in(identifier, catalog_name):
                # A table that disappeared since leaves the views that read it without proof.
                with contextlib.suppress(TableException):
                    found = declared_table(manager.find(identifier))
                    tables[str(identifier.database), identifier.name] = found
        for called in called_by(views):
            if is_stored_in(called, catalog_name):
                _, database, name = called.parts
                with contextlib.suppress(TableException):
                    function = self.deployment.catalog.get_function(database, name)
                    if function is not None:
                        functions[database, name] = function
        return Surroundings(tables, functions)

    # --- proofs ------------------------------------------------------------------------------------------------------

    def prove(self, view: SourceView, operation: QueryOperation, *, rows: bool) -> Proof:
        """Compare a stored view with a query as it would be deployed, by Spark; without a Spark, nothing is compared.

        Args:
            view: the view.
            operation: the query that the project has for it.
            rows: whether to compare all rows, too.
        """
        if not self.deployment.catalog.is_in_spark:
            return Proof()
        with self._comparison(view, operation) as comparison:
            plan = _compared_plan(comparison)
            if not rows:
                words = {
                    Check.DIFFERENT: ("Spark's optimised plans differ. Compare all rows: --rows.",),
                    Check.NOT_MADE: ("Spark cannot optimise the query, so that no plans were compared.",),
                }
                return Proof(plan=plan, details=words.get(plan, ()))
            before, after = comparison.digests()
            if before == after:
                return Proof(plan=plan, rows=Check.SAME)
            if comparison.digests()[0] != before:
                return Proof(plan=plan, details=("It returns other rows each time, which cannot be compared.",))
            details = (f"The rows differ: {before.count} before, {after.count} in the project.",)
            return Proof(plan=plan, rows=Check.DIFFERENT, details=details, sample=tuple(comparison.differences()))

    def _has_same_meaning(self, view: SourceView) -> bool:
        """Whether the text of a view means the same under the settings of a project."""
        if not self.deployment.catalog.is_in_spark:
            return False
        path = (self.deployment.configuration.catalog_name, view.database, view.name)
        spark, text = self.deployment.environment.spark, view.definition.text
        try:
            with equivalence.Comparison(spark, path, text, view.settings, view.namespace) as comparison:
                return comparison.has_same_meaning()
        except TableException:
            # Spark computes constants when it plans, and may fail at one under the other settings.
            return False

    def _comparison(self, view: SourceView, operation: QueryOperation) -> equivalence.Comparison:
        path = (self.deployment.configuration.catalog_name, view.database, view.name)
        spark = self.deployment.environment.spark
        return equivalence.Comparison(spark, path, self._deployed_text(operation), view.settings)

    def _deployed_text(self, operation: QueryOperation) -> str:
        """Return the text that a deployment of a query stores."""
        environment = self.deployment.environment
        engine = parts_of(environment).runtime.target_of("SPARK")
        return self.deployment.catalog.view_text(operation, self.deployment.configuration.catalog_name, engine)

    @contextmanager
    def _within(self, view: SourceView) -> Iterator[None]:
        """Make the namespace of a view the current one."""
        environment = self.deployment.environment
        before = environment.get_current_catalog(), environment.get_current_database()
        catalog, database = view.namespace or (self.deployment.configuration.catalog_name, view.database)
        environment.use_catalog(catalog)
        environment.use_database(database)
        try:
            yield
        finally:
            environment.use_catalog(before[0])
            environment.use_database(before[1])

    def _find_place(self, view: SourceView, error: Exception | str) -> Failure:
        """Return why a view cannot be read; if Spark says no place in the text, what this library says is added.

        Other catalogs say the place in the file of the view, or of a view that it reads.
        """
        failure = failure_of(error)
        if not view.definition.text:
            return failure
        is_elsewhere = not self.deployment.catalog.is_in_spark or READER.search(str(error)) is not None
        if failure.line and not is_elsewhere:
            return failure
        try:
            with self._within(view):
                self.deployment.environment.sql_query(view.definition.text)
        except TableException as error:
            own = failure_of_query(error, view.definition.text)
            if is_elsewhere:
                return own
            if own.line:
                return own if own.reason in failure.reason else attrs.evolve(own, reason=_joined(own, failure))
        return Failure(failure.reason)


def _compared_plan(comparison: equivalence.Comparison) -> Check:
    same = comparison.has_same_plan()
    return Check.NOT_MADE if same is None else Check.SAME if same else Check.DIFFERENT


def _joined(own: Failure, other: Failure) -> str:
    first = other.reason.splitlines()[0]
    return f"{own.reason}\nSpark: {first}"
