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

# Phase diagrams: title and what is set in scenario hexapod/tripod.
PHASES = {
    "gait-wave": ("wave gait", ["gait=wave", "duration=9"]),
    "gait-gallop": ("gallop, 0.2 of a period in the air", ["gait=gallop", "duration=9"]),
    "gait-tripod": ("tripod gait", ["gait=tripod", "duration=6"]),
    "start-stop-wave": ("wave: start, walk, stop", ["gait=wave", "walk_until=12", "duration=16"]),
    "start-stop-gallop": ("gallop: start, walk, stop", ["gait=gallop", "walk_until=9", "duration=12"]),
    "start-stop-tripod": ("tripod: start, walk, stop", ["gait=tripod", "walk_until=4.5", "duration=7"]),
    "wave-gallop": ("from wave to gallop", ["gait=wave", "next_gait=gallop", "change_at=5", "duration=14"]),
    "gallop-wave": ("from gallop to wave", ["gait=gallop", "next_gait=wave", "change_at=4", "duration=14"]),
    "wave-tripod": ("from wave to tripod", ["gait=wave", "next_gait=tripod", "change_at=5", "duration=12"]),
    "tripod-wave": ("from tripod to wave", ["gait=tripod", "next_gait=wave", "change_at=4", "duration=12"]),
    "gallop-tripod": ("from gallop to tripod", ["gait=gallop", "next_gait=tripod", "change_at=4", "duration=12"]),
    "tripod-gallop": ("from tripod to gallop", ["gait=tripod", "next_gait=gallop", "change_at=4", "duration=12"]),
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


def run(sets, recording):
    flags = [flag for s in sets for flag in ("--set", s)]
    subprocess.run([PROGRAM, "run", ROOT / "scenarios/hexapod/tripod.toml", "--quiet", "--out", recording, *flags], check=True)


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
    title, sets = PHASES[name]
    with tempfile.TemporaryDirectory() as folder:
        recording = Path(folder) / "run.h5"
        run([SIGNALS, *sets], recording)
        subprocess.run([PROGRAM, "plot", recording, "--phases", "--title", title, "-o", into / f"{name}.svg"], check=True, stdout=subprocess.DEVNULL)


def draw_loads(into):
    """Fig. 2.15: what the left feet bear in the tripod gait."""
    with tempfile.TemporaryDirectory() as folder:
        recording = Path(folder) / "run.h5"
        run([SIGNALS, "duration=6"], recording)
        rows = table_of(recording, Path(folder))
    curves = {leg: [(r["t"], r[f"contact.tibia_{leg}.foot:ground.normal"]) for r in rows] for leg in LEGS[:3]}
    draw_curves(into / "loads-tripod.svg", "normal force [N]", curves, (1.5, 6.0), (0, 45))  # impacts of landing are cut off


def draw_feet(into):
    """Fig. 3.18: places of the feet along the body while the gait changes from wave to tripod."""
    with tempfile.TemporaryDirectory() as folder:
        recording = Path(folder) / "run.h5"
        run([SIGNALS, *PHASES["wave-tripod"][1]], recording)
        rows = table_of(recording, Path(folder))
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
