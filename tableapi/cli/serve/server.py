"""Speaks the Model Context Protocol over stdin and stdout."""

from __future__ import annotations

import json
import os
import sys
import traceback
from collections.abc import Mapping
from typing import Any, Final

import anyio
import anyio.to_thread
import mcp_types as protocol
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

from ir.errors import TableException
from tableapi._version import __version__
from tableapi.cli.serve.arguments import input_schema
from tableapi.cli.serve.tools import TOOLS, tool_named
from tableapi.cli.serve.workspace import Workspace

_INSTRUCTIONS: Final = (
    "Read-only tools over a project of typed SQL views for Apache Spark. Begin with types to see the tables and views. "
    "Queries are compiled and never run; nothing is written, and no Spark starts. Errors have the place, what is "
    "accepted, and the nearest valid name."
)
# open_world_hint: whether a tool reaches things outside of the project, such as the network.
_HINTS: Final = protocol.ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)


def run_server(workspace: Workspace) -> None:
    """Serve the tools over stdin and stdout until stdin ends.

    Args:
        workspace: the project.
    """
    anyio.run(_serve, workspace)


async def _serve(workspace: Workspace) -> None:
    # One call at a time, since a project is read and built without locks; the protocol goes on meanwhile.
    limiter = anyio.CapacityLimiter(1)

    async def list_tools(
        context: ServerRequestContext[Any], given: protocol.PaginatedRequestParams | None
    ) -> protocol.ListToolsResult:
        return protocol.ListToolsResult(
            tools=[
                protocol.Tool(
                    name=tool.name,
                    description=tool.description,
                    input_schema=input_schema(tool.parameters),
                    annotations=_HINTS,
                )
                for tool in TOOLS
            ]
        )

    async def call_tool(
        context: ServerRequestContext[Any], given: protocol.CallToolRequestParams
    ) -> protocol.CallToolResult:
        return await anyio.to_thread.run_sync(
            answer_call, workspace, given.name, given.arguments or {}, limiter=limiter, abandon_on_cancel=False
        )

    server: Server[Any] = Server(
        "tableapi",
        version=__version__,
        instructions=_INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )
    # While it is open, descriptor 1 leads to stderr, so that the output of views never reaches the client.
    async with stdio_server() as (incoming, outgoing):
        try:
            await server.run(incoming, outgoing, server.create_initialization_options())
        finally:
            # Afterwards, the descriptor leads to the client again.
            sys.stdout = sys.stderr


def answer_call(workspace: Workspace, name: str, arguments: Mapping[str, object]) -> protocol.CallToolResult:
    """Return the result of a call; every error is a result with the message, and none ends the server.

    Args:
        workspace: the project.
        name: the name of the tool.
        arguments: what the client sent.
    """
    try:
        document = tool_named(name).call(workspace, arguments)
    except (TableException, OSError) as error:
        return _failed(str(error))
    except SystemExit:
        return _failed("A module of the project ended the process, by sys.exit() or the like. Remove that call.")
    except Exception as error:
        if os.environ.get("TABLEAPI_TRACEBACK") == "full":
            traceback.print_exc()
        return _failed(f"{name} failed unexpectedly: {type(error).__name__}: {error}")
    finally:
        # What views printed, and Python still holds.
        sys.stdout.flush()
    text = json.dumps(document, ensure_ascii=False)
    return protocol.CallToolResult(content=[protocol.TextContent(text=text)], structured_content=document)


def _failed(message: str) -> protocol.CallToolResult:
    return protocol.CallToolResult(content=[protocol.TextContent(text=message)], is_error=True)
