"""Pictures that are no plots, damaged files, and unusual files of a real plot."""

import io
import json
import os
import signal
import subprocess
import sys
import zlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageDraw

from plotchain_lib.item import Item, Request, Response
from plotchain_lib.models import reader
from plotchain_lib.suites.plotchain import families
from plotchain_lib.suites.plotchain.family import Family
from plotchain_lib.suites.plotchain.generate import items
from plotchain_lib.suites.plotchain.render import render

KINDS = ("pump_curve", "bandpass_response", "pole_zero", "spectrogram", "iv_resistor")


@pytest.fixture(autouse=True)
def bounded() -> Iterator[None]:
    """An endless search fails here, not by hanging the run."""
    signal.signal(signal.SIGALRM, lambda *_: pytest.fail("no answer within a minute"))
    signal.alarm(60)
    try:
        yield
    finally:
        signal.alarm(0)


def saved(image: Image.Image, kind: str = "PNG", **settings: object) -> bytes:
    stream = io.BytesIO()
    image.save(stream, kind, **settings)
    return stream.getvalue()


def noise(size: tuple[int, int] = (800, 500)) -> Image.Image:
    pixels = np.random.default_rng(1).integers(0, 256, (size[1], size[0], 3), dtype=np.uint8)
    return Image.fromarray(pixels)


def photograph() -> Image.Image:
    """A sky above hills: soft gradients, no line along an axis."""
    row, column = np.mgrid[0:500, 0:800]
    hills = 300 + 60 * np.sin(column / 90.0) + 25 * np.sin(column / 31.0)
    sky = np.stack([120 + row / 5, 160 + row / 6, 235 - row / 12], axis=-1)
    ground = np.stack([70 + column / 20, 110 - row / 10, 50 + row / 20], axis=-1)
    return Image.fromarray(np.where((row > hills)[..., None], ground, sky).astype(np.uint8))


def page() -> Image.Image:
    image = Image.new("RGB", (800, 1000), "white")
    for line in range(40):
        text = f"{line}. The head falls from {60 - line}.5 m to 0, at 10, 20 and 30 m3/h, as said."
        ImageDraw.Draw(image).text((60, 40 + 22 * line), text, fill="black")
    return image


def table() -> Image.Image:
    """Ruled lines and numbers: frames and labels, but no axes."""
    image = Image.new("RGB", (820, 460), "white")
    pen = ImageDraw.Draw(image)
    for row in range(9):
        pen.line([(50, 30 + 50 * row), (770, 30 + 50 * row)], fill="black")
        for column in range(7):
            pen.line([(50 + 120 * column, 30), (50 + 120 * column, 430)], fill="black")
            if row < 8 and column < 6:
                value = (37 * row + 91 * column * column) % 113
                pen.text((90 + 120 * column, 48 + 50 * row), str(value), fill="black")
    return image


def empty_axes() -> Image.Image:
    image = Image.new("RGB", (800, 500), "white")
    ImageDraw.Draw(image).rectangle([100, 40, 760, 440], outline="black")
    return image


def one_colour(side: int) -> bytes:
    """A PNG of a few kilobytes whose pixels fill hundreds of megabytes."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        check = zlib.crc32(kind + body).to_bytes(4, "big")
        return len(body).to_bytes(4, "big") + kind + body + check

    header = side.to_bytes(4, "big") * 2 + bytes([8, 2, 0, 0, 0])
    packer = zlib.compressobj(1)
    row = b"\0" + b"\x30" * (3 * side)
    body = b"".join([*(packer.compress(row) for _ in range(side)), packer.flush()])
    start = b"\x89PNG\r\n\x1a\n"
    return start + chunk(b"IHDR", header) + chunk(b"IDAT", body) + chunk(b"IEND", b"")


def plot(kind: str, index: int = 0) -> tuple[Item, Image.Image]:
    item = list(items(families.load(kind), 7, index + 1))[index]
    png = render(families.load(kind), item.params, item.difficulty).png
    return item, Image.open(io.BytesIO(png)).convert("RGB")


def drawn_with(kind: str, inside: Callable[[Any, Family], None]) -> tuple[Item, bytes]:
    """An item's own axes, with something else inside them."""
    family = families.load(kind)
    item = next(iter(items(family, 7, 1)))
    changed = replace(family, plot=lambda axes, *_: inside(axes, family), measure=lambda *_: {})
    return item, render(changed, item.params, item.difficulty).png


def wander(axes: Any, family: Family) -> None:
    """A random walk across the axes."""
    steps = np.cumsum(np.random.default_rng(3).normal(0, 0.05, 300))
    heights = 0.1 + 0.8 * (steps - steps.min()) / np.ptp(steps)
    axes.plot(np.linspace(0.02, 0.98, 300), heights, transform=axes.transAxes)


def scatter(axes: Any, family: Family) -> None:
    places = np.random.default_rng(3).uniform(0.03, 0.97, (2, 60))
    axes.plot(*places, ".", transform=axes.transAxes)


def ask(item: Item, data: bytes | None) -> Response:
    names = tuple(field.name for field in item.fields)
    return reader.answer(Request("reader", {}, item.prompt, names, data, 1))


def refuse_whole(item: Item, data: bytes | None) -> None:
    """Answered, every field null, and a reason of one line for each."""
    response = ask(item, data)
    names = [field.name for field in item.fields]
    assert response.outcome == "answered"
    assert json.loads(response.text) == dict.fromkeys(names)
    assert list(response.received["reasons"]) == names
    assert all(reason and "\n" not in reason for reason in response.received["reasons"].values())
    json.dumps(response.received, allow_nan=False)


