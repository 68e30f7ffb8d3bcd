#!/usr/bin/env python3
"""Draws the pictures of docs/hexapod-figures.md into docs/_static/hexapod/: Konyev 2011, figures 2.15, 3.12, 3.14 to 3.18, from our own runs.

Phase diagrams are made by `sinew plot --phases`, the others from exported tables by gnuplot. The environment variable SINEW names the program
(default: ./sinew). Usage: draw_hexapod.py [PICTURE ...] [--into FOLDER]; without names, all.
"""

import csv
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "docs/_static/hexapod"
PROGRAM = os.environ.get("SINEW", str(ROOT / "sinew"))
LEGS = ["L1", "L2", "L3", "R1", "R2", "R3"]
COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9"]
SIGNALS = 'output.signals=["contact.*.normal", "body.*.p.x"]'

BASE = "scenarios/hexapod/tripod.toml"
SPEEDS = {"wave": 0.0273, "gallop": 0.0333, "tripod": 0.1}  # [m/s] strokes of 70 mm
STAND = 'mode = "stand"'


def gait(name):
    return f'gait = "{name}"\nspeed = {SPEEDS[name]}'


# Phase diagrams: title, first gait, duration [s], and what is told on the way: time [s] and lines of a [command.change.next].
PHASES = {
    "gait-wave": ("wave gait", "wave", 9, None),
    "gait-gallop": ("gallop, 0.2 of a period in the air", "gallop", 9, None),
    "gait-tripod": ("tripod gait", "tripod", 6, None),
    "start-stop-wave": ("wave: start, walk, stop", "wave", 16, (12, STAND)),
    "start-stop-gallop": ("gallop: start, walk, stop", "gallop", 12, (9, STAND)),
    "start-stop-tripod": ("tripod: start, walk, stop", "tripod", 7, (4.5, STAND)),
    "wave-gallop": ("from wave to gallop", "wave", 14, (5, gait("gallop"))),
    "gallop-wave": ("from gallop to wave", "gallop", 14, (4, gait("wave"))),
    "wave-tripod": ("from wave to tripod", "wave", 12, (5, gait("tripod"))),
    "tripod-wave": ("from tripod to wave", "tripod", 12, (4, gait("wave"))),
    "gallop-tripod": ("from gallop to tripod", "gallop", 12, (4, gait("tripod"))),
    "tripod-gallop": ("from tripod to gallop", "tripod", 12, (4, gait("gallop"))),
}

CURVES = """
set terminal svg size 820,{height} font 'sans-serif,13' background '#ffffff'
set output '{target}'
set key outside right
set grid lc rgb '#dddddd'
set xlabel 'time [s]'
set ylabel '{label}'
set xrange [{start}:{end}]
set yrange [{low}:{high}]
{data}
plot {plots}
"""


def run(first, duration, told, folder):
    """A recording of the tripod scenario with another first gait, and one command on the way. Its name is not a path: pictures show it."""
    text = (ROOT / BASE).read_text().split("[output.result]")[0]
    if told:
        text += f"\n[command.change.next]\nat = {told[0]}\n{told[1]}\n"
    (folder / "hexapod.toml").write_text(text)
    sets = [f"command.gait={first}", f"command.speed={SPEEDS[first]}", f"duration={duration}", SIGNALS]
    flags = [flag for s in sets for flag in ("--set", s)]
    subprocess.run([PROGRAM, "run", "hexapod.toml", "--quiet", "--out", "run.h5", *flags], check=True, cwd=folder)
    return folder / "run.h5"


def table_of(recording, folder):
    """Rows of a recording, as dictionaries of numbers."""
    table = folder / "run.csv"
    subprocess.run([PROGRAM, "export", recording, "--csv", table], check=True, stdout=subprocess.DEVNULL)
    with open(table, newline="") as lines:
        return [{name: float(value) for name, value in row.items()} for row in csv.DictReader(lines)]


def draw_curves(target, label, curves, span, heights, height=420):
    """curves: name -> list of (t, value); span and heights: from, to."""
    data = "\n".join("$d%d << EOD\n%s\nEOD" % (i, "\n".join(f"{t:.4f} {v:.6g}" for t, v in points)) for i, points in enumerate(curves.values()))
    plots = ", ".join(f"$d{i} using 1:2 with lines lw 1.6 lc rgb '{COLOURS[i % 6]}' title '{name}'" for i, name in enumerate(curves))
    script = CURVES.format(target=target, height=height, label=label, start=span[0], end=span[1], low=heights[0], high=heights[1], data=data, plots=plots)
    subprocess.run(["gnuplot"], input=script, text=True, check=True)


def draw_phases(name, into):
    title, *case = PHASES[name]
    with tempfile.TemporaryDirectory() as folder:
        recording = run(*case, Path(folder))
        subprocess.run([PROGRAM, "plot", recording, "--phases", "--title", title, "-o", into / f"{name}.svg"], check=True, stdout=subprocess.DEVNULL)


def rows_of(name):
    with tempfile.TemporaryDirectory() as folder:
        return table_of(run(*PHASES[name][1:], Path(folder)), Path(folder))


def draw_loads(into):
    """Fig. 2.15: what the left feet bear in the tripod gait."""
    rows = rows_of("gait-tripod")
    curves = {leg: [(r["t"], r[f"contact.tibia_{leg}.foot:ground.normal"]) for r in rows] for leg in LEGS[:3]}
    draw_curves(into / "loads-tripod.svg", "normal force [N]", curves, (1.5, 6.0), (0, 45))  # impacts of landing are cut off


def draw_feet(into):
    """Fig. 3.18: places of the feet along the body while the gait changes from wave to tripod."""
    rows = rows_of("wave-tripod")
    curves = {}
    for leg in LEGS:
        ahead = [(r["t"], r[f"body.tibia_{leg}.p.x"] - r["body.segment2.p.x"]) for r in rows]
        middle = ahead[0][1]
        curves[leg] = [(t, 1e3 * (x - middle)) for t, x in ahead]
    draw_curves(into / "feet-wave-tripod.svg", "shank over the body, from its start [mm]", curves, (3.0, 12.0), (-65, 45), 520)


def main():
    arguments = sys.argv[1:]
    into = FOLDER
    if "--into" in arguments:
        at = arguments.index("--into")
        into = Path(arguments[at + 1])
        del arguments[at:at + 2]
    into = into.resolve()
    others = {"loads-tripod": draw_loads, "feet-wave-tripod": draw_feet}
    names = arguments or [*PHASES, *others]
    unknown = [name for name in names if name not in PHASES and name not in others]
    if unknown:
        sys.exit(f"error: draw_hexapod.py: {unknown[0]}: no such picture: use {', '.join([*PHASES, *others])}")
    into.mkdir(parents=True, exist_ok=True)
    for name in names:
        others[name](into) if name in others else draw_phases(name, into)


if __name__ == "__main__":
    main()
