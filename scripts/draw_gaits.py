#!/usr/bin/env python3
"""Draws the pictures of docs/gaits.md: where the body of a snake is at a few times, as docs/_static/gaits/GAIT.svg.

Each gait's scenario snake/gait-GAIT is run and its recording exported. Top view: all links, from above, at a few times. Below it,
where a gait leaves the ground or rolls: the body from the side in rows, one for each time, or one link from behind.
The environment variable SINEW names the program (default: ./sinew). Usage: draw_gaits.py [GAIT ...]; without names, all.
"""

import csv
import math
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "docs/_static/gaits"
LINKS, HALF, RADIUS = 11, 0.061, 0.0525  # of the snake: number, half the length and radius [m] of links
WIDTH, LEFT, RIGHT, TOP, BOTTOM = 720, 62, 96, 14, 44  # of a picture and its margins [px]
LEAST = 170  # height of a top view [px]
COLOURS = ["#fbb61a", "#ed6925", "#bc3754", "#781c6d", "#320a5e"]  # early to late
SIDE_COLOUR = "#0b6e69"


@dataclass
class Picture:
    top: list  # times of the top view [s]
    side: list = field(default_factory=list)  # times of the rows below
    stretch: float = 1.0  # of heights in these rows
    behind: bool = False  # below: the middle link from behind, at the times of the top view


PICTURES = {
    "lateral-undulation": Picture([0, 2.5, 5, 7.5, 10]),
    "turning": Picture([0, 2.5, 5, 7.5, 10]),
    "sidewinding": Picture([0, 2.5, 5, 7.5, 10], [8, 8.5, 9, 9.5]),
    "rolling": Picture([0, 2.5, 5, 7.5, 10], behind=True),
    "sinus-lifting": Picture([0, 2.5, 5, 7.5, 10], [8, 8.25, 8.5, 8.75], stretch=15.0),
    "linear-progression": Picture([0, 5, 10], [8, 8.5, 9, 9.5, 10]),
}


def record(gait):
    """Rows of the recording of a gait's scenario, as dictionaries of numbers, 0.25 s apart."""
    program = os.environ.get("SINEW", str(ROOT / "sinew"))
    with tempfile.TemporaryDirectory() as folder:
        recording, table = Path(folder) / "run.h5", Path(folder) / "run.csv"
        scenario = ROOT / f"scenarios/snake/gait-{gait}.toml"
        subprocess.run([program, "run", scenario, "--quiet", "--out", recording], check=True)
        subprocess.run([program, "export", recording, "--signals", "body.*", "--every", "0.25", "--csv", table],
                       check=True, stdout=subprocess.DEVNULL)
        with open(table, newline="") as lines:
            return [{name: float(value) for name, value in row.items()} for row in csv.DictReader(lines)]


def axis_of(row, link, axis):
    """A link's own axis, "y" (up in a flat robot) or "z" (towards the tail), in world axes."""
    w, x, y, z = (row[f"body.link{link}.quat.{c}"] for c in "wxyz")
    if axis == "y":
        return 2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)
    return 2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)


def middle(row, link):
    return tuple(row[f"body.link{link}.p.{c}"] for c in "xyz")


def body(row):
    """Points of the body's axis: tip of the head, the joints, tip of the tail."""
    ends = [(middle(row, i), axis_of(row, i, "z")) for i in range(1, LINKS + 1)]
    points = [tuple(p - HALF * a for p, a in zip(*ends[0]))]
    return points + [tuple(p + HALF * a for p, a in zip(*end)) for end in ends]


def at(rows, t):
    return min(rows, key=lambda row: abs(row["t"] - t))


def colour(times, t):
    return COLOURS[round(times.index(t) * (len(COLOURS) - 1) / max(1, len(times) - 1))]


