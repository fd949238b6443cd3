"""The verb serve: what it needs, and that no Spark starts."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from tableapi.cli.output import ExitCode
from tableapi.lazy import lazy
from tableapi.project.configuration import ProjectError, find_project
from tableapi.spark.session import refuse_sessions

if TYPE_CHECKING:
    from tableapi.cli.serve import server, workspace
else:
    # The extra serve may be missing.
    server = lazy(__name__, "tableapi.cli.serve.server")
    workspace = lazy(__name__, "tableapi.cli.serve.workspace")


def serve(folder: Path) -> ExitCode:
    """Serve the project to which a folder belongs, until the client closes stdin.

    Raises:
        ProjectError: there is no project, or the extra is not installed.
    """
    root = find_project(folder.absolute())
    try:
        run = server.run_server
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("mcp", "mcp_types", "anyio"):
            raise
        raise ProjectError(
            f"tableapi serve comes with the extra 'serve' of tableapi: {sys.executable} -m pip install "
            "'tableapi[serve]'."
        ) from None
    refuse_sessions(
        "This would start Spark, which tableapi serve never does. Declare what the query reads: in the project, or by "
        "CREATE TABLE before the query."
    )
    run(workspace.Workspace(root))
    return ExitCode.OK
