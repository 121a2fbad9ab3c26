"""The product's own MCP server, plus the tools, resources and prompts that the conformance suite calls by name.

    python -m tests.conformance.fixture PORT [--bare]

`--bare` leaves the fixtures out. What the suite would ask of a server that calls back to its client (sampling, elicitation in
mid-call, log messages, resource subscriptions) is not offered by a stateless server and stands in `not_offered.yml`.
"""

from __future__ import annotations

import asyncio
import base64
import json
import struct
import sys
import zlib
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import uvicorn
from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.prompts.base import UserMessage
from mcp.shared.exceptions import MCPError
from mcp_types import (
    MISSING_REQUIRED_CLIENT_CAPABILITY,
    AudioContent,
    ClientCapabilities,
    Completion,
    CreateMessageRequest,
    CreateMessageRequestParams,
    ElicitRequest,
    ElicitRequestFormParams,
    EmbeddedResource,
    ImageContent,
    InputRequiredResult,
    ListRootsRequest,
    MissingRequiredClientCapabilityErrorData,
    SamplingCapability,
    SamplingMessage,
    TextContent,
    TextResourceContents,
)

from hydramind.mcp_server import build_server
from hydramind.mcp_server.http import guarded
from hydramind.mcp_server.opening import OnFirstUse
from hydramind.service import HydraMind
from hydramind.settings import Settings, load
from hydramind.web.addresses import Policy


def png() -> bytes:
    """One red pixel."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)
    pixel = zlib.compress(b"\0\xff\0\0")
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixel) + chunk(b"IEND", b"")


def wav() -> bytes:
    """One silent sample."""
    shape = struct.pack("<4sIHHIIHH", b"fmt ", 16, 1, 1, 8_000, 8_000, 1, 8)
    body = b"WAVE" + shape + struct.pack("<4sI", b"data", 1) + b"\x80\0"
    return struct.pack("<4sI", b"RIFF", len(body)) + body


PNG, WAV = base64.b64encode(png()).decode(), base64.b64encode(wav()).decode()
IMAGE = ImageContent(type="image", data=PNG, mime_type="image/png")


def embedded(uri: str, text: str, mime_type: str = "text/plain") -> EmbeddedResource:
    """A resource inside a message."""
    contents = TextResourceContents(uri=uri, text=text, mime_type=mime_type)
    return EmbeddedResource(type="resource", resource=contents)


def add_content(server: MCPServer[Any]) -> None:
    """Tools that return each kind of content."""

    @server.tool(structured_output=False)
    async def test_simple_text() -> str:
        """Simple text."""
        return "This is a simple text response for testing."

    @server.tool(structured_output=False)
    async def test_image_content() -> ImageContent:
        """Image content."""
        return IMAGE

    @server.tool(structured_output=False)
    async def test_audio_content() -> AudioContent:
        """Audio content."""
        return AudioContent(type="audio", data=WAV, mime_type="audio/wav")

    @server.tool(structured_output=False)
    async def test_embedded_resource() -> EmbeddedResource:
        """Embedded resource."""
        return embedded("test://embedded-resource", "This is an embedded resource content.")

    @server.tool(structured_output=False)
    async def test_multiple_content_types() -> list[TextContent | ImageContent | EmbeddedResource]:
        """Multiple content types."""
        data = json.dumps({"test": "data", "value": 123})
        return [
            TextContent(type="text", text="Multiple content types test:"),
            IMAGE,
            embedded("test://mixed-content-resource", data, "application/json"),
        ]


def add_behaviour(server: MCPServer[Any]) -> None:
    """Tools that fail, report, or look at what the client can do."""

    @server.tool(structured_output=False)
    async def test_error_handling() -> str:
        """Error handling."""
        raise ToolError("This tool intentionally returns an error for testing")

    @server.tool(structured_output=False)
    async def test_tool_with_progress(ctx: Context[Any, Any]) -> str:
        """Tool with progress."""
        for done in (0, 50, 100):
            await ctx.report_progress(done, 100)
            await asyncio.sleep(0.05)
        return "done"

    @server.tool(structured_output=False)
    async def test_missing_capability(ctx: Context[Any, Any]) -> str:
        """Missing capability."""
        needed = ClientCapabilities(sampling=SamplingCapability())
        if ctx.client_capabilities is None or ctx.client_capabilities.sampling is None:
            data = MissingRequiredClientCapabilityErrorData(required_capabilities=needed)
            details = data.model_dump(by_alias=True, mode="json", exclude_none=True)
            raise MCPError(MISSING_REQUIRED_CLIENT_CAPABILITY, "sampling is required", details)
        return "sampling is declared"

    @server.tool(structured_output=False)
    async def test_trigger_tool_change(ctx: Context[Any, Any]) -> str:
        """Trigger tool change."""
        await ctx.notify_tools_changed()
        return "told"

    @server.tool(structured_output=False)
    async def test_trigger_prompt_change(ctx: Context[Any, Any]) -> str:
        """Trigger prompt change."""
        await ctx.notify_prompts_changed()
        return "told"


def add_resources_and_prompts(server: MCPServer[Any]) -> None:
    """Resources and prompts; the product itself has none."""

    @server.resource("test://static-text", mime_type="text/plain")
    def static_text() -> str:
        """Static text."""
        return "This is the content of the static text resource."

    @server.resource("test://static-binary", mime_type="image/png")
    def static_binary() -> bytes:
        """Static binary."""
        return png()

    @server.resource("test://template/{id}/data", mime_type="application/json")
    def template(id: str) -> str:
        """Template."""
        return json.dumps({"id": id, "templateTest": True, "data": f"Data for ID: {id}"})

    @server.prompt()
    def test_simple_prompt() -> str:
        """Simple prompt."""
        return "This is a simple prompt for testing."

    @server.prompt()
    def test_prompt_with_arguments(arg1: str, arg2: str) -> str:
        """Prompt with arguments."""
        return f"Prompt with arguments: arg1='{arg1}', arg2='{arg2}'"

    @server.prompt()
    def test_prompt_with_embedded_resource(resourceUri: str) -> list[UserMessage]:  # noqa: N803
        """Prompt with embedded resource."""
        return [
            UserMessage(embedded(resourceUri, "Embedded resource content for testing.")),
            UserMessage("Please process the embedded resource above."),
        ]

    @server.prompt()
    def test_prompt_with_image() -> list[UserMessage]:
        """Prompt with image."""
        return [UserMessage(IMAGE), UserMessage("Please analyze the image above.")]

    @server.completion()
    async def complete(ref: Any, argument: Any, context: Any) -> Completion:
        del ref, context
        return Completion(values=[name for name in ("paris", "park", "party") if name.startswith(argument.value)])


def form(message: str, name: str, kind: str = "string") -> ElicitRequest:
    """A question with one field."""
    schema = {"type": "object", "properties": {name: {"type": kind}}, "required": [name]}
    return ElicitRequest(params=ElicitRequestFormParams(message=message, requested_schema=schema))


def sample(text: str, most: int) -> CreateMessageRequest:
    """A request to the client's model."""
    message = SamplingMessage(role="user", content=TextContent(type="text", text=text))
    return CreateMessageRequest(params=CreateMessageRequestParams(messages=[message], max_tokens=most))


