"""`memdb mcp`: a process that speaks protocol and nothing else, with a server, without one, and when it comes back."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
from typing import Any

import pytest
from mcp import Client

from tests.integration.mcp.conftest import COMMAND, Served, call, command, key_of, refused
from tests.support.product import Caller, Product

INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "0"}},
}
READY = {"jsonrpc": "2.0", "method": "notifications/initialized"}


async def spoken(url: str, key: str, *lines: Any, arguments: tuple[str, ...] = ()) -> tuple[list[str], str, int | None]:
    """What the command writes to stdout and stderr for these lines, and how it ends when stdin does."""
    parameters = command(url, key)
    process = await asyncio.create_subprocess_exec(
        str(COMMAND), "mcp", *arguments, env=parameters.env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdin is not None
    assert process.stdout is not None
    sent = "".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines)
    process.stdin.write(sent.encode())
    await process.stdin.drain()
    awaited = sum(1 for line in lines if isinstance(line, dict) and "id" in line)
    shown = [(await asyncio.wait_for(process.stdout.readline(), 60)).decode() for _ in range(awaited)]
    process.stdin.close()
    rest, errors = await asyncio.wait_for(asyncio.gather(process.stdout.read(), process.stderr.read()), 60)  # type: ignore[union-attr]  # pipes
    return [*shown, *rest.decode().splitlines()], errors.decode(), await process.wait()


async def test_stdout_holds_protocol_and_nothing_else(served: Served, ana: Caller) -> None:
    lines, errors, code = await spoken(
        served.url,
        key_of(ana),
        INITIALIZE,
        READY,
        {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
        "this is no JSON at all",
        '{"jsonrpc":"2.0","id":',
        "",
        {"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {"name": "remember", "arguments": {"content": "a red kite\n"}}},
        {"jsonrpc": "2.0", "id": 4, "method": "tools/call", "params": {"name": "remember", "arguments": {"user": "x"}}},
        {"jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": {"name": "nothing"}},
    )
    messages = [json.loads(line) for line in lines if line.strip()]
    assert all(message["jsonrpc"] == "2.0" for message in messages)
    by_id = {message["id"]: message for message in messages if message.get("id") is not None}
    assert set(by_id) == {1, 2, 3, 4, 5}
    assert by_id[1]["result"]["serverInfo"]["name"] == "memdb"
    assert not by_id[3]["result"].get("isError", False)
    assert by_id[4]["result"]["isError"]
    assert "error" in by_id[5]
    assert "Traceback" not in errors
    assert "kite" not in errors
    assert code == 0


async def test_without_a_server_a_call_says_what_to_do_and_the_next_one_finds_it(product: Product, ana: Caller) -> None:
    server = Served(product.runtime)
    await server.start()
    await server.stop()
    async with Client(command(server.url, key_of(ana))) as client:
        assert len((await client.list_tools()).tools) >= 7
        error = await refused(client, "recall", {"query": "x"})
        assert error["code"] == "unreachable"
        assert "memdb up" in error["detail"]
        await server.start()
        try:
            await call(client, "remember", content="the tide turns at six")
        finally:
            await server.stop()
        assert (await refused(client, "list_brains", {}))["code"] == "unreachable"


@pytest.mark.parametrize("body", [b"hello", b"[]", b"{}", b'{"error": {"code": "x"}}', b'{"error": null}', b'{"result": 3}'])
async def test_a_server_that_is_none_of_ours_is_told(ana: Caller, body: bytes) -> None:
    async def other(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        length = int((await reader.readuntil(b"\r\n\r\n")).lower().split(b"content-length: ")[1].split(b"\r\n")[0])
        await reader.readexactly(length)
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%b" % (len(body), body))
        await writer.drain()
        writer.close()

    listener = await asyncio.start_server(other, "127.0.0.1", 0)
    async with listener:
        port = listener.sockets[0].getsockname()[1]
        async with Client(command(f"http://127.0.0.1:{port}", key_of(ana))) as client:
            assert (await refused(client, "list_brains", {}))["code"] == "not_memdb"


async def test_without_a_key_it_ends_with_one_line_on_stderr(served: Served, ana: Caller) -> None:
    parameters = command(served.url, key_of(ana))
    assert parameters.env is not None
    env = {name: value for name, value in parameters.env.items() if name != "MEMDB_KEY"}
    done = await asyncio.to_thread(subprocess.run, [str(COMMAND), "mcp"], env=env, input=b"", capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (3, b"")
    assert done.stderr.startswith(b"error: set MEMDB_KEY")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_a_signal_ends_it_while_it_waits(served: Served, ana: Caller, number: signal.Signals) -> None:
    parameters = command(served.url, key_of(ana))
    process = await asyncio.create_subprocess_exec(
        str(COMMAND), "mcp", env=parameters.env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(json.dumps(INITIALIZE).encode() + b"\n")
    await asyncio.wait_for(process.stdout.readline(), 60)
    process.send_signal(number)
    _, errors = await asyncio.wait_for(process.communicate(), 10)
    assert process.returncode in {-number, 130}
    assert b"Traceback" not in errors
