"""Paths of files as the library takes them: texts that end at their first NUL."""

from __future__ import annotations

import os

from .errors import ArgumentError

Path = str | bytes | os.PathLike
HDF5 = (".h5", ".hdf5")
KNOWN = (
    *HDF5, ".json", ".svg", ".html", ".htm", ".csv", ".npz", ".vtkhdf", ".txt", ".dat", ".npy", ".png", ".pdf", ".urdf", ".xml"
)  # fmt: skip


def text_of(path: Path) -> str:
    """The text of a path. ValueError for a path with a NUL, of which the library would read only the part before the
    NUL.
    """
    text = os.fsdecode(path)
    if "\0" in text:
        raise ValueError(f"{text!r}: a path must not contain a NUL character")
    return text


def is_h5(path: str) -> bool:
    """Whether a file is named like one in HDF5 or begins like one: a recording, an ensemble or a model."""
    if path.lower().endswith(HDF5) or not os.path.isfile(path):
        return path.lower().endswith(HDF5)
    with open(path, "rb") as file:
        head = file.read(8)
    return head.startswith(b"RCTSEAL") or head == b"\x89HDF\r\n\x1a\n"


def text_to_write(path: Path, what: str, endings: tuple[str, ...] = HDF5) -> str:
    """The text of a path to write to. ArgumentError if its ending is that of another kind of file."""
    text = text_of(path)
    stem, ending = os.path.splitext(text)
    if ending.lower() in KNOWN and ending.lower() not in endings:
        raise ArgumentError(f"{text}: {what}; name it {stem}{endings[0]}")
    return text
