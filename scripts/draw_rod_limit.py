#!/usr/bin/env python3
"""Draws docs/_static/rod-limit.svg: how far a chain of n links is from the continuous rod, over n, both axes logarithmic.

The same snake in mud, five seconds: continuum/viscous-snake is the rod, continuum/rod-limit the chain. Distances are those of their heads at
the end. draw_rod_limit.py --check runs all again and compares with the numbers in the picture.
The environment variable SINEW names the program (default: ./sinew).
"""

import json
import math
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PICTURE = ROOT / "docs/_static/rod-limit.svg"
LINKS = [6, 10, 16, 24, 40, 64, 100, 160, 240]
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 640, 380, 70, 24, 20, 52  # of the picture and its margins [px]
SPAN_X, SPAN_Y = (5.0, 300.0), (1e-4, 1.0)  # of the axes
INK, POINTS, GUIDE = "#333", "#bc3754", "#0b6e69"


def head(scenario, name, *settings):
    program = os.environ.get("SINEW", str(ROOT / "sinew"))
    command = [program, "run", scenario, "--no-record", "--json"]
    for setting in settings:
        command += ["--set", setting]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    value = json.loads(done.stdout)["result"][name]
    return value[0], value[1]


def distances():
    rod = head("continuum/viscous-snake", "head_x_y_theta")
    return {n: math.dist(rod, head("continuum/rod-limit", "head", f"segments={n}")) for n in LINKS}


def place(n, distance):
    def share(value, span):
        return math.log(value / span[0]) / math.log(span[1] / span[0])
    return (LEFT + (WIDTH - LEFT - RIGHT) * share(n, SPAN_X), HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * share(distance, SPAN_Y))


def draw(found):
    parts = []
    for n in (5, 10, 20, 50, 100, 200):
        x, _ = place(n, 1.0)
        parts += [f'<path class="grid" d="M{x:.1f} {TOP}V{HEIGHT - BOTTOM}"/>',
                  f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{n}</text>']
    for power in range(-4, 1):
        _, y = place(10, 10.0**power)
        label = {0: "1 m", -1: "10 cm", -2: "1 cm", -3: "1 mm", -4: "0.1 mm"}[power]
        parts += [f'<path class="grid" d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}"/>',
                  f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{label}</text>']
    last = LINKS[-1]
    a, b = place(LINKS[0], found[last] * (last / LINKS[0])**2), place(last, found[last])
    parts.append(f'<path class="guide" d="M{a[0]:.1f} {a[1]:.1f}L{b[0]:.1f} {b[1]:.1f}"/>')
    x, y = place(70, found[last] * (last / 70)**2)
    parts.append(f'<text class="note" x="{x + 12:.1f}" y="{y - 6:.1f}">1 / n²</text>')
    points = [place(n, d) for n, d in found.items()]
    parts.append('<path class="line" d="M' + "L".join(f"{x:.1f} {y:.1f}" for x, y in points) + '"/>')
    parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4"/>' for x, y in points]
    parts.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2:.0f}" y="{HEIGHT - 12}" text-anchor="middle">links n of the chain</text>')
    data = ", ".join(f"{n} {d:.6g}" for n, d in found.items())
    style = (f"text{{font:13px sans-serif;fill:{INK}}}.grid{{stroke:#ddd;fill:none}}.line{{stroke:{POINTS};fill:none;stroke-width:1.6}}"
             f"circle{{fill:{POINTS}}}.guide{{stroke:{GUIDE};stroke-dasharray:6 5;fill:none;stroke-width:1.6}}.note{{fill:{GUIDE}}}")
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}">',
             "<title>distance between the heads of chain and rod over the number of links</title>", f"<desc>{data}</desc>",
             f"<style>{style}</style>", '<rect width="100%" height="100%" fill="#fff"/>', *parts, "</svg>"]
    PICTURE.write_text("\n".join(lines) + "\n")


def check(found):
    text = re.search(r"<desc>(.*)</desc>", PICTURE.read_text()).group(1)
    shown = {int(n): float(d) for n, d in (pair.split() for pair in text.split(", "))}
    if shown.keys() != found.keys():
        sys.exit("error: draw_rod_limit.py: the picture has other chains: run scripts/draw_rod_limit.py")
    for n, distance in found.items():
        # of the distance, or a hundredth of the picture's lowest line
        if abs(shown[n] - distance) > max(1e-3 * distance, 1e-6):
            sys.exit(f"error: draw_rod_limit.py: {n} links: {distance:.6g} m, the picture shows {shown[n]:.6g}: "
                     "run scripts/draw_rod_limit.py")
    order = math.log(found[40] / found[160]) / math.log(160 / 40)
    if not 1.9 < order < 2.1:
        sys.exit(f"error: draw_rod_limit.py: the distance falls with the power {order:.2f} of the links, not 2")


if __name__ == "__main__":
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit("error: draw_rod_limit.py: no such option: use --check or nothing")
    (check if sys.argv[1:] else draw)(distances())
