"""Paths of files as the library takes them: texts that end at their first NUL."""

from __future__ import annotations

import os

Path = str | bytes | os.PathLike


def text_of(path: Path) -> str:
    """The text of a path. ValueError for one with a NUL, of which the library would read what is before."""
    text = os.fsdecode(path)
    if "\0" in text:
        raise ValueError(f"{text!r}: a path has no NUL in it")
    return text
