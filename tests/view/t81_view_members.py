#!/usr/bin/env python3
"""The page of an ensemble in a browser: tracked bodies are drawn in their places and move with time, the histogram has the counts
of the numbers, quantities change the pictures, failed members are named, and the console has no complaints.

usage: t81_view_members.py RICCATREE      Exit status 77: skipped, without Chromium.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
import browser  # noqa: E402

# The place of the drawn points, from 0 to 1, and a number that distinguishes pictures.
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


def riccatree(*words, status=0):
    done = subprocess.run([sys.argv[1], *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    expect(f"riccatree {' '.join(words)}: status {done.returncode}", done.returncode == status)


def picture(page, canvas):
    return page.ask(f"(draw(), element('{canvas}').toDataURL())")


def motion(page):
    """Pendulums that begin level at x = 1 m and fall: seen at the right first, then below."""
    page.open("swing.html", "t=0&yaw=0&pitch=0")
    page.ask("element('trails').selectedIndex = 3")  # none
    first = page.ask(SCENE)
    expect(f"points are drawn: {first}", first["lit"] > 20)
    expect("the same time gives the same pixels", page.ask(SCENE) == first)
    page.ask("seek(0.3)")
    late = page.ask(SCENE)
    expect(f"they fall: {first} {late}", late["y"] < first["y"] - 0.05)
    page.ask("element('trails').selectedIndex = 0")
    trails = page.ask(SCENE)
    expect("trails are more than points", trails["lit"] > 1.5 * late["lit"] and trails["y"] > late["y"])
    plot = picture(page, "plot")
    page.ask("seek(0.1)")
    expect("the line of the present time moves", picture(page, "plot") != plot)
    page.ask("element('what').selectedIndex = 1")
    page.ask("dirty()")
    expect("the clock shows the time", page.ask("(draw(), element('clock').textContent)") == "0.1 s of 0.5 s")
    moved = page.ask("(play(true), new Promise((done) => setTimeout(() => { play(false); done(state.time); }, 700)))")
    expect(f"playing moves the time: {moved}", moved != 0.1 and 0 <= moved <= 0.5)
    shown = page.ask("element('shown').textContent")
    expect(f"head: {shown}", shown.startswith("12 members, 51 frames, tracked: bob; positions to "))
    expect("no member failed", page.ask("getComputedStyle(element('failed')).display") == "none")


def quantities(page):
    page.open("plain.html")  # another fragment alone does not load the page again
    page.open("swing.html", "t=0.2&quantity=bodies.bob.mass&over=energy")
    expect("the address chooses", page.ask("[chosen.quantity, chosen.over].map((c) => data.columns[c])") == ["bodies.bob.mass", "energy"])
    columns = page.ask("data.columns")
    expect(f"columns {columns}", columns[:4] == ["bodies.bob.mass", "time", "energy", "energy_drift"] and "coordinate 3 of bob at the end" in columns)
    # a grid from 1 to 2 kg of 12 points in 40 bins: the numbers 0, 1/11, ..., 1
    wanted = [0] * 40
    for k in range(12):
        wanted[min(39, int(40 * (k / 11) + 1e-9))] += 1
    expect("the histogram counts members", page.ask("[...binsOf(0)]") == wanted)
    range_ = page.ask("[found[0].least, found[0].most, found[0].mean]")
    expect(f"range and mean {range_}", range_[:2] == [1, 2] and abs(range_[2] - 1.5) < 1e-12)
    histograms, scatters, scenes = set(), set(), set()
    for c in (0, 2, 3):
        page.ask(f"choose('quantity', {c})")
        histograms.add(picture(page, "histogram"))
        scatters.add(picture(page, "scatter"))
        scenes.add(page.ask(SCENE)["hash"])
    expect("every quantity has pictures of its own", len(histograms) == len(scatters) == len(scenes) == 3)
    before = picture(page, "scatter")
    page.ask("choose('over', 3)")
    expect("over another quantity it is another", picture(page, "scatter") != before)
    page.ask("choose('over', 0)")
    page.ask("choose('quantity', 0)")
    # x over x: on the diagonal, and nothing else
    diagonal = page.ask("""(() => {
        draw();
        const c = element("scatter"), i = { left: MARGIN.left, right: c.width - MARGIN.right, top: MARGIN.top, bottom: c.height - MARGIN.bottom };
        const pixels = c.getContext("2d").getImageData(0, 0, c.width, c.height).data;
        const on = (s, t) => pixels[4 * (Math.round(i.left + s * (i.right - i.left)) + c.width * Math.round(i.bottom - t * (i.bottom - i.top))) + 2] > 200;
        return [on(5 / 11, 5 / 11), on(7 / 11, 7 / 11), on(5 / 11, 7 / 11), on(0.5, 0.5)];
    })()""")
    expect(f"points where the numbers say {diagonal}", diagonal == [True, True, False, False])


def others(page):
    page.open("fail.html")
    trouble = page.ask("element('trouble').textContent")
    failed = page.ask("[...status].filter((s) => s > 0).length")
    expect(f"failures are told: {trouble}", failed > 0 and trouble == f"{failed} failed: model")
    lines = page.ask("[...element('failed').querySelectorAll('div')].map((line) => line.textContent)")
    expect(f"and why: {lines[:1]}", len(lines) == failed and "the mass is -" in lines[0])
    expect("they are in no histogram", page.ask("found[0].there.length") == 20 - failed)
    page.open("plain.html", "quantity=energy_drift")
    expect("without a series there is no clock", page.ask("getComputedStyle(element('play')).display") == "none")
    expect("nor a scene", page.ask("getComputedStyle(canvas).display") == "none")
    expect("but results", page.ask("found[data.columns.indexOf('energy')].there.length") == 5)
    page.open("many.html", "t=0.02")
    shown = page.ask("[members, frames]")
    expect(f"{shown} are shown", shown == [5000, 21])
    size = os.path.getsize("many.html")
    expect(f"{size} bytes", size <= 20e6)


def main():
    if browser.found() is None:
        print("ensemble page: skipped, there is no Chromium; scripts/install-dependencies.sh gets it")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        bob = {"name": "bob", "parent": "arm", "hinge": {"type": "ball", "at": [0, 0, -1]}, "mass": 1, "inertia": [0.01, 0.01, 0.01, 0, 0, 0]}
        arm = {"name": "arm", "parent": "ground", "hinge": {"type": "ball"}, "mass": 1, "com": [0, 0, -0.5],
               "inertia": [0.08, 0.08, 0.001, 0, 0, 0], "initial": {"orientation": [1, 0, -1, 0]}}
        pathlib.Path("swing.json").write_text(json.dumps({"riccatree": 1, "name": "swing", "bodies": [arm, bob]}))
        riccatree("ensemble", "swing.json", "--vary", "bodies.bob.mass=1:2:12", "--t-end", "0.5", "--series", "51", "--track", "bob", "--out", "swing.h5")
        riccatree("ensemble", "swing.json", "--vary", "bodies.bob.mass=normal:0.3:0.3", "--members", "20", "--t-end", "0.1", "--series", "11", "--track", "bob",
                  "--out", "fail.h5", status=3)
        riccatree("ensemble", "swing.json", "--perturb", "0.3", "--members", "5", "--t-end", "0.1", "--out", "plain.h5")
        riccatree("ensemble", "swing.json", "--perturb", "0.3", "--members", "5000", "--t-end", "0.02", "--series", "21", "--track", "bob", "--out", "many.h5")
        for name in ("swing", "fail", "plain", "many"):
            riccatree("view", f"{name}.h5")
        with browser.Browser(960, 640) as page:
            motion(page)
            quantities(page)
            others(page)
            expect(f"the console complains: {page.complaints}", page.complaints == [])
        os.chdir("/")
    print(f"ensemble page: {failures} failures")
    return int(failures > 0)


sys.exit(main())
