"""Fields that follow from others: where a declared relation holds, and what it gives.

A family declares how a field follows from other fields of the same answer and from what the picture
prints. Whether a dataset keeps that is asked of its truth: a release may ask under the same names
for something that follows by another formula, or not at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from plotchain_lib.item import Item, Relation

MOST = 0.7  # of a family's items must keep a relation, else it is none of this dataset

Floats = npt.NDArray[np.float64]


class Kept(NamedTuple):
    """A relation a dataset keeps, and the items that keep it.

    Attributes:
        relation: as declared.
        given: one row per item that keeps it (the index), one column per printed parameter.
    """

    relation: Relation
    given: pd.DataFrame


@dataclass(frozen=True, slots=True)
class Derivation:
    """How the fields of a dataset follow from others.

    Attributes:
        relations: every declared one.
        given: one row per item (the index), one column per printed parameter that a relation
            takes, NaN where an item has none.
    """

    relations: Sequence[Relation]
    given: pd.DataFrame

    @staticmethod
    def of(items: Iterable[Item], relations: Sequence[Relation]) -> Derivation:
        """Take from the items' parameters what the relations need; what is no number is NaN."""
        names = list(dict.fromkeys(name for relation in relations for name in relation.given))
        rows = {item.id: [_number(item.params.get(name)) for name in names] for item in items}
        return Derivation(
            relations, pd.DataFrame.from_dict(rows, orient="index", columns=names, dtype=float)
        )

    def kept(self, truth: pd.DataFrame) -> list[Kept]:
        """The relations that the truth keeps, each with the items that do.

        `truth` has the columns ``item, group, field, truth, room``, one row per item and field;
        ``room`` is the largest error that passes. A relation counts where at least seven tenths of
        its family's items keep it within that room.
        """
        found = []
        families = dict(tuple(truth.groupby("group", observed=True)))
        tables: dict[str, pd.DataFrame] = {}
        for relation in self.relations:
            if relation.family not in families:
                continue
            if relation.family not in tables:
                tables[relation.family] = families[relation.family].pivot(
                    index="item", columns="field", values=["truth", "room"]
                )
            items = self._items(relation, tables[relation.family])
            if items is not None:
                found.append(Kept(relation, self.given.reindex(items)[list(relation.given)]))
        return found

    def _items(self, relation: Relation, table: pd.DataFrame) -> pd.Index[str] | None:
        """The items that keep a relation; None where they are too few or a field is not asked."""
        truth, room = table["truth"], table["room"]
        if not {relation.field, *relation.inputs} <= set(truth.columns):
            return None
        inputs = [truth[name].to_numpy(float) for name in relation.inputs]
        printed = self.given.reindex(table.index)
        inputs += [printed[name].to_numpy(float) for name in relation.given]
        error = np.abs(recomputed(relation, inputs) - truth[relation.field].to_numpy(float))
        keeps = error <= room[relation.field].to_numpy(float)
        asked = int(truth[relation.field].notna().sum())
        return table.index[keeps] if keeps.any() and keeps.sum() >= MOST * asked else None


def recomputed(relation: Relation, inputs: Sequence[Floats]) -> Floats:
    """The field by its relation, shape (n,); NaN where an input is missing or the result infinite.

    `inputs` are the relation's inputs, then its printed parameters, each of shape (n,).
    """
    with np.errstate(all="ignore"):
        result = np.asarray(relation.compute(*inputs), dtype=float)
    known = np.isfinite(result) & np.all(np.isfinite(inputs), axis=0)
    return np.where(known, result, np.nan)


def _number(value: object) -> float:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if is_number else np.nan  # type: ignore[arg-type]
