"""Questions on title, legend and axis labels: the text that is drawn and its near variants."""

from __future__ import annotations

from typing import Any

from plotchain_lib.item import Field, Item
from plotchain_lib.suites.grab.answers import LETTERS
from plotchain_lib.suites.grab.choice.options import COUNT, arranged, places
from plotchain_lib.suites.grab.dice import Dice
from plotchain_lib.suites.grab.ocr.vocabulary import TOPICS, Topic

# Shard to the properties it asks for, in turn, and how many questions it has: 35 together.
SHARDS = {
    "ocr_axes": (("x_label", "y_label"), 12),
    "ocr_legend": (("legend_entry",), 12),
    "ocr_title": (("title",), 11),
}
QUESTIONS = {
    "title": "Which of these is the title of the figure?",
    "x_label": "Which of these is the label of the x-axis?",
    "y_label": "Which of these is the label of the y-axis?",
    "legend_entry": "Which of these names stands in the legend?",
}
REPLY = "Exactly one option is right. Reply with its letter and nothing else."
SIZES_IN = ((6.4, 4.8), (7.2, 4.6), (5.6, 5.2))
POINTS = 25
FIELD = Field("answer", "", "the letter of the right option", "final")


def items(shard: str, seed: int, count: int) -> list[Item]:
    """The first `count` items of a shard."""
    key = (seed, "grab ocr", shard)
    asked, _ = SHARDS[shard]
    where = places(count, lambda block: Dice(*key, "place", block))
    start = Dice(*key, "topic").integer(0, len(TOPICS) - 1)
    return [
        _item(shard, index, asked[index % len(asked)], where[index], seed,
              TOPICS[(start + index) % len(TOPICS)], Dice(*key, index))
        for index in range(count)
    ]  # fmt: skip


def _item(
    shard: str, index: int, prop: str, place: int, seed: int, topic: Topic, dice: Dice
) -> Item:
    params = _drawn(topic, dice)
    if prop == "legend_entry":
        shown = params["series"]
        right = dice.choice(shown)
        near = [right, *dice.shuffled([n for n in topic.series if n not in shown])[: COUNT - 1]]
    else:
        right = params[prop]
        near = list(getattr(topic, f"{prop}s"))
    options = arranged(near, right, place, dice)
    lines = [f"{letter}) {text}" for letter, text in zip(LETTERS, options, strict=True)]
    name, category = f"{shard}_{index:03d}", shard.removeprefix("ocr_")
    params |= {
        "task": "ocr", "category": category, "property": prop, "precision": "choice",
        "complexity": 0, "value": None, "options": options,
    }  # fmt: skip
    return Item(
        id=name, suite="grab", shard=shard, group=f"ocr/{category}/{prop}",
        prompt="\n".join([QUESTIONS[prop], *lines, REPLY]),
        picture=f"images/{shard}/{name}.png", fields=(FIELD,), truth={"answer": LETTERS[place]},
        params=params, seed=seed, difficulty="0",
    )  # fmt: skip


def _drawn(topic: Topic, dice: Dice) -> dict[str, Any]:
    """Everything in the picture: one wording of each text, and curves in plausible ranges."""
    names = dice.shuffled(topic.series)[: dice.integer(2, 4)]
    x_low, x_high = topic.x
    y_low, y_high = topic.y
    span = y_high - y_low
    curves = []
    for _ in names:
        start = y_low + span * dice.uniform(0.3, 0.7) - span * topic.trend / 2
        slope, bend = span * topic.trend, span * dice.uniform(-0.1, 0.1)
        curve = []
        for point in range(POINTS):
            t = point / (POINTS - 1)
            noise = span * dice.uniform(-0.015, 0.015)
            curve.append(round(start + slope * t + bend * 4 * t * (1 - t) + noise, 4))
        curves.append(curve)
    step = (x_high - x_low) / (POINTS - 1)
    return {
        "title": dice.choice(topic.titles),
        "x_label": dice.choice(topic.x_labels),
        "y_label": dice.choice(topic.y_labels),
        "series": names,
        "x": [round(x_low + step * point, 4) for point in range(POINTS)],
        "curves": curves,
        "style": {
            "inches": list(dice.choice(SIZES_IN)), "dpi": dice.choice((100, 120, 150)),
            "font_size": dice.integer(9, 13), "grid": dice.unit() < 0.5,
            "marker": dice.choice(("o", "s", "^", "")), "line": dice.choice(("-", "--", ":")),
            "legend_at": dice.choice(("upper left", "upper right", "lower left", "lower right")),
        },
    }  # fmt: skip
