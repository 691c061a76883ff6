#!/usr/bin/env python3
"""The player of `riccatree view` in a browser: bodies are drawn in their places, pixels change when time moves and not when it
stands, the controls of the panel work, and the console has no complaints.

usage: t81_view_player.py RICCATREE      Exit status 77: skipped, without Chromium.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
import browser  # noqa: E402

# The number of pixels of the scene that differ from the background, their centre, and a number that distinguishes scenes.
SCENE = """(() => {
    draw();
    const w = canvas.width, h = canvas.height, data = new Uint8Array(4 * w * h);
    gl.readPixels(0, 0, w, h, gl.RGBA, gl.UNSIGNED_BYTE, data);
    let lit = 0, x = 0, y = 0, hash = 0;
    for (let i = 0; i < w * h; i++) {
        hash = (Math.imul(hash, 31) + data[4 * i] + 256 * data[4 * i + 1] + 65536 * data[4 * i + 2]) | 0;
        if (data[4 * i] + data[4 * i + 1] + data[4 * i + 2] > 120) { lit++; x += i % w; y += Math.floor(i / w); }
    }
    return { lit, x: x / lit / w, y: y / lit / h, hash, w, h };
})()"""
failures = 0


def expect(what, good):
    global failures
    if not good:
        failures += 1
        print("FAILED:", what)


def riccatree(*words):
    subprocess.run([sys.argv[1], *words], check=True, stdout=subprocess.DEVNULL)


def scene(page, time=None):
    if time is not None:
        page.ask(f"seek({time})")
    return page.ask(SCENE)


def play(page, path):
    """A pendulum that begins level at x = 1 m and falls: it is seen at the right first, then below."""
    page.open(path, "t=0&yaw=0&pitch=0&colour=speed")
    first, again = scene(page), scene(page, 0)
    expect("something is drawn", first["lit"] > 200 and first["w"] == 960)
    expect("the same time gives the same pixels", first == again)
    late = scene(page, 0.5)
    expect(f"it falls: {first} {late}", late["y"] < first["y"] - 0.05 and late["hash"] != first["hash"])
    before = scene(page, 0.505)["hash"]
    expect("pixels change between frames, too", before != scene(page, 0.5075)["hash"])
    expect("it comes back", scene(page, 0) == first)
    expect("the clock shows the time", page.ask("element('clock').textContent") == "0 s of 1 s")
    expect("all is shown", page.ask("element('shown').textContent").startswith("1 bodies, 101 frames; positions to "))
    shown = page.picture()
    page.ask("seek(0.7)")
    page.ask("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    expect("the picture of the page changes", page.picture() != shown)
    moved = page.ask("(play(true), new Promise((done) => setTimeout(() => { play(false); done(state.time); }, 1000)))")
    expect(f"playing moves the time: {moved}", moved != 0.7 and 0 <= moved <= 1)


def panel(page, path):
    page.open(path, "t=0.2&follow=right")
    expect("a body is followed by its name", page.ask("nameOf(state.follow)") == "right")
    plain = scene(page)
    expect("a name that is none is refused", page.ask("(follow('nobody'), state.follow)") == -1)
    expect("the followed body has its colour", scene(page)["hash"] != plain["hash"])
    colours = set()
    for k in range(5):
        page.ask(f"colour({k})")
        colours.add(scene(page)["hash"])
    expect(f"{len(colours)} of 5 colours differ", len(colours) == 5)
    for k in range(4):
        before = page.ask("plotCanvas.toDataURL()")
        page.ask(f"(element('what').selectedIndex = {k}, state.dirty = true, draw())")
        expect(f"plot {k} is another", k == 0 or page.ask("plotCanvas.toDataURL()") != before)
    near = page.ask("(camera.zoom = 0.5, 0)") or scene(page)
    expect("what is further away is smaller", 0 < near["lit"] < plain["lit"])
    page.ask("home()")
    expect("the name of a model is text", page.ask("element('title').textContent") == "<b>&name")
    types = page.ask("meshes.map((mesh) => mesh.corners.length / 4 === mesh.normals.length / 3 && Math.max(...mesh.faces) < mesh.corners.length / 4)")
    expect("meshes are whole", types == [True] * 4)


# The edges of the drawn scene, in metres about the middle of the picture: the camera looks along y, a pixel is `scale` m.
EXTENT = """(() => {
    draw();
    const w = canvas.width, h = canvas.height, data = new Uint8Array(4 * w * h);
    gl.readPixels(0, 0, w, h, gl.RGBA, gl.UNSIGNED_BYTE, data);
    let x0 = w, x1 = -1, y0 = h, y1 = -1, lit = 0;
    for (let i = 0; i < w * h; i++) {
        if (data[4 * i] + data[4 * i + 1] + data[4 * i + 2] <= 120) continue;
        const x = i % w, y = Math.floor(i / w);
        x0 = Math.min(x0, x); x1 = Math.max(x1, x); y0 = Math.min(y0, y); y1 = Math.max(y1, y); lit++;
    }
    const scale = 2 * radius * Math.hypot(1, 0.45) / camera.zoom / h; // at the distance of the middle
    return [x0 - w / 2, x1 + 1 - w / 2, y0 - h / 2, y1 + 1 - h / 2, lit].map((pixels, k) => pixels * (k < 4 ? scale : scale * scale));
})()"""


def shapes(page):
    """What is seen from afar of a shape is its outline: edges and area by pixels are those of the numbers in the file."""
    turn = [0.9238795325112867, 0, 0.3826834323650898, 0]  # by 45 degrees about y
    cases = {
        "box": ({"type": "box", "size": [2, 0.5, 1]}, (-1, 1, -0.5, 0.5), 2.0),
        "sphere": ({"type": "sphere", "radius": 0.75}, (-0.75, 0.75, -0.75, 0.75), 1.767),
        "cylinder": ({"type": "cylinder", "radius": 0.5, "length": 2}, (-0.5, 0.5, -1, 1), 2.0),
        "capsule": ({"type": "capsule", "radius": 0.5, "length": 2}, (-0.5, 0.5, -1.5, 1.5), 2.785),
        "turned": ({"type": "box", "size": [2, 0.5, 2], "orientation": turn}, (-1.414, 1.414, -1.414, 1.414), 4.0),
        "moved": ([{"type": "sphere", "radius": 0.5, "at": [2, 0, 0]}, {"type": "box", "size": [1, 1, 1], "at": [0, 0, -1]}],
                  (-0.5, 2.5, -1.5, 0.5), 1.785),
    }
    hashes = set()
    for name, (shape, edges, area) in cases.items():
        body = {"parent": "ground", "hinge": {"type": "fixed"}, "mass": 1, "inertia": [1, 1, 1, 0, 0, 0], "shapes": shape if isinstance(shape, list) else [shape]}
        pathlib.Path("shape.json").write_text(json.dumps({"riccatree": 1, "name": name, "bodies": [body]}))
        riccatree("view", "shape.json", "--overwrite")
        page.open("shape.html", "yaw=0&pitch=0&zoom=0.2")
        *found, lit = page.ask(EXTENT)
        expect(f"{name}: edges {found} for {edges}", all(abs(a - b) < 0.06 for a, b in zip(found, edges)))
        expect(f"{name}: area {lit} for {area}", abs(lit - area) < 0.1 * area)
        hashes.add(scene(page)["hash"])
    page.open("shape.html", "yaw=&pitch=none&zoom=0")
    expect("what is no number leaves the camera", page.ask("[camera.yaw, camera.pitch, camera.zoom]") == [35, 12, 1])
    expect("every shape looks otherwise", len(hashes) == len(cases))


def large(page):
    """100,000 bodies with shapes: the page stays below 20 MB, and is drawn without complaint."""
    bodies = 100_000
    rod = {"hinge": {"type": "ball", "at": [0, 0, -1]}, "mass": 1, "com": [0, 0, -0.5],
           "inertia": [0.08, 0.08, 0.001, 0, 0, 0], "shapes": [{"type": "capsule", "at": [0, 0, -0.5], "radius": 0.04, "length": 0.9}]}
    listed = [rod | {"parent": "ground"}, {"repeat": bodies - 1, "body": rod | {"parent": "previous"}}]
    pathlib.Path("large.json").write_text(json.dumps({"riccatree": 1, "bodies": listed}))
    riccatree("run", "large.json", "--t-end", "0.02", "--dt", "1e-3", "--out", "large.h5")
    riccatree("view", "large.h5")
    page.open("large.html", "t=0&colour=speed")
    expect("all are shown", page.ask("count") == bodies)
    scene(page, 0.02)
    size = os.path.getsize("large.html")
    expect(f"the page of {bodies} bodies has {size} bytes", size <= 20e6)


def main():
    if browser.found() is None:
        print("player: skipped, there is no Chromium; scripts/install-dependencies.sh gets it")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        rod = {"mass": 1, "com": [0, 0, -0.5], "inertia": [0.08, 0.08, 0.001, 0, 0, 0]}
        model = {"riccatree": 1, "name": "pendulum",
                 "bodies": [rod | {"parent": "ground", "hinge": {"type": "ball"}, "initial": {"orientation": [1, 0, -1, 0]}}]}
        pathlib.Path("pendulum.json").write_text(json.dumps(model))
        riccatree("run", "pendulum.json", "--t-end", "1", "--out", "pendulum.h5")
        riccatree("view", "pendulum.h5")
        pair = [{"name": name, "parent": "ground", "hinge": {"type": "ball", "at": [x, 0, 0]}} | rod | {"initial": {"angular_velocity": [0, w, 0]}}
                for name, x, w in (("left", -1, 1), ("right", 1, 3))]
        pair.append({"name": "hung", "parent": "right", "hinge": {"type": "ball", "at": [0, 0, -1]}} | rod)
        pathlib.Path("pair.json").write_text(json.dumps(model | {"name": "<b>&name", "bodies": pair}))
        riccatree("run", "pair.json", "--t-end", "0.4", "--out", "pair.h5")
        riccatree("view", "pair.h5")
        riccatree("view", "pendulum.json", "--out", "start.html")
        with browser.Browser(960, 640) as page:
            play(page, "pendulum.html")
            panel(page, "pair.html")
            page.open("start.html")
            expect("a model is drawn at its start", scene(page)["lit"] > 200)
            shapes(page)
            page.open("start.html")
            expect("without a clock", page.ask("getComputedStyle(element('play')).display") == "none")
            large(page)
            expect(f"the console complains: {page.complaints}", page.complaints == [])
            page.ask("console.error('heard')")
            expect("complaints are heard", page.complaints == ["heard"])
        os.chdir("/")
    print(f"player: {failures} failures")
    return int(failures > 0)


sys.exit(main())
