"""The lineage graph of a project: its views, and the tables and views that they read."""

from __future__ import annotations

from collections.abc import Mapping

import attrs

from ir.identifiers import ObjectIdentifier, fold_path, path_text
from tableapi.catalog.read_cache import cache_reads
from tableapi.environment.table_environment import parts_of
from tableapi.lineage.fields import Dataset, Kind
from tableapi.lineage.graph import LineageGraph
from tableapi.project.project import Project


@attrs.frozen(eq=False)
class ProjectLineage:
    """The lineage graph of a project.

    Attributes:
        graph: the graph, with all tables and views of the project.
        unreadable: the views that cannot be built, each with the reason; the graph has them as tables where it can.
    """

    graph: LineageGraph
    unreadable: Mapping[str, str]


def project_lineage(project: Project) -> ProjectLineage:
    """Return the lineage graph of a project, which is built without Spark."""
    views = project.views()

    def name_of(identifier: ObjectIdentifier) -> str:
        parts = identifier.parts
        return path_text(parts[1:] if fold_path(parts[:1]) == fold_path((project.catalog.name,)) else parts)

    # All views of the project are added, and it can read no others.
    graph = LineageGraph(lambda source: None, lambda source: name_of(source.identifier))
    for view in views.values():
        dataset = Dataset(name_of(view.identifier), Kind.VIEW, view.view.schema, view.identifier)
        graph.add_query(dataset, view.operation)
    manager = parts_of(project.environment).runtime.manager
    with cache_reads():
        for catalog in (project.catalog, *map(manager.catalog, project.configuration.catalogs)):
            for database in catalog.list_databases():
                for name in sorted(set(catalog.list_tables(database)) - set(catalog.list_views(database))):
                    identifier = ObjectIdentifier(name, database, catalog.name)
                    schema = manager.find(identifier).schema
                    graph.add_table(Dataset(name_of(identifier), Kind.TABLE, schema, identifier))
    unreadable = {problem.subject: problem.message.partition("\n")[0] for problem in project.problems}
    return ProjectLineage(graph, unreadable)
