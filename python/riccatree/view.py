"""Views of motions: pages that a browser plays, in a notebook or on their own."""

from __future__ import annotations

import html
import os
import pathlib
import sys
import tempfile
import webbrowser
from typing import TYPE_CHECKING

from . import _core
from .paths import Path, text_of, text_to_write

if TYPE_CHECKING:
    from .model import Model

MOST_BYTES = 20_000_000


class View:
    """A page for any browser with WebGL2 (docs/view.md) that plays a motion, or shows an ensemble or the start of a
    model.

    `path` is its file. `report` says what it shows: bodies, bodies_shown, frames, frames_shown, bytes, position_error
    (m), members, members_shown (both 0 except for an ensemble). A notebook shows the page in the cell; elsewhere
    `open()` shows it in a browser.
    """

    __slots__ = ("path", "report", "__weakref__")

    def __init__(self, path: str, report: dict[str, int | float]) -> None:
        self.path, self.report = path, report

    def open(self) -> bool:
        """Open the page in a browser; returns whether there was one."""
        return webbrowser.open(pathlib.Path(self.path).resolve().as_uri())

    def _repr_html_(self) -> str:
        page = html.escape(pathlib.Path(self.path).read_text(encoding="utf-8"))
        return f'<iframe srcdoc="{page}" style="width: 100%; height: 560px; border: 0"></iframe>'

    def __repr__(self) -> str:
        if self.report["members"] > 0:
            return "<riccatree.View {!r}: {members_shown} of {members} members>".format(self.path, **self.report)
        shown = "{bodies_shown} of {bodies} bodies, {frames_shown} of {frames} frames".format(**self.report)
        return f"<riccatree.View {self.path!r}: {shown}>"


def _in_notebook() -> bool:
    """Whether the result of a cell is shown as HTML."""
    shell = sys.modules.get("IPython")
    return shell is not None and type(shell.get_ipython()).__name__ == "ZMQInteractiveShell"


def _show(write, path: Path | None) -> View:
    """The page that `write` makes; without a path it is made in the folder of temporary files, stays there, and is
    opened.
    """
    given = path is not None
    if given:
        path = text_to_write(path, "a page for a browser is written in HTML", (".html", ".htm"))
    else:
        number, path = tempfile.mkstemp(prefix="riccatree-", suffix=".html")
        os.close(number)
    try:
        view = View(text_of(path), write(text_of(path)))
    except BaseException:
        if not given:
            os.unlink(path)
        raise
    if not given and not _in_notebook():
        view.open()
    return view


def of_recording(recording: Path, path: Path | None, most_bytes: int) -> View:
    """The view of a recording."""
    return _show(lambda page: _core.view_recording(text_of(recording), page, most_bytes), path)


def view_ensemble(results: Path, path: Path | None = None, most_bytes: int = MOST_BYTES) -> View:
    """Write the file of an ensemble as a page for a browser, and open the page, as Trajectory.view does."""
    return _show(lambda page: _core.view_ensemble(text_of(results), page, most_bytes), path)


def of_model(model: Model, path: Path | None, most_bytes: int) -> View:
    """The view of a model at its start."""
    return _show(lambda page: _core.view_model(model, page, most_bytes), path)
