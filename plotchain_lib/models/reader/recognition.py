"""Reading cropped lines of text with the PP-OCRv6 recogniser inside the `rapidocr` wheel.

Only the wheel's model file is used: `rapidocr` itself is never imported.
"""

from __future__ import annotations

import hashlib
import importlib.util
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from PIL import Image

from plotchain_lib.item import PlotChainError

Crop = npt.NDArray[np.uint8]

_MODEL = Path("models") / "PP-OCRv6_rec_small.onnx"
_HEIGHT = 48  # rows the model wants
_NARROWEST, _WIDEST = 32, 1600  # columns, after scaling to that height
_STEP = 16  # widths are rounded up to this, so that similar crops share a batch
_BATCH = 16
_MOST_KNOWN = 8192  # readings remembered
_BLANK = 0  # the model's first output stands for no character


def recognise(crops: Sequence[Crop], alphabet: str | None = None) -> list[tuple[str, float]]:
    """What each crop says, and how sure that is (0 to 1: the least sure character's probability).

    A crop is one line of dark text on a light ground, shape (height, width) or (height, width, 3);
    blank margins above and below it of half its height together make reading cheaper and no worse.
    With an `alphabet` no other characters are read. Raises PlotChainError without the model.
    """
    ready = [_prepare(crop) for crop in crops]
    keys = [(alphabet, crop.shape[1], hashlib.sha256(crop.tobytes()).digest()) for crop in ready]
    found = {key: _known[key] for key in keys if key in _known}
    fresh = {key: crop for key, crop in zip(keys, ready, strict=True) if key not in found}
    for batch in _batches(fresh):
        found.update(zip(batch, _read([fresh[key] for key in batch], alphabet), strict=True))
    if len(_known) + len(fresh) > _MOST_KNOWN:
        _known.clear()
    _known.update(found)
    return [found[key] for key in keys]


_Key = tuple[str | None, int, bytes]
_known: dict[_Key, tuple[str, float]] = {}  # the same numbers stand at the ticks of many pictures


def check() -> None:
    """Raises PlotChainError, in one line, where the recogniser cannot be loaded."""
    _session()


def _batches(crops: dict[_Key, Crop]) -> list[list[_Key]]:
    """Crops of the same rounded width, at most `_BATCH` together."""
    batches: list[list[_Key]] = []
    for key in sorted(crops, key=lambda key: key[1]):
        last = batches[-1] if batches else []
        if last and len(last) < _BATCH and last[0][1] == key[1]:
            last.append(key)
        else:
            batches.append([key])
    return batches


def _read(batch: list[Crop], alphabet: str | None) -> list[tuple[str, float]]:
    columns, characters = _outputs(alphabet)
    return [_decode(one, characters) for one in _run(batch)[:, :, columns]]


def _prepare(crop: Crop) -> Crop:
    """Grey, 48 rows high, its width padded with the crop's own ground to a multiple of a step."""
    image = Image.fromarray(crop).convert("L")
    width = max(1, min(_WIDEST, round(image.width * _HEIGHT / image.height)))
    scaled = np.asarray(image.resize((width, _HEIGHT), Image.Resampling.BILINEAR))
    padding = max(_NARROWEST, -(-width // _STEP) * _STEP) - width
    ground = int(np.percentile(scaled, 90))
    return np.pad(scaled, ((0, 0), (0, padding)), constant_values=ground)


def _run(batch: list[Crop]) -> npt.NDArray[np.float32]:
    """The model's probabilities, shape (crops, steps, characters)."""
    session, _ = _session()
    grey = np.stack(batch).astype(np.float32) / 127.5 - 1
    pixels = np.repeat(grey[:, None], 3, axis=1)
    (found,) = session.run(None, {session.get_inputs()[0].name: pixels})
    return np.asarray(found, dtype=np.float32)


def _decode(probabilities: npt.NDArray[np.float32], characters: str) -> tuple[str, float]:
    """Greedy CTC: the best character of each step, repetitions and blanks dropped."""
    total = probabilities.sum(axis=1)
    best = probabilities.argmax(axis=1)
    sure = probabilities.max(axis=1) / np.maximum(total, 1e-12)
    fresh = np.concatenate([[True], best[1:] != best[:-1]]) & (best != _BLANK)
    text = "".join(characters[index] for index in best[fresh])
    return text, float(sure[fresh].min()) if fresh.any() else 0.0


@lru_cache(maxsize=8)
def _outputs(alphabet: str | None) -> tuple[Any, str]:
    """Which of the model's outputs count, the blank first, and the character of each."""
    _, characters = _session()
    if alphabet is None:
        return slice(None), characters
    chosen = [_BLANK] + [i for i, c in enumerate(characters) if i != _BLANK and c in alphabet]
    return np.array(chosen), "".join(characters[index] for index in chosen)


@lru_cache(maxsize=1)
def _session() -> tuple[Any, str]:
    """The loaded model and its characters, one to an output; made once in a process."""
    path = _model_path()
    try:
        import onnxruntime
    except ImportError as error:
        raise PlotChainError(
            f"the reader needs the package 'onnxruntime' ({error}); install it again"
        ) from error
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.log_severity_level = 3
    try:
        session = onnxruntime.InferenceSession(
            str(path), options, providers=["CPUExecutionProvider"]
        )
        listed = session.get_modelmeta().custom_metadata_map["character"]
    except Exception as error:
        reason = str(error).splitlines()[0]
        raise PlotChainError(f"{path}: the recogniser cannot be loaded ({reason})") from error
    # Output 0 is the blank, the last one the space, which the list leaves out.
    return session, "\0" + "".join(c[:1] for c in listed.splitlines()) + " "


def _model_path() -> Path:
    found = importlib.util.find_spec("rapidocr")
    for folder in (found and found.submodule_search_locations) or []:
        path = Path(folder) / _MODEL
        if path.is_file():
            return path
    raise PlotChainError(
        f"the reader needs {_MODEL.name}, which comes with the package 'rapidocr'; install it again"
    )
