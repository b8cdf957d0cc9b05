"""Questions on a figure's text: 35, no two alike, each with one right option that is drawn."""

from __future__ import annotations

from collections import Counter

import pytest

from plotchain_lib.item import Item
from plotchain_lib.suites.grab.answers import LETTERS
from plotchain_lib.suites.grab.ocr import items as ocr
from plotchain_lib.suites.grab.ocr.render import draw
from plotchain_lib.suites.grab.ocr.vocabulary import TOPICS


def all_items(seed: int = 0) -> list[Item]:
    return [i for shard, (_, n) in ocr.SHARDS.items() for i in ocr.items(shard, seed, n)]


def test_thirty_five_questions() -> None:
    items = all_items()
    assert len(items) == 35
    assert len({(i.prompt, str(i.params)) for i in items}) == 35
    assert items == all_items()
    assert items != all_items(1)
    letters = Counter(str(i.truth["answer"]) for i in items)
    assert set(letters) == set(LETTERS)
    assert max(letters.values()) <= 9  # 7 expected, whole fives in each shard
    for item in items:
        shown = item.params["options"]
        right = shown[LETTERS.index(str(item.truth["answer"]))]
        texts = [item.params["title"], item.params["x_label"], item.params["y_label"],
                 *item.params["series"]]  # fmt: skip
        assert len(set(shown)) == 5
        assert [text in texts for text in shown].count(True) == 1
        assert right in texts
        values = [v for curve in item.params["curves"] for v in curve]
        topic = next(t for t in TOPICS if item.params["title"] in t.titles)
        span = topic.y[1] - topic.y[0]
        assert min(values) > topic.y[0] - 0.5 * span
        assert max(values) < topic.y[1] + 0.5 * span


def test_vocabulary_is_unambiguous() -> None:
    for topic in TOPICS:
        for texts in (topic.titles, topic.x_labels, topic.y_labels, topic.series):
            assert len(set(texts)) == len(texts)
        assert len(topic.series) >= 8  # four may be shown, four wrong options are needed


@pytest.mark.parametrize("shard", sorted(ocr.SHARDS))
def test_pictures_hold_the_text(shard: str) -> None:
    item = ocr.items(shard, 0, 2)[-1]
    png, geometry, measured = draw(item)
    assert png.startswith(b"\x89PNG")
    assert measured == dict(item.truth)
    assert draw(item)[0] == png
    left, top, width, height = geometry["axes_box_px"]
    assert left > 20
    assert top > 10  # room for the title
    assert width > 300
    assert height > 200