class Frame:
    """A part of the picture with axes, `scale` pixels a metre, the same along both."""

    def __init__(self, x, y, scale, top):
        self.x, self.y, self.scale, self.top = x, y, scale, top
        self.width, self.height = (x[1] - x[0]) * scale, (y[1] - y[0]) * scale

    def place(self, x, y):
        return LEFT + (x - self.x[0]) * self.scale, self.top + (self.y[1] - y) * self.scale

    def axes(self, label_x, label_y, step_x, step_y=None):
        bottom, right = self.top + self.height, LEFT + self.width
        parts = [f'<rect x="{LEFT}" y="{self.top:.1f}" width="{self.width:.1f}" height="{self.height:.1f}" class="frame"/>']
        for value in ticks(self.x, step_x):
            x, _ = self.place(value, 0)
            parts.append(f'<path d="M{x:.1f} {self.top:.1f}V{bottom:.1f}" class="grid"/>'
                         f'<text x="{x:.1f}" y="{bottom + 16:.1f}" class="middle">{value:g}</text>')
        for value in ticks(self.y, step_y) if step_y else []:
            _, y = self.place(0, value)
            parts.append(f'<path d="M{LEFT} {y:.1f}H{right:.1f}" class="grid"/>'
                         f'<text x="{LEFT - 6}" y="{y + 4:.1f}" class="end">{value:g}</text>')
        parts.append(f'<text x="{LEFT + self.width / 2:.1f}" y="{bottom + 34:.1f}" class="middle">{label_x}</text>')
        middle = self.top + self.height / 2
        parts.append(f'<text transform="translate(16 {middle:.1f}) rotate(-90)" class="middle">{label_y}</text>')
        return parts

    def line(self, points, paint):
        path = "L".join("{:.1f} {:.1f}".format(*self.place(*p)) for p in points)
        return f'<path d="M{path}" {paint}/>'


def ticks(span, step):
    return [round(k * step, 6) for k in range(math.ceil(span[0] / step - 1e-9), math.floor(span[1] / step + 1e-9) + 1)]


def step_for(length, most):
    return next(step for step in (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0) if length / step <= most)


