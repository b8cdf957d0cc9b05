"""Every group of questions and how many each has: the released set's counts (arXiv 2408.11817).

A group is a (task, category, property, precision). The release has no column for the property: its
groups were told apart by what the question asks. A question of the tasks function and series has a
complexity of 0 to 9 further functions or series, one of transform so many operations; questions of
the task properties have complexity 0.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

TASKS = ("properties", "function", "series", "transform")
COMPLEXITIES = range(10)
LITE = 500  # questions of `lite: true`, balanced over the tasks

_INTERCEPTS, _SPREAD = "intercepts_and_gradients", "measures_of_spread"
_STATIONARY, _AREA = "stationary_points", "area_bounded"

# Category, property, precision, questions.
_PROPERTIES = (
    (_INTERCEPTS, "x_intercept", "integer", 30),
    (_INTERCEPTS, "y_intercept", "integer", 30),
    (_INTERCEPTS, "gradient", "integer", 30),
    (_STATIONARY, "stationary_point", "integer", 30),
    (_STATIONARY, "stationary_points", "pair", 30),
    ("trigonometric", "amplitude", "integer", 30),
    ("trigonometric", "period", "integer", 30),
    ("trigonometric", "phase_shift", "integer", 30),
    ("trigonometric", "vertical_shift", "integer", 30),
    ("functions", "linear_equation", "equation", 9),
    ("functions", "quadratic_equation", "equation", 2),
    ("functions", "cubic_equation", "equation", 7),
    ("functions", "quartic_equation", "equation", 4),
    ("functions", "sine_equation", "equation", 8),
    ("counting", "points", "integer", 30),
    ("counting", "series", "integer", 30),
    ("correlation", "pearson", "one_decimal", 10),
    ("correlation", "spearman", "one_decimal", 10),
    ("correlation", "kendall", "one_decimal", 10),
    (_AREA, "net_area", "nearest_ten", 15),
    (_AREA, "total_area", "nearest_ten", 15),
    (_SPREAD, "peak", "integer", 30),
    (_SPREAD, "variance", "integer", 30),
    (_SPREAD, "median", "integer", 30),
    (_SPREAD, "interquartile_range", "integer", 30),
    ("range", "domain_length", "integer", 15),
    ("range", "range", "integer", 15),
    ("range", "data_domain_length", "integer", 15),
    ("range", "data_range", "integer", 15),
    ("extrema", "maximum", "integer", 15),
    ("extrema", "minimum", "integer", 15),
    ("extrema", "data_maximum", "integer", 15),
    ("extrema", "data_minimum", "integer", 15),
)

# Category, property, precision, questions of complexity 0 to 9, one digit each.
_LEVELLED = {
    "function": (
        (_INTERCEPTS, "x_intercept", "integer", "4344434413"),
        (_INTERCEPTS, "x_intercept", "one_decimal", "1211121142"),
        (_INTERCEPTS, "y_intercept", "integer", "3334334333"),
        (_INTERCEPTS, "y_intercept", "one_decimal", "2221221222"),
        (_INTERCEPTS, "gradient", "integer", "4334235133"),
        (_INTERCEPTS, "gradient", "one_decimal", "1221320422"),
        (_STATIONARY, "stationary_point", "integer", "5434353453"),
        (_STATIONARY, "stationary_point", "one_decimal", "0121202102"),
        (_STATIONARY, "mean", "integer", "3342334325"),
        (_STATIONARY, "mean", "one_decimal", "2213221230"),
        ("trigonometric", "amplitude", "integer", "2233303542"),
        ("trigonometric", "amplitude", "one_decimal", "3322252013"),
        ("trigonometric", "period", "integer", "4443443354"),
        ("trigonometric", "period", "one_decimal", "1112112201"),
        ("trigonometric", "vertical_shift", "integer", "1434422452"),
        ("trigonometric", "vertical_shift", "one_decimal", "4121133103"),
        (_AREA, "net_area", "integer", "3333333333"),
        (_AREA, "total_area", "integer", "3333333333"),
        (_SPREAD, "variance", "integer", "4533333224"),
        (_SPREAD, "variance", "one_decimal", "1022222331"),
        ("range", "domain_length", "integer", "2434333534"),
        ("range", "domain_length", "one_decimal", "3121222021"),
        ("range", "range", "integer", "5452542443"),
        ("range", "range", "one_decimal", "0103013112"),
        ("extrema", "maximum", "integer", "4443444343"),
        ("extrema", "maximum", "one_decimal", "1112111212"),
        ("extrema", "minimum", "integer", "3214343204"),
        ("extrema", "minimum", "one_decimal", "2341212351"),
    ),
    "series": (
        ("correlation", "pearson", "one_decimal", "3333333333"),
        ("correlation", "spearman", "one_decimal", "3333333333"),
        ("correlation", "kendall", "one_decimal", "3333333333"),
        (_SPREAD, "mean", "integer", "3331334244"),
        (_SPREAD, "mean", "one_decimal", "2224221311"),
        (_SPREAD, "median", "integer", "5443444442"),
        (_SPREAD, "median", "one_decimal", "0112111113"),
        (_SPREAD, "interquartile_range", "integer", "3524332351"),
        (_SPREAD, "interquartile_range", "one_decimal", "2031223204"),
        (_SPREAD, "variance", "integer", "3433455332"),
        (_SPREAD, "variance", "one_decimal", "2122100223"),
        ("range", "domain_length", "integer", "2434334524"),
        ("range", "domain_length", "one_decimal", "3121221031"),
        ("range", "range", "integer", "4155332424"),
        ("range", "range", "one_decimal", "1400223131"),
        ("extrema", "maximum", "integer", "3344231144"),
        ("extrema", "maximum", "one_decimal", "2211324411"),
        ("extrema", "minimum", "integer", "3343524323"),
        ("extrema", "minimum", "one_decimal", "2212031232"),
    ),
    "transform": (
        (_INTERCEPTS, "gradient", "integer", "4444253244"),
        (_INTERCEPTS, "gradient", "one_decimal", "1111302311"),
        (_AREA, "net_area", "integer", "3333333333"),
        (_AREA, "total_area", "integer", "3333333333"),
        ("range", "domain_length", "integer", "3414243434"),
        ("range", "domain_length", "one_decimal", "2141312121"),
        ("range", "range", "integer", "4453434323"),
        ("range", "range", "one_decimal", "1102121232"),
        ("extrema", "maximum", "integer", "3431422232"),
        ("extrema", "maximum", "one_decimal", "2124133323"),
        ("extrema", "minimum", "integer", "4134434424"),
        ("extrema", "minimum", "one_decimal", "1421121131"),
    ),
}


@dataclass(frozen=True, slots=True)
class Group:
    """Questions of one kind.

    Attributes:
        task, category, name: what is asked; `name` is the property's.
        precision: ``integer``, ``one_decimal``, ``nearest_ten``, ``pair`` or ``equation``.
        counts: questions by complexity; complexities without a question are left out.
    """

    task: str
    category: str
    name: str
    precision: str
    counts: Mapping[int, int]

    @property
    def shard(self) -> str:
        """The unit of generate and render: the task and category."""
        return f"{self.task}_{self.category}"

    @property
    def total(self) -> int:
        """Questions of all complexities."""
        return sum(self.counts.values())


def _groups() -> tuple[Group, ...]:
    plain = [
        Group("properties", category, name, precision, {0: count})
        for category, name, precision, count in _PROPERTIES
    ]
    levelled = [
        Group(
            task, category, name, precision,
            {level: count for level, count in enumerate(map(int, digits)) if count},
        )
        for task, rows in _LEVELLED.items()
        for category, name, precision, digits in rows
    ]  # fmt: skip
    return (*plain, *levelled)


GROUPS = _groups()
SHARDS: Mapping[str, tuple[Group, ...]] = {
    shard: tuple(group for group in GROUPS if group.shard == shard)
    for shard in dict.fromkeys(group.shard for group in GROUPS)
}


def shard_totals() -> dict[str, int]:
    """Questions of every shard in the default set: 2,170 together."""
    return {shard: sum(group.total for group in groups) for shard, groups in SHARDS.items()}


def _shared(total: int, weights: Mapping[str, int]) -> dict[str, int]:
    """`total` split in proportion to the weights, the largest remainders first."""
    whole = sum(weights.values())
    parts = {name: total * weight // whole for name, weight in weights.items()}
    by_remainder = sorted(weights, key=lambda name: -(total * weights[name] % whole))
    for name in by_remainder[: total - sum(parts.values())]:
        parts[name] += 1
    return parts


def sizes(
    questions: int | None, chosen: Collection[str] = (), balanced: bool = False
) -> dict[str, int]:
    """Shard to number of questions, for a set of this many in all (None: the default set's).

    Only of the shards `chosen`, where there are some, in proportion to the default set; `balanced`
    gives every task the same number first. A shard that gets none has 0.
    """
    totals = {s: n for s, n in shard_totals().items() if not chosen or s in chosen}
    if not totals or questions is None:
        return totals
    if not balanced:
        return _shared(questions, totals)
    tasks = dict.fromkeys(SHARDS[shard][0].task for shard in totals)
    parts = _shared(questions, dict.fromkeys(tasks, 1))
    return {
        shard: size
        for task in tasks
        for shard, size in _shared(
            parts[task], {s: n for s, n in totals.items() if SHARDS[s][0].task == task}
        ).items()
    }
