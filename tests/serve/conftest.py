"""One process of ``tableapi serve`` for all tests, with the client of the official SDK."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp_types import CallToolResult

from tests.serve.served_project import write_served_project

DOCUMENTS = json.loads((Path(__file__).parents[2] / "docs" / "json-documents.json").read_text())


class Server:
    """A running server, called from tests."""

    def __init__(self, portal: BlockingPortal, client: Client) -> None:
        self.portal = portal
        self.client = client

    def call(self, tool: str, **arguments: object) -> CallToolResult:
        """Call a tool."""
        return self.portal.call(self.client.call_tool, tool, arguments)

    def document(self, tool: str, **arguments: object) -> dict[str, Any]:
        """Call a tool that succeeds, and return its document, which follows the schema."""
        result = self.call(tool, **arguments)
        assert not result.is_error, result.content
        [content] = result.content
        found: dict[str, Any] = result.structured_content
        assert json.loads(content.text) == found
        jsonschema.validate(found, DOCUMENTS)
        return found

    def error(self, tool: str, **arguments: object) -> str:
        """Call a tool that fails, and return the message."""
        result = self.call(tool, **arguments)
        assert result.is_error
        assert result.structured_content is None
        [content] = result.content
        assert "Traceback" not in content.text
        assert 'File "' not in content.text
        return str(content.text)


def server_parameters(project: Path) -> StdioServerParameters:
    """Return how the server of a project is started: as its users do, and so that each JVM fails."""
    environment = {
        "PYTHONPATH": os.pathsep.join(sys.path),
        "TABLEAPI_HOME": str(project.parent / "home"),
        "JAVA_TOOL_OPTIONS": "-XX:+TestsOfServeStartNoJvm",
    }
    arguments = ["-m", "tableapi", "serve", "-C", str(project)]
    return StdioServerParameters(command=sys.executable, args=arguments, env=environment, cwd=project.parent)


@pytest.fixture(scope="session")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_served_project(tmp_path_factory.mktemp("serve") / "shop")


@pytest.fixture(scope="session")
def twin(project: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project for the command line, whose check keeps a file."""
    return Path(shutil.copytree(project, tmp_path_factory.mktemp("twin") / "shop", symlinks=True))


@pytest.fixture(scope="session")
def server(project: Path) -> Iterator[Server]:
    with (
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(Client(stdio_client(server_parameters(project)))) as client,
    ):
        yield Server(portal, client)


@pytest.fixture
def edited(project: Path, tmp_path: Path) -> Iterator[Path]:
    """The project for a test that edits its files, which are restored."""
    kept = tmp_path / "kept"
    shutil.copytree(project, kept, symlinks=True)
    yield project
    shutil.rmtree(project)
    shutil.copytree(kept, project, symlinks=True)
