"""The words of asking over HTTP, shared by the providers (what to send, what a reply means) and by
the broker (sending, waiting, counting).

A provider is pure: a request becomes an `HttpCall`, an `HttpReply` becomes a `Response` or a
`Failure`. Keys are in neither; the broker adds them when it sends.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from plotchain_lib.item import Outcome, Request, Response


@dataclass(frozen=True, slots=True)
class HttpCall:
    """One POST, without its key.

    Attributes:
        url: without a key and without anything secret.
        headers: lower-case names; the key's own header is not among them.
        body: sent as JSON.
        key_variable: the environment variable that holds the key; empty where none is needed.
        key_header: (name, text before the key), for example ``("authorization", "Bearer ")``.
        sent: the decoding parameters as they are sent.
        left_out: parameters that were requested but not sent, each with the reason.
    """

    url: str
    headers: Mapping[str, str]
    body: Mapping[str, Any]
    key_variable: str
    key_header: tuple[str, str]
    sent: Mapping[str, Any]
    left_out: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class HttpReply:
    """A complete reply: status, headers (lower-case names) and the body's bytes."""

    status: int
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True, slots=True)
class Failure:
    """A reply that is no answer.

    Attributes:
        action: ``retry`` (it may pass), ``stop`` (it will not pass by waiting: all calls of this
            model stay pending) or ``record`` (it is this call's outcome, for good).
        reason: one line, without secrets.
        outcome: for ``record``: ``refused``, ``blocked``, ``truncated``, ``empty``, ``rejected``.
        wait_s: how long the provider asks to wait; None where it does not say.
        limited: whether it says that too much was asked at once (429 and the like).
    """

    action: Literal["retry", "stop", "record"]
    reason: str
    outcome: Outcome = "rejected"
    wait_s: float | None = None
    limited: bool = False


class Provider(Protocol):
    """What a provider's module supplies besides ``check``.

    Attributes:
        sees_picture: True; a model with ``see_image: false`` in its settings is sent none.
    """

    sees_picture: bool

    def check(self, settings: Mapping[str, Any]) -> None:
        """Raise PlotChainError where settings are missing, unknown or out of range."""

    def call(self, request: Request) -> HttpCall:
        """What is sent for a request: pure, the same bytes every time."""

    def read(self, reply: HttpReply) -> Response | Failure:
        """What a complete reply means. Never raises, whatever the body holds."""