def passes(item: Item, response: Response) -> list[bool]:
    answers = json.loads(response.text)
    verdicts = []
    for name, truth in item.truth.items():
        absolute, relative = families.load(item.shard).tolerances[name].plotread
        error = np.inf if answers[name] is None else abs(answers[name] - float(truth))
        verdicts.append(bool(error <= max(absolute, relative * abs(float(truth)))))
    return verdicts


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "picture",
    [
        noise, photograph, page, table, empty_axes,
        lambda: Image.new("RGB", (800, 500), "white"),
        lambda: Image.new("RGB", (800, 500), "black"),
        lambda: Image.new("RGB", (1, 1), "white"),
        lambda: Image.new("RGB", (1, 3000), "white"),
        lambda: Image.new("RGBA", (800, 500), (0, 0, 0, 0)),
    ],
    ids=["noise", "photograph", "page", "table", "empty axes", "white", "black", "pixel",
         "column", "transparent"],
)  # fmt: skip
def test_what_is_no_plot_gives_no_number(kind: str, picture: Callable[[], Image.Image]) -> None:
    refuse_whole(plot(kind)[0], saved(picture()))


@pytest.mark.parametrize("kind", families.names())
def test_axes_without_data_give_no_number(kind: str) -> None:
    refuse_whole(*drawn_with(kind, lambda axes, family: None))


@pytest.mark.parametrize("inside", [wander, scatter])
@pytest.mark.parametrize(
    "kind", ["bandpass_response", "iv_diode", "pump_curve", "step_response", "torque_speed"]
)
def test_a_curve_of_no_known_form_gives_no_number(
    kind: str, inside: Callable[[Any, Family], None]
) -> None:
    refuse_whole(*drawn_with(kind, inside))


@pytest.mark.parametrize(
    "data",
    [None, b"", b"\x89PNG\r\n\x1a\n", b"%PDF-1.7", bytes(1000), saved(noise((40, 40)), "GIF")],
    ids=["none", "nothing", "signature", "pdf", "zeros", "gif"],
)
def test_what_is_no_picture_gives_no_number(data: bytes | None) -> None:
    refuse_whole(plot("pump_curve")[0], data)


def test_a_gif_of_a_real_plot_is_not_opened() -> None:
    item, image = plot("pump_curve")
    refuse_whole(item, saved(image, "GIF"))


def test_damaged_files_of_a_real_plot_give_no_number() -> None:
    item, image = plot("pump_curve")
    whole = saved(image)
    refuse_whole(item, whole[: len(whole) // 2])
    refuse_whole(item, whole[:40])
    broken = bytearray(whole)
    broken[len(whole) // 2 : len(whole) // 2 + 20] = bytes(20)
    refuse_whole(item, bytes(broken))


_MEASURE = """
import resource, sys
from plotchain_lib.item import Request
from plotchain_lib.models import reader
request = Request("reader", {}, "", ("head_at_qop_m",), sys.stdin.buffer.read(), 1)
text = reader.answer(request).text
print(text, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
"""


@pytest.mark.parametrize("side", [4_900, 10_000])
def test_a_huge_picture_takes_bounded_memory(side: int) -> None:
    result = subprocess.run(
        [sys.executable, "-c", _MEASURE], input=one_colour(side), capture_output=True,
        env={**os.environ, "OMP_NUM_THREADS": "1"}, check=True,
    )  # fmt: skip
    text, megabytes = result.stdout.decode().rsplit(maxsplit=1)
    assert json.loads(text) == {"head_at_qop_m": None}
    assert int(megabytes) < 2_000


def as_alpha(image: Image.Image) -> Image.Image:
    """White made transparent, as `savefig(transparent=True)` leaves it."""
    pixels = np.asarray(image.convert("RGBA")).copy()
    pixels[(pixels[..., :3] == 255).all(axis=-1)] = 0
    return Image.fromarray(pixels)


def as_deep_grey(image: Image.Image) -> Image.Image:
    return Image.fromarray(np.asarray(image.convert("L")).astype(np.uint16) * 257)


@pytest.mark.parametrize("kind", ["pump_curve", "bandpass_response"])
@pytest.mark.parametrize(
    "changed",
    [lambda image: image, as_alpha, lambda image: image.quantize(256),
     lambda image: image.convert("CMYK")],
    ids=["plain", "alpha", "palette", "cmyk jpeg"],
)  # fmt: skip
def test_a_plot_is_read_from_every_kind_of_pixels(
    kind: str, changed: Callable[[Image.Image], Image.Image]
) -> None:
    item, image = plot(kind)
    other = changed(image)
    form = {"CMYK": "JPEG"}.get(other.mode, "PNG")
    data = saved(other, form, quality=95) if form == "JPEG" else saved(other)
    assert all(passes(item, ask(item, data)))


@pytest.mark.parametrize("changed", [as_deep_grey, lambda image: image.convert("1")])
def test_a_plot_without_colours_is_read_or_refused(
    changed: Callable[[Image.Image], Image.Image],
) -> None:
    item, image = plot("pump_curve")
    response = ask(item, saved(changed(image)))
    answers = json.loads(response.text)
    right = passes(item, response)
    assert all(good or answers[n] is None for n, good in zip(item.truth, right, strict=True))


def test_fields_of_no_known_kind_are_refused() -> None:
    response = reader.answer(Request("reader", {}, "", ("a", "b"), saved(noise()), 1))
    assert json.loads(response.text) == {"a": None, "b": None}
    assert "no kind of plot" in response.received["reasons"]["a"]


@pytest.mark.parametrize("shown", ["spectrogram", "pole_zero", "pump_curve"])
def test_a_plot_asked_as_another_kind_is_answered_in_form(shown: str) -> None:
    data = saved(plot(shown)[1])
    for item in (plot(kind)[0] for kind in KINDS if kind != shown):
        response = ask(item, data)
        assert list(json.loads(response.text)) == [field.name for field in item.fields]
