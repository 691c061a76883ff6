#!/usr/bin/env python3
"""Photographs a page of `riccatree view` in Chromium, and prints the time that its script takes per frame.

usage: draw_player.py PAGE.html PICTURE.png [FRAGMENT]      FRAGMENT: the part of the address after #

docs/pictures/moving/player.png is made by

    riccatree run binary --bodies 255 --perturb 1.2 --t-end 2 --frames 101 --out binary.h5
    riccatree view binary.h5
    scripts/draw_player.py binary.html docs/pictures/moving/player.png 't=0.6&colour=speed&pitch=15&zoom=1.3'

and docs/pictures/moving/ensemble.png by

    riccatree ensemble chain --bodies 8 --perturb 0.5 --vary bodies.body7.mass=uniform:0.5:5 --members 400 --t-end 2 --series 101 \\
        --track body7 --out chains.h5
    riccatree view chains.h5
    scripts/draw_player.py chains.html docs/pictures/moving/ensemble.png 't=1.1&quantity=bodies.body7.mass&over=energy&zoom=1.3'
"""
import sys

import browser


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(f"usage: {sys.argv[0]} PAGE.html PICTURE.png [FRAGMENT]")
    if browser.found() is None:
        sys.exit(f"{sys.argv[0]}: there is no Chromium; scripts/install-dependencies.sh installs it")
    with browser.Browser(960, 600) as page:
        page.open(sys.argv[1], sys.argv[3] if len(sys.argv) == 4 else "")
        page.ask("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        picture = page.picture()
        times = page.ask("[0.3, 0.6, 0.9].map((share) => { const was = state.script; state.time = share * end; draw(); return state.script - was; })")
        print(f"{sorted(times)[1]:.2f} ms of script per frame, {max(times):.2f} at most")
        if page.complaints:
            sys.exit(f"{sys.argv[0]}: {page.complaints[0]}")
    with open(sys.argv[2], "wb") as out:
        out.write(picture)


main()