def snake(frame, points, paint, thick):
    """The body: as wide as it is, its axis, and a dot for the head."""
    parts = []
    if thick:
        parts.append(frame.line(points, f'stroke="{paint}" stroke-width="{2 * RADIUS * frame.scale:.1f}" class="skin"'))
    parts.append(frame.line(points, f'stroke="{paint}" class="axis"'))
    x, y = frame.place(*points[0])
    return parts + [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="{paint}" stroke="#fff"/>']


def legend(times, top):
    parts, x = [], WIDTH - RIGHT + 14
    for k, t in enumerate(times):
        y = top + 10 + 18 * k
        parts.append(f'<path d="M{x} {y}h18" stroke="{colour(times, t)}" class="axis"/>'
                     f'<text x="{x + 24}" y="{y + 4}">{t:g} s</text>')
    y = top + 10 + 18 * len(times)
    return parts + [f'<circle cx="{x + 9}" cy="{y}" r="5" fill="#555"/><text x="{x + 24}" y="{y + 4}">head</text>']


def span(values, margin):
    return min(values) - margin, max(values) + margin


def top_view(rows, times):
    bodies = [body(at(rows, t)) for t in times]
    x = span([p[0] for points in bodies for p in points], 0.1)
    y = span([p[1] for points in bodies for p in points], 0.1)
    scale = min((WIDTH - LEFT - RIGHT) / (x[1] - x[0]), 420 / (y[1] - y[0]))
    spare = (WIDTH - LEFT - RIGHT) / scale - (x[1] - x[0])
    lacking = max(0.0, LEAST / scale - (y[1] - y[0]))
    frame = Frame((x[0] - spare / 2, x[1] + spare / 2), (y[0] - lacking / 2, y[1] + lacking / 2), scale, TOP)
    step = step_for(frame.x[1] - frame.x[0], 10)
    parts = frame.axes("x [m], seen from above", "y [m]", step, step)
    for t, points in zip(times, bodies):
        parts += snake(frame, [p[:2] for p in points], colour(times, t), thick=True)
    return parts + legend(times, TOP), TOP + frame.height + BOTTOM


def side_view(rows, times, stretch, top):
    """Rows of the body from the side, the ground below each; heights above where the body rests, stretched if asked for."""
    bodies = [body(at(rows, t)) for t in times]
    x = span([p[0] for points in bodies for p in points], 0.12)
    x = (x[0] - 0.2, x[1])  # room for the scale of heights
    scale = (WIDTH - LEFT - RIGHT) / (x[1] - x[0])
    thick = stretch == 1.0
    low = 0.0 if thick else RADIUS
    pitch = 1.25 * stretch * (max(p[2] for points in bodies for p in points) - low) + (RADIUS if thick else 0.05)
    frame = Frame(x, (-0.25 * pitch, len(times) * pitch), scale, top)
    note = "" if thick else f"; heights of the body's axis, {stretch:g} times as large"
    parts = frame.axes(f"x [m], seen from the side{note}", "z",
                       step_for(x[1] - x[0], 10))
    for k, (t, points) in enumerate(zip(times, bodies)):
        base = (len(times) - 1 - k) * pitch
        parts.append(frame.line([(x[0], base), (x[1], base)], 'class="ground"'))
        parts += snake(frame, [(p[0], base + stretch * (p[2] - low)) for p in points], SIDE_COLOUR, thick)
        _, y = frame.place(0, base + 0.35 * pitch)
        parts.append(f'<text x="{WIDTH - RIGHT + 14}" y="{y + 4:.1f}">{t:g} s</text>')
    mark = 0.1 if thick else 0.005
    a, b = frame.place(x[0] + 0.03, 0), frame.place(x[0] + 0.03, stretch * mark)
    parts.append(f'<path d="M{a[0]:.1f} {a[1]:.1f}V{b[1]:.1f}m-4 0h8m-4 0V{a[1]:.1f}m-4 0h8" class="mark"/>'
                 f'<text x="{a[0] + 8:.1f}" y="{(a[1] + b[1]) / 2 + 4:.1f}">{1000 * mark:g} mm</text>')
    return parts, top + frame.height + BOTTOM


def view_from_behind(rows, times, top):
    """The middle link as a disk with a mark that shows how it has turned. Forward is into the page: y grows to the left."""
    link = (LINKS + 1) // 2
    centres = [middle(at(rows, t), link) for t in times]
    y = span([-c[1] for c in centres], 0.1)
    frame = Frame(y, (-0.02, 0.14), (WIDTH - LEFT - RIGHT) / (y[1] - y[0]), top)
    bottom = top + frame.height
    parts = [f'<rect x="{LEFT}" y="{top:.1f}" width="{frame.width:.1f}" height="{frame.height:.1f}" class="frame"/>']
    for value in ticks((-y[1], -y[0]), step_for(y[1] - y[0], 10)):
        x, _ = frame.place(-value, 0)
        parts.append(f'<path d="M{x:.1f} {top:.1f}V{bottom:.1f}" class="grid"/>'
                     f'<text x="{x:.1f}" y="{bottom + 16:.1f}" class="middle">{value:g}</text>')
    parts.append(f'<text x="{LEFT + frame.width / 2:.1f}" y="{bottom + 34:.1f}" class="middle">'
                 'y [m], the middle link seen from behind; its mark was on top at the start</text>')
    parts.append(frame.line([(y[0], 0), (y[1], 0)], 'class="ground"'))
    for t, (_, side, z) in zip(times, centres):
        up = axis_of(at(rows, t), link, "y")
        x, h = frame.place(-side, z)
        paint = colour(times, t)
        parts.append(f'<circle cx="{x:.1f}" cy="{h:.1f}" r="{RADIUS * frame.scale:.1f}" stroke="{paint}" class="disk"/>')
        parts.append(frame.line([(-side, z), (-side - RADIUS * up[1], z + RADIUS * up[2])], f'stroke="{paint}" class="axis"'))
    return parts, bottom + BOTTOM


STYLE = """text{font:12px sans-serif;fill:#333}.middle{text-anchor:middle}.end{text-anchor:end}
path,.frame,.disk{fill:none}.frame{stroke:#888}.grid{stroke:#e4e4e4}.ground{stroke:#8a6d3b;stroke-width:1.5}
.axis{stroke-width:2.2;stroke-linejoin:round;stroke-linecap:round}.disk{stroke-width:2.2}.mark{stroke:#333}
.skin{stroke-linejoin:round;stroke-linecap:butt;opacity:.22}"""


def draw(gait):
    picture, rows = PICTURES[gait], record(gait)
    parts, height = top_view(rows, picture.top)
    if picture.side:
        more, height = side_view(rows, picture.side, picture.stretch, height + TOP)
        parts += more
    if picture.behind:
        more, height = view_from_behind(rows, picture.top, height + TOP)
        parts += more
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:.0f}" width="{WIDTH}" height="{height:.0f}">'
    lines = [head, f"<title>{gait}: where a snake is at some times</title>", f"<style>{STYLE}</style>",
             '<rect width="100%" height="100%" fill="#fff"/>', *parts, "</svg>"]
    FOLDER.mkdir(parents=True, exist_ok=True)
    (FOLDER / f"{gait}.svg").write_text("\n".join(lines) + "\n")


def main():
    wanted = sys.argv[1:] or list(PICTURES)
    unknown = [name for name in wanted if name not in PICTURES]
    if unknown:
        sys.exit(f"error: draw_gaits.py: {unknown[0]}: no such picture: use {', '.join(PICTURES)}")
    for gait in wanted:
        draw(gait)


if __name__ == "__main__":
    main()
