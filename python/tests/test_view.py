"""Pages of trajectories, recordings and models: what they show, where they lie, what is opened, what a notebook gets."""

import sys
import types

import pytest

import riccatree as rt


@pytest.fixture
def opened(monkeypatch, tmp_path):
    """Addresses that a browser was asked for; temporary files lie in tmp_path / "temporary"."""
    addresses = []
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    monkeypatch.setattr("webbrowser.open", lambda address: addresses.append(address) or True)
    return addresses


def left(tmp_path):
    return sorted(path.name for path in (tmp_path / "temporary").iterdir())


def test_a_trajectory_is_written_and_opened(opened, tmp_path):
    trajectory = rt.chain(5, perturb=0.2).solver().run(0.05, 1e-3, frames=11)
    view = trajectory.view()
    assert view.report["bodies_shown"] == view.report["bodies"] == 5
    assert view.report["frames_shown"] == view.report["frames"] == 11
    assert opened == ["file://" + view.path] and len(left(tmp_path)) == 1
    assert "5 of 5 bodies, 11 of 11 frames" in repr(view)
    given = trajectory.view(tmp_path / "a.html")
    assert len(opened) == 1 and given.path == str(tmp_path / "a.html") and len(left(tmp_path)) == 1
    assert (tmp_path / "a.html").read_bytes() == open(view.path, "rb").read()
    assert (tmp_path / "a.html").stat().st_size == given.report["bytes"]
    assert given.open() and opened[1] == (tmp_path / "a.html").as_uri()


def test_a_recording_gives_the_same_page(opened, tmp_path):
    pytest.importorskip("h5py")
    trajectory = rt.chain(5, perturb=0.2).solver().run(0.05, 1e-3, frames=11)
    trajectory.save(tmp_path / "a.h5")
    trajectory.view(tmp_path / "a.html")
    with rt.open(tmp_path / "a.h5") as recording:
        view = recording.view(tmp_path / "b.html")
        assert recording.view(tmp_path / "c.html", most_bytes=45_000).report["bytes"] <= 45_000
    assert view.report["frames"] == 11 and opened == []
    assert (tmp_path / "a.html").read_bytes() == (tmp_path / "b.html").read_bytes()


def test_a_model_shows_its_start(opened, examples, tmp_path):
    view = rt.load(examples / "arm7.urdf").view(tmp_path / "arm.html")
    assert view.report["frames"] == 0 and view.report["bodies_shown"] == 7


def test_an_ensemble_shows_its_members(opened, tmp_path):
    ensemble = rt.Ensemble(rt.chain(3), 5, perturb=0.2)
    ensemble.run(0.02, 1e-3, frames=5, track=["body2"], out=tmp_path / "sweep.h5")
    view = rt.view_ensemble(tmp_path / "sweep.h5", tmp_path / "sweep.html")
    assert (view.report["members"], view.report["members_shown"], view.report["frames"], view.report["bodies"]) == (5, 5, 5, 1)
    assert "5 of 5 members" in repr(view) and opened == []
    with pytest.raises(rt.FileError, match="none.h5"):
        rt.view_ensemble(tmp_path / "none.h5", tmp_path / "none.html")


def test_a_notebook_shows_it_in_the_cell(opened, monkeypatch, tmp_path):
    shell = type("ZMQInteractiveShell", (), {})()
    monkeypatch.setitem(sys.modules, "IPython", types.SimpleNamespace(get_ipython=lambda: shell))
    cell = rt.chain(2).view()._repr_html_()
    assert opened == [] and cell.startswith('<iframe srcdoc="&lt;!DOCTYPE html&gt;') and cell.endswith("</iframe>")
    assert cell.count('"') == 4  # all of the page is within its attribute


def test_what_cannot_be_shown_leaves_nothing(opened, tmp_path):
    trajectory = rt.chain(2).solver().run(0.01, 1e-3)
    with pytest.raises(rt.ArgumentError, match="a page of 10 bytes cannot show one body"):
        trajectory.view(most_bytes=10)
    with pytest.raises(rt.FileError, match="nowhere"):
        trajectory.view(tmp_path / "nowhere" / "a.html")
    with pytest.raises(rt.ModelError, match="no bodies"):
        rt.Model("empty").view()
    assert left(tmp_path) == [] and opened == []


def test_members_that_are_too_far_apart_are_not_shown(opened, tmp_path):
    model = rt.Model("far")
    model.add_body("a", hinge="prismatic", hinge_axis=(1, 0, 0), mass=1.0, inertia=(1, 1, 1), rate=1e18)
    model.gravity = (0, 0, 0)
    ensemble = rt.Ensemble(model).vary("bodies.a.mass", rt.grid(1, 2, 2))
    ensemble.run(2.0, 1.0, frames=3, track=["a"], out=tmp_path / "far.h5")
    with pytest.raises(rt.UnsupportedError, match=r"span 2e\+18 m; a page draws up to 1e\+18 m"):
        rt.view_ensemble(tmp_path / "far.h5", tmp_path / "far.html")
    assert not (tmp_path / "far.html").exists()


def test_a_page_does_not_replace_what_it_shows(opened, tmp_path):
    pytest.importorskip("h5py")
    rt.chain(2).solver().run(0.01, 1e-3, out=tmp_path / "a")
    rt.Ensemble(rt.chain(2), 2, perturb=0.1).run(0.01, 1e-3, out=tmp_path / "e.h5")
    (tmp_path / "link.html").symlink_to("e.h5")
    with rt.open(tmp_path / "a") as recording, pytest.raises(rt.ArgumentError, match="a: that is also the file that is read; name another"):
        recording.view(tmp_path / "a")
    with pytest.raises(rt.ArgumentError, match="link.html: that is also the file that is read"):
        rt.view_ensemble(tmp_path / "e.h5", tmp_path / "link.html")
    assert rt.check(tmp_path / "a")["checked"] and rt.check(tmp_path / "e.h5")["checked"]
