#!/usr/bin/env python3
"""Draws the initial state of a model file as SVG: bodies as lines, hinges as circles or squares, closures in red.

usage: draw_mechanism.py MODEL.json PICTURE.svg

Systems in the x y or x z plane are drawn in that plane, others in an oblique view. Sliding hinges are squares; hinges on
the ground have hatching. Relations are dashed green lines between their hinges, springs are dashed grey lines.
"""
import html
import json
import math
import sys

WIDTH, HEIGHT, MARGIN = 640, 420, 48  # pixels
CLOSURE, RELATION, BODY, TEXT = "#c22", "#2a7", "#247", "#444"
SLIDING = ("prismatic", "cylindrical", "planar", "planar_prismatic", "slot")


def add(a, b):
    return [x + y for x, y in zip(a, b)]


def scaled(a, s):
    return [s * x for x in a]


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def unit(a):
    return scaled(a, 1.0 / math.sqrt(sum(x * x for x in a)))


def product(p, q):
    """Quaternions w x y z."""
    vector = add(add(scaled(q[1:], p[0]), scaled(p[1:], q[0])), cross(p[1:], q[1:]))
    return [p[0] * q[0] - sum(x * y for x, y in zip(p[1:], q[1:]))] + vector


def turn(q, v):
    """R(q) v = v + 2 w (u x v) + 2 u x (u x v)."""
    once = cross(q[1:], v)
    return add(v, add(scaled(once, 2.0 * q[0]), scaled(cross(q[1:], once), 2.0)))


def about(axis, angle):
    return [math.cos(angle / 2)] + scaled(unit(axis), math.sin(angle / 2))


def expanded(model):
    """The bodies in order, with the copies of repeats. Every body gets a name; its parent is a name or None."""
    bodies = []
    for entry in model["bodies"]:
        for k in range(1, entry.get("repeat", 1) + 1):
            body = dict(entry.get("body", entry))
            name = body.get("name", f"body{len(bodies)}")
            body["label"] = body.get("name", "")
            body["name"] = f"{name}.{k}" if "repeat" in entry and "name" in body else name
            if body["parent"] == "previous":
                body["parent"] = bodies[-1]["name"]
            bodies.append(body)
    return bodies


def joint(hinge, position):
    """The rotation and the shift of a hinge with axes at its coordinates."""
    q = position if isinstance(position, list) else [position]
    kind, axis = hinge["type"], hinge.get("axis", [0, 0, 1])
    along = unit(axis)
    if kind == "revolute":
        return about(axis, q[0]), [0, 0, 0]
    if kind == "prismatic":
        return [1, 0, 0, 0], scaled(along, q[0])
    if kind == "universal":
        return product(about(axis, q[0]), about(hinge["axis2"], q[1])), [0, 0, 0]
    if kind == "cylindrical":
        return about(axis, q[0]), scaled(along, q[1])
    if kind == "helical":
        return about(axis, q[0]), scaled(along, hinge["pitch"] * q[0])
    if kind == "planar":
        second = hinge.get("axis2", [1, 0, 0])
        shift = add(scaled(unit(second), q[0]), scaled(unit(cross(axis, second)), q[1]))
        return about(axis, q[2]), shift
    return [1, 0, 0, 0], [0, 0, 0]


def place(bodies):
    """name -> (hinge point, orientation) in the inertial frame, with the ground."""
    by_name = {body["name"]: body for body in bodies}
    poses = {"ground": ([0, 0, 0], [1, 0, 0, 0])}
    waiting = list(bodies)
    while waiting:
        body = waiting.pop(0)
        parent = body["parent"]
        if parent not in poses:
            if parent not in by_name:
                sys.exit(f"draw_mechanism: {body['name']}: {parent} is no body")
            waiting.append(body)
            continue
        at, frame = poses[parent]
        hinge, initial = body["hinge"], body.get("initial", {})
        point = add(at, turn(frame, hinge.get("at", [0, 0, 0])))
        if hinge["type"] == "free":
            point = initial.get("position", [0, 0, 0])
        if hinge["type"] in ("ball", "free"):
            q = initial.get("orientation", [1, 0, 0, 0])
            poses[body["name"]] = (point, scaled(q, 1.0 / math.sqrt(sum(x * x for x in q))))
            continue
        q = product(frame, hinge.get("orientation", [1, 0, 0, 0]))
        rotation, shift = joint(hinge, initial.get("position", [0, 0, 0]))
        poses[body["name"]] = (add(point, turn(q, shift)), product(q, rotation))
    return poses


