"""The inks' colours, and the mixture each pixel is."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np

from plotchain_lib.models.reader.grid import Index, Mask
from plotchain_lib.models.reader.seen import Pixels
from plotchain_lib.models.reader.strips import quantile

_ANGLE = 0.06  # radians between the colours of one ink
_NOISY_ANGLE = 0.2  # the same where JPEG has smeared them
_STEP = 0.06  # of the histogram of directions
_FEWEST = 12  # pixels that make an ink
_BINS = 50  # of the histogram of strengths
_NEAR_TOP = 0.7  # of the strongest: where the full ink is looked for
_COMMON = 0.08  # of the pixels: a strength that so many have is an ink's
_STRONG = 40.0  # of 442: below it a pixel's hue is uncertain
_MOST = 8  # inks
_FOREIGN = 150.0  # squared misfit of a pixel that is none of the inks


def palette(
    left: Pixels, behind: Pixels, at: tuple[Index, Index], shape: tuple[int, ...], noisy: bool
) -> list[Pixels]:
    """What each full ink takes from the face, shape (3,), most pixels first.

    `left` is what the drawing takes from its ground at each pixel, shape (pixels, 3), `behind`
    what the grid there takes from the face, `at` the pixels' (rows, columns) in an array of
    `shape`, `noisy` whether hues are smeared.
    """
    angle = _NOISY_ANGLE if noisy else _ANGLE
    strength = np.sqrt(np.einsum("ij,ij->i", left, left))
    plain = np.einsum("ij,ij->i", behind, behind) == 0
    sure = np.nonzero(plain & (strength > _STRONG))[0]
    inks = _search(left[sure], [], angle)
    # An ink that is drawn along grid lines only has no pixel off the grid.
    rest = np.nonzero(~plain & (strength > 1.5 * _STRONG))[0]
    if len(rest):
        best = np.full(len(rest), np.inf)
        for ink in inks:
            best = np.minimum(best, _single(left[rest], ink - behind[rest])[1])
        rest = rest[best > _FOREIGN]
        inks += _search(left[rest] + behind[rest], inks, angle)
    return _unmixed(inks, left, behind, at, shape, angle)


def _single(left: Pixels, way: Pixels) -> tuple[Pixels, Pixels]:
    """The opacity of one ink at each pixel, and the squared misfit."""
    length = np.maximum(np.einsum("ij,ij->i", way, way), 1)
    share = np.einsum("ij,ij->i", left, way) / length
    rest = left - share[:, None] * way
    return np.clip(share, 0, 1), np.einsum("ij,ij->i", rest, rest)


def _explained(left: Pixels, behind: Pixels, inks: list[Pixels]) -> Mask:
    """Whether a pixel is one of the inks over its ground, or a mixture of two."""
    if not inks:
        return np.zeros(len(left), dtype=bool)
    parts = mixtures(left, behind, inks)
    rest = left - sum(part[:, None] * (ink - behind) for part, ink in zip(parts, inks, strict=True))
    return np.asarray(np.einsum("ij,ij->i", rest, rest) < _FOREIGN)


def _search(colours: Pixels, known: list[Pixels], angle: float) -> list[Pixels]:
    """The inks among pixels, besides the known ones."""
    strong = np.sqrt(np.einsum("ij,ij->i", colours, colours))
    unit = colours / strong[:, None]
    found: list[Pixels] = []
    while len(unit) >= _FEWEST and len(found) + len(known) < _MOST:
        way = _commonest(unit, angle)
        near = unit @ way > np.cos(angle)
        if near.sum() < _FEWEST:
            break
        if all(way @ other < np.cos(angle) * np.sqrt(other @ other) for other in known):
            found.append(_full(colours[near], strong[near]))
        colours, unit, strong = colours[~near], unit[~near], strong[~near]
    return found


def _unmixed(
    inks: list[Pixels],
    left: Pixels,
    behind: Pixels,
    at: tuple[Index, Index],
    shape: tuple[int, ...],
    angle: float,
) -> list[Pixels]:
    """Without the colours that are only the mixed edges of two others, along those."""
    kept = list(inks)
    # A dark grid's shade mixes in like an ink.
    deepest: Pixels | None = behind[np.argmax(behind.sum(axis=1))] if len(behind) else None
    grid = [deepest] if deepest is not None and deepest.max() > _STRONG else []
    for candidate in inks[2 - len(grid) :][::-1]:
        others = [ink for ink in kept if ink is not candidate] + grid
        unit = candidate / np.sqrt(candidate @ candidate)
        length = np.sqrt(np.einsum("ij,ij->i", left, left))
        its = np.nonzero(left @ unit > np.cos(angle) * length)[0]
        explained = _explained(left[its], behind[its], others)
        if not len(its) or explained.mean() < 0.8:
            continue
        drawn = np.zeros((shape[0] + 2, shape[1] + 2), dtype=bool)
        drawn[at[0] + 1, at[1] + 1] = length > 0.5 * np.sqrt(min(ink @ ink for ink in others))
        drawn[at[0][its] + 1, at[1][its] + 1] = False
        touches = np.zeros(len(its), dtype=bool)
        for down, right in product(range(3), repeat=2):
            touches |= drawn[at[0][its] + down, at[1][its] + right]
        if touches.mean() > 0.8:
            kept = [ink for ink in kept if ink is not candidate]
    return kept


def _commonest(unit: Pixels, angle: float) -> Pixels:
    """The direction that most pixels have."""
    bins = np.round(unit / _STEP).astype(np.int64) + 20
    code = (bins[:, 0] * 40 + bins[:, 1]) * 40 + bins[:, 2]
    way = unit[code == np.bincount(code).argmax()].mean(axis=0)
    for _ in range(2):
        way /= np.sqrt(way @ way)
        near = unit @ way > np.cos(angle)
        way = np.median(unit[near], axis=0)
    return np.asarray(way / np.sqrt(way @ way))


def _full(colours: Pixels, strength: Pixels) -> Pixels:
    """The full ink among the pixels of one hue: the commonest colour near their strongest.

    Mixtures with another ink may be stronger; thin lines may have no full pixel.
    """
    top = quantile(strength, 1 - max(1.5 / len(strength), 0.01))
    bins = np.minimum((strength / top * _BINS).astype(np.intp), _BINS)
    counts = np.bincount(bins, minlength=_BINS + 1)
    wide = counts + np.concatenate([counts[1:], [0]])
    wide[: int(_NEAR_TOP * _BINS)] = 0
    common = np.nonzero(wide >= max(6, _COMMON * len(strength)))[0]
    if len(common):
        # Up to the peak that the highest common strengths belong to.
        best = int(common[-1])
        while best > 0 and wide[best - 1] > wide[best]:
            best -= 1
        near = (bins == best) | (bins == best + 1)
    else:
        near = strength >= 0.98 * top
    return np.asarray(np.median(colours[near], axis=0), dtype=np.float32)


def mixtures(left: Pixels, behind: Pixels, inks: list[Pixels]) -> list[Pixels]:
    """The opacity of each ink at the given pixels.

    A pixel is one ink over its ground where that fits; else two inks.
    """
    if not inks:
        return []
    ways = [full - behind for full in inks]
    shares, misfits = [], []
    for way in ways:
        share, misfit = _single(left, way)
        shares.append(share)
        misfits.append(misfit)
    best = np.argmin(misfits, axis=0)
    parts = [np.where(best == number, share, 0) for number, share in enumerate(shares)]
    least = np.min(misfits, axis=0)
    odd = np.nonzero(least > 36 + 0.003 * np.einsum("ij,ij->i", left, left))[0]
    if len(odd) and len(inks) > 1:
        _unmix(left, ways, parts, least, odd)
    return parts


def _unmix(
    left: Pixels, ways: list[Pixels], parts: list[Pixels], misfit: Pixels, odd: Index
) -> None:
    """Share the odd pixels between the two inks that explain them best."""
    rest = misfit[odd].copy()
    wanted = left[odd]
    for one, other in combinations(range(len(ways)), 2):
        a, b = ways[one][odd], ways[other][odd]
        aa, bb, ab = (np.einsum("ij,ij->i", p, q) for p, q in ((a, a), (b, b), (a, b)))
        ra, rb = np.einsum("ij,ij->i", wanted, a), np.einsum("ij,ij->i", wanted, b)
        whole = np.maximum(aa * bb - ab * ab, 1e-3)
        p, q = (ra * bb - rb * ab) / whole, (rb * aa - ra * ab) / whole
        miss = wanted - p[:, None] * a - q[:, None] * b
        size = np.einsum("ij,ij->i", miss, miss)
        better = (size < 0.5 * rest) & (p > 0) & (q > 0) & (p + q < 1.08)
        chosen = odd[better]
        for part in parts:
            part[chosen] = 0
        parts[one][chosen], parts[other][chosen] = p[better], q[better]
        rest[better] = size[better]
