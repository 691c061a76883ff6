"""Paths of files as the library takes them: texts that end at their first NUL."""

from __future__ import annotations

import os

Path = str | bytes | os.PathLike


def text_of(path: Path) -> str:
    """The text of a path. ValueError for a path with a NUL, of which the library would read only the part before the
    NUL.
    """
    text = os.fsdecode(path)
    if "\0" in text:
        raise ValueError(f"{text!r}: a path must not contain a NUL character")
    return text