def on(poses, name, at):
    point, q = poses[name]
    return add(point, turn(q, at))


def outlines(model, bodies, poses):
    """name -> points of the body: first its hinge point, then all points where hinges, loops or forces attach."""
    points = {body["name"]: [poses[body["name"]][0]] for body in bodies}
    for body in bodies:
        if body["parent"] != "ground":
            points[body["parent"]].append(on(poses, body["parent"], body["hinge"].get("at", [0, 0, 0])))
    for tie in model.get("loops", []) + model.get("forces", []):
        for end, at in (("body", "at"), ("other", "other_at")):
            if tie.get(end, "ground") != "ground":
                points[tie[end]].append(on(poses, tie[end], tie.get(at, [0, 0, 0])))
    for body in bodies:  # the far end of a last body is as far beyond its centre of mass as the hinge is before it
        own = points[body["name"]]
        if all(math.dist(own[0], p) < 1e-9 for p in own):
            own.append(on(poses, body["name"], scaled(body.get("com", [0, 0, 0]), 2.0)))
    return points


def waves(loop):
    """The mean radius of the outline of a cam, and (cosine, sine) of each wave."""
    table = loop.get("table")
    if table is None:
        return loop["radius"], list(zip(loop.get("cosine", [0] * 8), loop.get("sine", [0] * 8)))
    n, found = len(table), []
    for k in range(1, min(8, n // 2) + 1):
        angles = [2 * math.pi * k * i / n for i in range(n)]
        half = 1 if 2 * k == n else 2
        found.append((half / n * sum(r * math.cos(z) for r, z in zip(table, angles)),
                      half / n * sum(r * math.sin(z) for r, z in zip(table, angles)) if half == 2 else 0))
    return sum(table) / n, found


def cam(loop, poses):
    """The points of the outline of a cam."""
    radius, harmonics = waves(loop)
    frame = loop.get("other_orientation", [1, 0, 0, 0])
    y = unit(cross(loop["axis"], loop["axis2"]))
    x, points = unit(cross(y, loop["axis"])), []
    for i in range(180):
        z = 2 * math.pi * i / 180
        s = radius + sum(a * math.cos(k * z) + b * math.sin(k * z) for k, (a, b) in enumerate(harmonics, 1))
        at = turn(frame, add(scaled(x, s * math.cos(z)), scaled(y, s * math.sin(z))))
        points.append(on(poses, loop["other"], add(loop.get("other_at", [0, 0, 0]), at)))
    return points


def view(points):
    """A function that projects points: onto the plane that contains them all, or obliquely."""
    flat = [max(p[k] for p in points) - min(p[k] for p in points) < 1e-6 for k in range(3)]
    if flat[2]:
        return lambda p: (p[0], p[1])
    if flat[1]:
        return lambda p: (p[0], p[2])
    return lambda p: (p[0] - 0.45 * p[2], p[1] - 0.35 * p[2])


def fitted(project, points):
    """The projection in pixels, with a margin."""
    xs, ys = zip(*(project(p) for p in points))
    scale = min((WIDTH - 2 * MARGIN) / max(max(xs) - min(xs), 1e-9),
                (HEIGHT - 2 * MARGIN) / max(max(ys) - min(ys), 1e-9))
    left = (WIDTH - scale * (max(xs) + min(xs))) / 2
    base = (HEIGHT + scale * (max(ys) + min(ys))) / 2
    return lambda p: (left + scale * project(p)[0], base - scale * project(p)[1])


def hull(points):
    """The corners of the convex hull of points of the picture, in order (Andrew's monotone chain)."""
    points = sorted(set((round(x, 2), round(y, 2)) for x, y in points))
    corners = []
    for order in (points, points[::-1]):
        half = []
        for p in order:
            while len(half) > 1 and ((half[-1][0] - half[-2][0]) * (p[1] - half[-2][1])
                                     - (half[-1][1] - half[-2][1]) * (p[0] - half[-2][0])) <= 0:
                half.pop()
            half.append(p)
        corners += half[:-1]
    return corners or points


def mark(at, sliding, colour, fill="white", size=5.0):
    x, y = at
    if sliding:
        return (f'<rect x="{x - size:.1f}" y="{y - size:.1f}" width="{2 * size:.1f}" height="{2 * size:.1f}" '
                f'fill="{fill}" stroke="{colour}" stroke-width="1.6"/>')
    return (f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{size:.1f}" fill="{fill}" stroke="{colour}" '
            f'stroke-width="1.6"/>')


def hatching(at):
    x, y = at
    lines = [f"M{x - 12:.1f} {y + 8:.1f}h24"]
    lines += [f"M{x - 10 + 6 * k:.1f} {y + 8:.1f}l-4 5" for k in range(4)]
    return f'<path d="{"".join(lines)}" stroke="{TEXT}" fill="none"/>'


def dashed(a, b, colour):
    return (f'<line x1="{a[0]:.1f}" y1="{a[1]:.1f}" x2="{b[0]:.1f}" y2="{b[1]:.1f}" stroke="{colour}" '
            f'stroke-width="1.6" stroke-dasharray="5 4"/>')


def write(labels):
    """SVG of labels (place, words, colour); each is moved down until it overlaps no earlier one."""
    written, lines = [], []
    for (x, y), words, colour in labels:
        if not words:
            continue
        while any(abs(y - v) < 14 and x < u + 7 * n and u < x + 7 * len(words) for u, v, n in written):
            y += 3
        written.append((x, y, len(words)))
        lines.append(f'<text x="{x:.1f}" y="{y:.1f}" fill="{colour}">{html.escape(words)}</text>')
    return lines


def draw(model):
    bodies = expanded(model)
    poses = place(bodies)
    points = outlines(model, bodies, poses)
    loops = model.get("loops", [])
    springs = [f for f in model.get("forces", []) if f["type"] == "spring"]
    ends = [[on(poses, t[end], t.get(at, [0, 0, 0])) for end, at in (("body", "at"), ("other", "other_at"))]
            for t in springs + [loop for loop in loops if loop["type"] == "distance"]]
    curves = [cam(loop, poses) for loop in loops if loop["type"] == "cam"]
    everything = [p for own in points.values() for p in own] + [p for pair in ends + curves for p in pair]
    pixel = fitted(view(everything), everything)
    lines, hinges, marks, labels = [], [], [], []
    for body in bodies:
        own = [pixel(p) for p in points[body["name"]]]
        corners = " ".join(f"{x:.1f},{y:.1f}" for x, y in hull(own))
        lines.append(f'<polygon points="{corners}" fill="{BODY}" fill-opacity="0.15" stroke="{BODY}" '
                     f'stroke-width="3" stroke-linejoin="round"/>')
        if body["hinge"]["type"] != "free":
            hinges.append(mark(own[0], body["hinge"]["type"] in SLIDING, BODY))
        if body["parent"] == "ground" and body["hinge"]["type"] != "free":
            hinges.append(hatching(own[0]))
        if len(bodies) <= 16:
            middle = [sum(x) / len(own) for x in zip(*own)]
            labels.append(((middle[0] + 6, middle[1] - 6), body["label"], TEXT))
    for curve in curves:
        corners = " ".join(f"{x:.1f},{y:.1f}" for x, y in map(pixel, curve))
        lines.append(f'<polygon points="{corners}" fill="none" stroke="{CLOSURE}" stroke-width="1.6"/>')
    for pair in ends:
        lines.append(dashed(pixel(pair[0]), pixel(pair[1]), "#888"))
    for loop in loops:
        if loop["type"] == "relation":
            tied = [pixel(poses[term["body"]][0]) for term in loop["terms"]]
            lines += [dashed(a, b, RELATION) for a, b in zip(tied, tied[1:])]
            middle = scaled([sum(x) for x in zip(*tied)], 1.0 / len(tied))
            labels.append(((middle[0] + 9, middle[1] + 20), loop.get("name", ""), RELATION))
            continue
        at = pixel(on(poses, loop["body"], loop.get("at", [0, 0, 0])))
        sliding = loop["type"] in SLIDING
        marks += [mark(at, sliding, CLOSURE, size=8.0), mark(at, sliding, CLOSURE, CLOSURE, 3.5)]
        if loop["other"] == "ground":
            marks.append(hatching(at))
        if len(loops) <= 8:
            labels.append(((at[0] + 11, at[1] + 18), loop.get("name", ""), CLOSURE))
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" '
                      f'viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="13">',
                      f'<title>{html.escape(model.get("name", ""))}</title>',
                      f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
                      *lines, *hinges, *marks, *write(labels), "</svg>\n"])


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as file:
        model = json.load(file)
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        file.write(draw(model))


if __name__ == "__main__":
    main()
