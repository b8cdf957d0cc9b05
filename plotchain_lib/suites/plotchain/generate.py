"""Items from a seed: draw, refuse what cannot be read, round the truth."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from plotchain_lib.item import Item, PlotChainError
from plotchain_lib.sampling import Draw, significant
from plotchain_lib.suites.plotchain.family import Family, Parameters, difficulty_of
from plotchain_lib.suites.plotchain.prompt import prompt_for
from plotchain_lib.suites.plotchain.readability import readability

SUITE = "plotchain"
MAX_ATTEMPTS = 2000
READABLE_SHARE = 0.97


def rounded_truth(family: Family, params: Parameters) -> dict[str, float]:
    """The truth, each field rounded to its decimals, -0.0 made 0.0."""
    exact = family.truth(params)
    return {f.name: round(float(exact[f.name]), f.decimals) + 0.0 for f in family.fields}


def _stable(params: Parameters) -> dict[str, Any]:
    return {k: significant(v) if isinstance(v, float) else v for k, v in params.items()}


def draw_item(
    family: Family, seed: int, index: int, sample: str = SUITE
) -> tuple[Parameters, dict[str, float]]:
    """Parameters and rounded truth of one item; `sample` names an independent sample.

    An attempt is refused unless every field stays within plotread in 97 % of the combinations of
    one pixel of error in every read. Raises PlotChainError where no attempt succeeds.
    """
    for attempt in range(MAX_ATTEMPTS):
        draw = Draw((seed, sample, family.name), index, attempt, family.draws, difficulty_of(index))
        attempted = family.parameters(draw)
        if attempted is None:
            continue
        params = _stable(attempted)
        truth = rounded_truth(family, params)
        if all(r.share >= READABLE_SHARE for r in readability(family, params, truth).values()):
            return params, truth
    raise PlotChainError(
        f"{family.name} item {index}, seed {seed}: no readable item in {MAX_ATTEMPTS} attempts; "
        "widen the family's ranges"
    )


def items(family: Family, seed: int, count: int) -> Iterator[Item]:
    """The first `count` items of a family. Item i depends on (seed, family, i) only."""
    prompt = prompt_for(family)
    for index in range(count):
        params, truth = draw_item(family, seed, index)
        item_id = f"{family.name}_{index:03d}"
        yield Item(
            id=item_id,
            suite=SUITE,
            shard=family.name,
            group=family.name,
            prompt=prompt,
            picture=f"images/{family.name}/{item_id}.png",
            fields=family.fields,
            truth=truth,
            params=params,
            seed=seed,
            difficulty=difficulty_of(index),
        )