NAME, ROOTS = form("What is your name?", "name"), ListRootsRequest()
ASKING: Mapping[str, tuple[dict[str, Any], str | None]] = {
    "test_input_required_result_elicitation": ({"user_name": NAME}, None),
    "test_input_required_result_sampling": ({"capital_question": sample("What is the capital of France?", 100)}, None),
    "test_input_required_result_list_roots": ({"client_roots": ROOTS}, None),
    "test_input_required_result_request_state": ({"confirm": form("Please confirm", "ok", "boolean")}, "asked"),
    "test_input_required_result_tampered_state": ({"confirm": form("Please confirm", "ok", "boolean")}, "asked"),
    "test_input_required_result_multiple_inputs": (
        {"user_name": NAME, "greeting": sample("Generate a greeting", 50), "client_roots": ROOTS},
        "asked",
    ),
}
"""What each tool asks for in its only round, and the state it hands out."""


def add_asking(server: MCPServer[Any]) -> None:
    """Tools and a prompt that need input from the client and get it on the retry."""
    for name, (questions, state) in ASKING.items():
        server.add_tool(asking(questions, state), name=name, description="Asks once.", structured_output=False)

    @server.tool(structured_output=False)
    async def test_input_required_result_multi_round(ctx: Context[Any, Any]) -> str | InputRequiredResult:
        """Input required result multi round."""
        answers = ctx.input_responses or {}
        if ctx.request_state == "2" and "step2" in answers:
            return "done"
        if ctx.request_state == "1" and "step1" in answers:
            step = form("Step 2: What is your favorite color?", "color")
            return InputRequiredResult(input_requests={"step2": step}, request_state="2")
        step = form("Step 1: What is your name?", "name")
        return InputRequiredResult(input_requests={"step1": step}, request_state="1")

    @server.tool(structured_output=False)
    async def test_input_required_result_capabilities(ctx: Context[Any, Any]) -> str | InputRequiredResult:
        """Input required result capabilities."""
        able = ctx.client_capabilities or ClientCapabilities()
        possible = {"user_name": (able.elicitation, NAME), "greeting": (able.sampling, sample("Hello", 50))}
        return InputRequiredResult(input_requests={key: ask for key, (can, ask) in possible.items() if can is not None})

    @server.prompt()
    async def test_input_required_result_prompt(ctx: Context[Any, Any]) -> str | InputRequiredResult:
        """Input required result prompt."""
        if "user_context" in (ctx.input_responses or {}):
            return "The context was given."
        question = form("What context should the prompt use?", "context")
        return InputRequiredResult(input_requests={"user_context": question})


def asking(questions: dict[str, Any], state: str | None) -> Any:
    """A tool body that asks once and then says what it got."""

    async def ask(ctx: Context[Any, Any]) -> str | InputRequiredResult:
        answers = ctx.input_responses or {}
        if not questions.keys() <= answers.keys() or ctx.request_state != state:
            return InputRequiredResult(input_requests=questions, request_state=state)
        said = json.dumps({key: answer.model_dump(mode="json") for key, answer in answers.items() if key in questions})
        return f"{'state-ok ' if state else ''}{said}"

    return ask


def conformance_server(settings: Settings, *, bare: bool) -> tuple[MCPServer[Any], OnFirstUse]:
    """The product's server, with the fixtures unless `bare`."""
    mind = OnFirstUse(lambda: HydraMind.open(settings))
    server = build_server(mind, settings)
    if not bare:
        add_content(server)
        add_behaviour(server)
        add_resources_and_prompts(server)
        add_asking(server)
    return server, mind


async def main(port: int, *, bare: bool) -> None:
    """Serve on loopback until a signal."""
    with TemporaryDirectory() as home:
        settings = load({}, home=Path(home))
        server, mind = conformance_server(settings, bare=bare)
        app = guarded(server, settings, Policy("127.0.0.1", port))
        serving = uvicorn.Server(uvicorn.Config(app, port=port, log_level="warning", timeout_graceful_shutdown=1))
        try:
            listener = serving.config.bind_socket()
            print("ready", flush=True)
            await serving.serve([listener])
        finally:
            await mind.aclose()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), bare="--bare" in sys.argv))
