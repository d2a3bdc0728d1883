"""What a figure may meet in life, made on one machine: a connection over a long way, and other work beside it."""

import asyncio
import subprocess
import sys
import threading
from concurrent.futures import Future
from contextlib import contextmanager, suppress


@contextmanager
def busy_core():
    """Another process that keeps one core occupied."""
    process = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    try:
        yield
    finally:
        process.kill()
        process.wait()


@contextmanager
def long_way(address: str, delay: float):
    """A local address that leads to `address`, with `delay` seconds between what is sent and what arrives, each way."""
    host, port = address.removeprefix("http://").split(":")
    begun = Future()

    async def connect(reader, writer):
        with suppress(asyncio.CancelledError):              # at the end, what is still open is left
            far_reader, far_writer = await asyncio.open_connection(host, int(port))
            await asyncio.gather(_carry(reader, far_writer, delay), _carry(far_reader, writer, delay))

    async def run():
        end = asyncio.Event()
        server = await asyncio.start_server(connect, "127.0.0.1", 0)
        begun.set_result((server.sockets[0].getsockname()[1], asyncio.get_running_loop(), end))
        await end.wait()

    thread = threading.Thread(target=lambda: asyncio.run(run()))
    thread.start()
    here, loop, end = begun.result(timeout=10)
    try:
        yield f"http://127.0.0.1:{here}"
    finally:
        loop.call_soon_threadsafe(end.set)
        thread.join()


async def _carry(reader, writer, delay: float) -> None:
    """Hand on each chunk `delay` seconds after it came, in the order in which they came."""
    loop = asyncio.get_running_loop()
    with suppress(ConnectionError):                         # either side may hang up
        while chunk := await reader.read(1 << 16):
            loop.call_later(delay, writer.write, chunk)
    loop.call_later(delay, writer.close)
