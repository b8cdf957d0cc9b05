"""Sending one call: a POST, and its complete reply or why there is none.

A reply is complete when its announced length or its last chunk has arrived. Everything else (no
connection, a dropped one, half a body, silence, an endless drip) is a `Failure` that says which,
and may pass.
"""

from __future__ import annotations

import asyncio
import json
import ssl
from functools import cache

import httpx

from plotchain_lib.query.keys import Key, redact
from plotchain_lib.wire import Failure, HttpCall, HttpReply

LARGEST_REPLY = 32_000_000  # bytes
_CONNECT_S = 15.0
_WRITE_S = 60.0
_IDLE_S = 60.0  # between two parts of a body; before its first the total counts
# Servers close idle connections, some after 5 s: what is older is not used for a paid call.
_KEEP_OPEN_S = 4.0


class Sender:
    """A broker's way to all providers.

    Every call in flight has a client, so a connection, to itself; the next call takes it over. One
    client for all would search its whole pool at each step: with 64 calls at once that takes more
    processor time than all the rest of a call.
    """

    def __init__(self, idle_s: float = _IDLE_S, largest: int = LARGEST_REPLY) -> None:
        """`idle_s`: the longest silence within a body. `largest`: bytes of a reply."""
        self._idle_s = idle_s
        self._largest = largest
        self._free: list[httpx.AsyncClient] = []

    async def close(self) -> None:
        """Close all connections that are not in use."""
        while self._free:
            await self._free.pop().aclose()

    async def send(self, call: HttpCall, key: Key | None, timeout_s: float) -> HttpReply | Failure:
        """The complete reply, or why there is none; within `timeout_s` seconds."""
        received = _Received()
        # The one used last: its connection is the freshest.
        client = self._free.pop() if self._free else _client()
        try:
            async with asyncio.timeout(timeout_s):
                return await self._exchange(client, _request(client, call, key), received)
        except TimeoutError:
            return _retry(received.overdue(timeout_s, self._idle_s))
        except httpx.ConnectTimeout:
            return _retry(f"cannot connect within {_CONNECT_S:.0f} s")
        except (httpx.ConnectError, httpx.ProxyError) as error:
            return _retry(f"cannot connect: {_line(error)}")
        except (httpx.UnsupportedProtocol, httpx.InvalidURL, httpx.LocalProtocolError) as error:
            return Failure("stop", f"the call cannot be sent: {_line(error)}; check base_url")
        except (httpx.WriteError, httpx.WriteTimeout):
            return _retry("the connection broke while the request was sent")
        except httpx.DecodingError:
            return _retry("the reply is wrongly compressed")
        except httpx.TransportError as error:
            return _retry(received.broken(_line(error)))
        finally:
            self._free.append(client)

    async def _exchange(
        self, client: httpx.AsyncClient, request: httpx.Request, received: _Received
    ) -> HttpReply | Failure:
        response = await client.send(request, stream=True)
        try:
            received.has_headers = True
            async with asyncio.timeout(self._idle_s) as idle:
                received.idle = idle
                loop = asyncio.get_running_loop()
                async for part in response.aiter_bytes():
                    idle.reschedule(loop.time() + self._idle_s)
                    received.body += part
                    if len(received.body) > self._largest:
                        return _retry(f"the reply is larger than {self._largest} bytes")
        finally:
            await response.aclose()
        headers = {name.lower(): value for name, value in response.headers.items()}
        return HttpReply(response.status_code, headers, bytes(received.body))


class _Received:
    """How far a reply came, for the reason when it came no further."""

    def __init__(self) -> None:
        self.has_headers = False
        self.body = bytearray()
        self.idle: asyncio.Timeout | None = None

    def overdue(self, timeout_s: float, idle_s: float) -> str:
        if not self.has_headers:
            return f"no reply within {timeout_s:g} s"
        if self.idle is not None and self.idle.expired():
            return f"the reply stalled for {idle_s:g} s"
        return f"the reply was not complete within {timeout_s:g} s"

    def broken(self, line: str) -> str:
        if not self.has_headers:
            return f"the connection was dropped before a reply: {line}"
        return f"the reply was cut off: {line}"


def _client() -> httpx.AsyncClient:
    return httpx.AsyncClient(
        verify=_trusted(),
        # Reading is watched in `send`: only there is it known whether a body has begun.
        timeout=httpx.Timeout(_CONNECT_S, write=_WRITE_S, read=None, pool=None),
        limits=httpx.Limits(max_keepalive_connections=1, keepalive_expiry=_KEEP_OPEN_S),
        headers={"user-agent": "plotchain", "accept-encoding": "identity"},
        follow_redirects=False,
    )


@cache
def _trusted() -> ssl.SSLContext:
    """The authorities that are trusted. To read them takes longer than many calls."""
    return httpx.create_ssl_context()


def _request(client: httpx.AsyncClient, call: HttpCall, key: Key | None) -> httpx.Request:
    headers = {"content-type": "application/json", **call.headers}
    if key is not None:
        name, prefix = call.key_header
        headers[name] = prefix + key.reveal()
    # In the body's own order: a schema's properties are answered in the order they come.
    content = json.dumps(call.body, allow_nan=False, separators=(",", ":")).encode()
    return client.build_request("POST", call.url, content=content, headers=headers)


def _retry(reason: str) -> Failure:
    return Failure("retry", reason)


def _line(error: Exception) -> str:
    """An exception in one line; httpx leaves some of them empty."""
    return redact(" ".join(str(error).split())) or type(error).__name__
