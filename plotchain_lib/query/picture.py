"""The picture a model is shown: its bytes, where they are whole."""

from __future__ import annotations

from pathlib import Path

_PNG_START = b"\x89PNG\r\n\x1a\n"
_PNG_END = b"IEND\xaeB`\x82"


def read_picture(folder: Path, picture: str) -> tuple[bytes | None, str]:
    """The PNG's bytes, or what is wrong with it: a cut-off picture is never shown or paid for."""
    try:
        content = (folder / picture).read_bytes()
    except OSError as error:
        return None, f"{picture}: the picture cannot be read ({error.strerror})"
    if not content.startswith(_PNG_START):
        return None, f"{picture}: not a PNG"
    if _PNG_END not in content:
        return None, f"{picture}: the PNG is cut off"
    return content, ""
