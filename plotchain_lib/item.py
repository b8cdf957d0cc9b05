"""The words every stage shares.

An *item* is one question about one picture. A *field* is one requested value. A *request* is what
a model is given, a *response* what came back, an *answer* one field's value read from it, and a
*verdict* what that value is worth. Stages hand these to each other in files; the shapes are here.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, get_args

Scope = Literal["final", "checkpoint"]
Outcome = Literal["answered", "refused", "blocked", "truncated", "empty", "rejected", "pending"]
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)

ANSWER_COLUMNS = (
    "dataset", "model", "item", "repeat", "field", "value", "text", "form", "outcome",
    "latency_s", "input_tokens", "output_tokens", "cost_usd",
)  # fmt: skip
SCORE_COLUMNS = (
    "dataset", "policy", "model", "item", "repeat", "shard", "group", "difficulty", "scope",
    "field", "value", "truth", "derived", "abs_err", "rel_err", "abs_tol", "rel_tol", "score",
    "passed", "outcome",
)  # fmt: skip


class PlotChainError(Exception):
    """A fault of the input, said in one line: what, where, and how to mend it."""


class NotNowError(PlotChainError):
    """What cannot be done here or now, and may be later: whoever asked it is left pending."""


@dataclass(frozen=True, slots=True)
class Field:
    """One requested value.

    Attributes:
        name: the JSON key; checkpoint fields of plotchain start with ``cp_``.
        unit: the unit the value is asked in; empty for a ratio or a count.
        definition: what the value is, as the prompt says it.
        scope: ``final`` (what the reader is after) or ``checkpoint`` (a step on the way).
        decimals: digits after the point the truth is rounded to; None where it is not.
    """

    name: str
    unit: str
    definition: str
    scope: Scope
    decimals: int | None = None


@dataclass(frozen=True, slots=True)
class Item:
    """One question about one picture, with its truth. The prompt is data, frozen with the item.

    Attributes:
        id: unique in its dataset, for example ``bandpass_response_007``.
        suite: ``plotchain``, ``grab`` or ``matplotgym``.
        shard: the unit of generate and render (plotchain: the family).
        group: what results are broken down by (plotchain: the family).
        prompt: the whole text a model is sent.
        picture: the PNG's path. A generated item's is relative to its dataset's folder, a
            release's is relative to the working folder; None where an item has none.
        fields: the requested values, in the order the prompt asks for them.
        truth: field name to true value, already rounded to the field's decimals.
        params: what the picture is drawn from.
        seed: the dataset's master seed; None for a release.
        difficulty: ``clean``, ``moderate`` or ``edge``; other suites have their own.
    """

    id: str
    suite: str
    shard: str
    group: str
    prompt: str
    picture: str | None
    fields: tuple[Field, ...]
    truth: Mapping[str, float | str]
    params: Mapping[str, Any]
    seed: int | None
    difficulty: str

    def to_json(self) -> str:
        """The item as one line of canonical JSON (sorted keys, no NaN)."""
        return json.dumps(asdict(self), sort_keys=True, allow_nan=False, ensure_ascii=False)

    @staticmethod
    def from_json(line: str) -> Item:
        """Read what `to_json` wrote. Raises ValueError, KeyError or TypeError on anything else."""
        record = json.loads(line)
        record["fields"] = tuple(Field(**entry) for entry in record["fields"])
        return Item(**record)


@dataclass(frozen=True, slots=True)
class Request:
    """What one model is asked about one item. Everything in it enters the cache key but `item`.

    Attributes:
        kind: the model's kind, the name of a module in `plotchain_lib.models`.
        settings: the model's settings that enter a request (model name, decoding, ...).
        prompt: the item's prompt.
        fields: the requested field names, in order.
        picture: the PNG's exact bytes; None for a model that does not look.
        repeat: counts from 1; makes repeated calls distinct.
        material: what a local model answers from (blind: its constants, recorded: its record).
        item: the item's id, for messages only.
        messages: an episode's turns so far, the prompt first: ``{"role", "text"}`` with the roles
            ``user`` and ``assistant`` by turns, the last a user's. Empty where there is one turn.
    """

    kind: str
    settings: Mapping[str, Any]
    prompt: str
    fields: tuple[str, ...]
    picture: bytes | None
    repeat: int
    material: Mapping[str, Any] = field(default_factory=dict)
    item: str = ""
    messages: tuple[Mapping[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Response:
    """How a call ended and what it brought.

    Attributes:
        outcome: how the call ended; ``pending`` is never cached.
        text: the model's text, exactly; empty where there is none.
        reason: one line for any outcome but ``answered``.
        latency_s: seconds of the call itself; None where it means nothing (blind).
        input_tokens, output_tokens: as the provider counted; None where it did not.
        cost_usd: US dollars; None where no price applies.
        served_model: the model's name as the provider reported it.
        sent: what was sent besides prompt and picture, without secrets.
        received: what else came back and is worth keeping.
    """

    outcome: Outcome
    text: str = ""
    reason: str = ""
    latency_s: float | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: float | None = None
    served_model: str = ""
    sent: Mapping[str, Any] = field(default_factory=dict)
    received: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Relation:
    """How one field follows from other fields of the same answer.

    Attributes:
        family: the group it holds in.
        field: the field that follows.
        inputs: the fields it follows from, in the order `compute` takes them.
        formula: the relation as a person writes it.
        compute: works on floats and arrays alike; NaN in, NaN out.
        given: parameters of the item that the picture or the prompt prints; `compute` takes them
            after the inputs.
    """

    family: str
    field: str
    inputs: tuple[str, ...]
    formula: str
    compute: Callable[..., Any]
    given: tuple[str, ...] = ()
