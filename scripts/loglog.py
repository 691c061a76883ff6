"""Draws curves on logarithmic axes as SVG."""

import math


def picture(curves, colours, across, label, lowest, highest):
    """The SVG of curves [(name, [(x, y)])] with colours by name; `label` over `across`; y from 10^lowest to 10^highest, clipped."""
    width, height, left, top, bottom = 640, 420, 72, 20, 48
    right = max(150, 40 + 7 * max(len(name) for name, _ in curves))
    xs = [math.log10(x) for _, points in curves for x, _ in points]
    first, last = math.floor(min(xs)), max(math.ceil(max(xs)), math.floor(min(xs)) + 1)

    def place(x, y):
        y = min(max(math.log10(max(y, 1e-300)), lowest), highest)
        return (left + (math.log10(x) - first) / (last - first) * (width - left - right),
                top + (highest - y) / (highest - lowest) * (height - top - bottom))

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" '
           f'font-size="12" fill="#444">', f'<rect width="{width}" height="{height}" fill="#fff"/>']
    step = max(1, round((highest - lowest) / 10))
    for k in range(lowest, highest + 1, step):
        y = place(10.0**first, 10.0**k)[1]
        out.append(f'<path d="M{left} {y:.1f}H{width - right}" stroke="#ddd"/>'
                   f'<text x="{left - 6}" y="{y + 4:.1f}" text-anchor="end">1e{k}</text>')
    for k in range(first, last + 1):
        x = place(10.0**k, 1.0)[0]
        out.append(f'<path d="M{x:.1f} {top}V{height - bottom}" stroke="#ddd"/>'
                   f'<text x="{x:.1f}" y="{height - bottom + 16}" text-anchor="middle">1e{k}</text>')
    out.append(f'<text x="{(left + width - right) / 2}" y="{height - 10}" text-anchor="middle">{across}</text>'
               f'<text x="16" y="{height / 2}" text-anchor="middle" transform="rotate(-90 16 {height / 2})">{label}</text>')
    for row, (name, points) in enumerate(curves):
        at = [place(x, y) for x, y in points]
        line = "L".join(f"{x:.1f} {y:.1f}" for x, y in at)
        colour = colours[name]
        out.append(f'<path d="M{line}" fill="none" stroke="{colour}" stroke-width="1.6"/>')
        out += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.6" fill="{colour}"/>' for x, y in at]
        y = top + 14 + 18 * row
        out.append(f'<path d="M{width - right + 10} {y - 4}h16" stroke="{colour}" stroke-width="2"/>'
                   f'<text x="{width - right + 30}" y="{y}">{name}</text>')
    return "\n".join(out) + "\n</svg>\n"
