"""How many tokens a picture is counted as, for an estimate before anything is sent.

Each provider has its own rule, and changes it with its models: these are the published ones that
come out highest for a plot (OpenAI, "Images and vision": tiles of 512 px; Anthropic, "Vision":
width x height / 750; Google, "Token counting": tiles of 768 px). What was really counted is in
every response.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

_OPENAI_LOW, _OPENAI_BASE, _OPENAI_TILE = 85, 85, 170
_ANTHROPIC_LONGEST = 1568  # pixels of the longer side, beyond which a picture is scaled down
_GEMINI_TILE = 258


def picture_tokens(settings: Mapping[str, Any], width: int, height: int) -> int:
    """Tokens of a picture of `width` x `height` pixels under a model's settings."""
    kind = settings.get("kind")
    if kind == "anthropic":
        scale = min(1.0, _ANTHROPIC_LONGEST / max(width, height))
        return math.ceil(width * scale * height * scale / 750)
    if kind == "gemini":
        if max(width, height) <= 384:
            return _GEMINI_TILE
        return _GEMINI_TILE * math.ceil(width / 768) * math.ceil(height / 768)
    if settings.get("detail") == "low":
        return _OPENAI_LOW
    fit = min(1.0, 2048 / max(width, height))
    fit *= min(1.0, 768 / (min(width, height) * fit))
    tiles = math.ceil(width * fit / 512) * math.ceil(height * fit / 512)
    return _OPENAI_BASE + _OPENAI_TILE * tiles
