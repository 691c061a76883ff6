#!/usr/bin/env python3
"""Draws a recording as an animated SVG: lines from hinge to hinge and to the far ends of the last bodies, in the x z plane or, if
gravity is along y, in the x y plane.

usage: draw_motion.py RECORDING.h5 PICTURE.svg [SECONDS]      SECONDS: duration of the animation, default 8

docs/pictures/moving/necklace.svg, at the top of README.md, is made by

    riccatree run necklace --bodies 40 --t-end 5 --frames 126 --out necklace.h5
    scripts/draw_motion.py necklace.h5 docs/pictures/moving/necklace.svg
"""
import sys

import h5py
import numpy as np

WIDTH, HEIGHT, MARGIN = 720, 360, 24  # pixels
PAPER, INK, POINT = "#10151c", "#29c2b8", "#ffde4d"


def far_ends(file, frames, tips):
    """The far end of each tip, as far beyond its centre of mass as the hinge point is before it: [F, tips, 3]."""
    q = file["frames/orientation"][:frames][:, tips]
    arm = np.broadcast_to(2.0 * file["model/com"][:][tips], (*q.shape[:2], 3))
    once = np.cross(q[..., 1:], arm)
    turned = arm + 2.0 * (q[..., :1] * once + np.cross(q[..., 1:], once))
    return file["frames/position"][:frames][:, tips] + turned


def runs(parent):
    """Paths of bodies, in which each body hangs on the one before it. A side path begins with the parent of its first own body."""
    children = [[] for _ in parent]
    for b, p in enumerate(parent):
        if p >= 0:
            children[p].append(b)
    starts = [[b] for b, p in enumerate(parent) if p < 0]
    starts += [[p, b] for p, below in enumerate(children) for b in below[1:]]
    for path in starts:
        while children[path[-1]]:
            path.append(children[path[-1]][0])
    return starts


def drawn(path):
    """The data of an SVG path, rounded to tenths of pixels."""
    return "M" + "L".join(f"{x:g} {y:g}" for x, y in np.round(path, 1))


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(f"usage: {sys.argv[0]} RECORDING.h5 PICTURE.svg [SECONDS]")
    seconds = float(sys.argv[3]) if len(sys.argv) == 4 else 8.0
    with h5py.File(sys.argv[1], "r") as file:
        frames = int(file["frames_written"][()])
        paths = runs(file["model/parent"][:].tolist())
        position = file["frames/position"][:frames]
        ends = far_ends(file, frames, [path[-1] for path in paths])
        name, gravity, time = file.attrs["model_name"].decode(), file.attrs["gravity"][:], file["frames/time"][:frames]
    axes = [0, 1 if abs(gravity[1]) > abs(gravity[2]) else 2]
    lines = [np.concatenate([position[:, path], ends[:, k : k + 1]], axis=1)[..., axes] for k, path in enumerate(paths)]
    low = np.min([line.min(axis=(0, 1)) for line in lines], axis=0)
    high = np.max([line.max(axis=(0, 1)) for line in lines], axis=0)
    scale = np.min((np.array([WIDTH, HEIGHT]) - 2 * MARGIN) / np.maximum(high - low, 1e-9))
    middle = (low + high) / 2
    with open(sys.argv[2], "w") as out:
        print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}">', file=out)
        print(f"<title>{name}: {frames} frames, {time[-1]:g} s</title>", file=out)
        print(f'<rect width="{WIDTH}" height="{HEIGHT}" rx="8" fill="{PAPER}"/>', file=out)
        print(f'<g fill="none" stroke="{INK}" stroke-width="3.5" stroke-linejoin="round" stroke-linecap="round">', file=out)
        for line in lines:
            seen = (line - middle) * scale * [1, -1] + [WIDTH / 2, HEIGHT / 2]
            values = ";".join(drawn(frame) for frame in seen)
            print(f'<path d="{drawn(seen[0])}"><animate attributeName="d" dur="{seconds:g}s" repeatCount="indefinite" '
                  f'values="{values}"/></path>', file=out)  # fmt: skip
            x, y = np.round(seen[0, 0], 1)
            print(f'<circle cx="{x:g}" cy="{y:g}" r="4" fill="{POINT}" stroke="none"/>' if line is lines[0] else "", file=out)
        print("</g>\n</svg>", file=out)


main()
