"""The block of the README, as it is written there."""

import re
import shutil

import pytest
from conftest import ROOT


def test_the_block_of_the_readme_runs(tmp_path, monkeypatch, examples):
    opened = []
    monkeypatch.setattr("webbrowser.open", lambda address: opened.append(address) or True)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    pytest.importorskip("pandas")
    (block,) = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    (tmp_path / "examples").mkdir()
    shutil.copy(examples / "arm7.urdf", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    found: dict = {}
    exec(compile(block, "README.md", "exec"), found)
    assert found["tip"].shape == (101, 3) and len(found["df"]) == 10_000
    assert (tmp_path / "branch.h5").exists() and (tmp_path / "sweep.h5").exists()
    (page,) = tmp_path.glob("riccatree-*.html")  # and no trajectory was left behind
    assert opened == [page.as_uri()] and 15e6 < page.stat().st_size <= 20e6
    assert page.read_text().startswith("<!DOCTYPE html>") and not list(tmp_path.glob("riccatree-*/"))
    assert found["M"].shape == (7, 7) and found["J"].shape == (6, 7)
    assert found["tau"] == pytest.approx([0] * 7, abs=1e-10)
