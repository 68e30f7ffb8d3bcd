#!/usr/bin/env python3
"""Draws the pictures of docs/hexapod-figures.md into docs/_static/hexapod/: Konyev 2011, figures 2.15, 3.12, 3.14 to 3.18, 3.22, 3.24 to 3.31, from our own runs.

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

PLACES = """
set terminal svg size 480,640 font 'sans-serif,13' background '#ffffff'
set output '{target}'
set key below vertical
set grid lc rgb '#dddddd'
set size ratio -1
set xlabel 'to the right [m]'
set ylabel 'forward [m]'
set xrange [-0.32:0.32]
set yrange [-0.45:0.45]
set parametric
$rectangle << EOD
{rectangle}
EOD
$ellipse << EOD
{ellipse}
EOD
plot $rectangle using 1:2 with linespoints pt 7 lw 1.6 lc rgb '#0072B2' title 'rectangle', \\
  [0:2*pi] 0.235*cos(t), 0.3855*sin(t) with lines dt 2 lc rgb '#D55E00' title 'ellipse of 0.235 and 0.3855 m', \\
  $ellipse using 1:2 with points pt 7 lc rgb '#D55E00' title 'feet on it', \\
  $rectangle using 1:2:3 with labels offset 1.5,0.8 notitle
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


def table_of_scenario(name, signals, sets=()):
    """Rows of a built-in scenario of the hexapod."""
    with tempfile.TemporaryDirectory() as folder:
        listed = ", ".join(f'"{signal}"' for signal in signals)
        flags = [flag for s in (f"output.signals=[{listed}]", *sets) for flag in ("--set", s)]
        subprocess.run([PROGRAM, "run", f"hexapod/{name}", "--quiet", "--out", "run.h5", *flags], check=True, cwd=folder)
        return table_of(Path(folder) / "run.h5", Path(folder))


def curve(rows, signal, scale=1.0):
    return [(r["t"], scale * r[signal]) for r in rows]


def draw_plate(into):
    """Fig. 3.22: feet that meet a plate, and how level the body stays."""
    rows = table_of_scenario("plate", ["walk.*.up", "body.segment2.rpy"])
    feet = {leg: curve(rows, f"walk.{leg}.up", 1e3) for leg in ("L1", "L2", "L3", "R1")}
    draw_curves(into / "plate-feet.svg", "foot over nominal ground [mm]", feet, (5.0, 14.0), (-12, 60))
    tilt = {"roll": curve(rows, "body.segment2.rpy.x", 1e3), "pitch": curve(rows, "body.segment2.rpy.y", 1e3)}
    draw_curves(into / "plate-tilt.svg", "of the body [mrad]", tilt, (2.0, 18.0), (-40, 40), 300)


def draw_places(into):
    """Fig. 3.24: where feet stand at the start, from above, on a rectangle and on an ellipse."""
    data = []
    for kind in ("rectangle", "ellipse"):
        last = table_of_scenario("tripod", ["body.tibia_*.contact.point.*"], ["duration=0.05", "output.every=0.05", f"robot.feet_on={kind}"])[-1]
        order = ["L1", "L2", "L3", "R3", "R2", "R1", "L1"]
        feet = [[last[f"body.tibia_{leg}.contact.point.{axis}"] for axis in "xy"] for leg in order]
        data.append("\n".join(f"{-y:.4f} {x:.4f} {leg}" for (x, y), leg in zip(feet, order)))
    script = PLACES.format(target=into / "places.svg", rectangle=data[0], ellipse=data[1])
    subprocess.run(["gnuplot"], input=script, text=True, check=True)


def draw_margins(into):
    """Figs. 3.25, 3.26: shift and static margin of the gallop."""
    rows = table_of_scenario("gallop", ["walk.shift", "com.margin"])
    curves = {"static margin": curve(rows, "com.margin", 1e3), "shift of the body": curve(rows, "walk.shift.x", 1e3)}
    draw_curves(into / "gallop-margin.svg", "[mm]", curves, (6.0, 16.0), (-60, 120))


def draw_forces(into, name, span):
    """Figs. 3.27 to 3.29: what a foot should carry, and what its sensor says."""
    rows = table_of_scenario(name, ["walk.*.force_wanted", "walk.*.force_felt"])
    curves = {}
    for leg in LEGS[:3]:
        curves[f"{leg} wanted"] = curve(rows, f"walk.{leg}.force_wanted")
        curves[f"{leg} measured"] = curve(rows, f"walk.{leg}.force_felt")
    draw_curves(into / f"forces-{name}.svg", "vertical force [N]", curves, span, (-2, 45), 460)


def draw_hump(into):
    """Fig. 3.30: reference of the front hinge on the way over the hump, by what it sees, is told, and feels."""
    signals = ["walk.bend", "body.segment*.p.z"]
    told = ("looks=false", "hump_top=0.8", "hump_radius=0.5", "hump_height=0.03")
    rows = table_of_scenario("hump", signals, ["output.every=0.1"])
    degrees = 180.0 / 3.141592653589793
    bends = {"seen": rows}
    bends["told"] = table_of_scenario("hump", signals, ["output.every=0.1", *told])
    bends["by feet"] = table_of_scenario("hump", signals, ["output.every=0.1", "looks=false", "slope_rate=0.4"])
    curves = {name: curve(table, "walk.bend", degrees) for name, table in bends.items()}
    curves["eq. (3.10)"] = [(0.0, -17.922), (34.0, -17.922)]
    draw_curves(into / "hump-bend.svg", "front hinge, far end up [deg]", curves, (0.0, 34.0), (-20, 20), 300)
    z = {f"segment {k}": curve(rows, f"body.segment{k}.p.z", 1e3) for k in (1, 2, 3)}
    draw_curves(into / "hump-height.svg", "height of the segments [mm]", z, (0.0, 34.0), (110, 200), 300)


def draw_ledge(into):
    """Fig. 3.31: phases, heights and margin on the way up."""
    rows = table_of_scenario("ledge", ["walk.ledge.phase", "com.margin", "body.segment*.p.z"], ["output.every=0.1"])
    z = {f"segment {k}": curve(rows, f"body.segment{k}.p.z", 1e3) for k in (1, 2, 3)}
    z["static margin"] = curve(rows, "com.margin", 1e3)
    z["50 x phase"] = curve(rows, "walk.ledge.phase", 50.0)
    draw_curves(into / "ledge.svg", "[mm]", z, (0.0, 115.0), (0, 520), 460)


def draw_wave_forces(into):
    draw_forces(into, "wave", (8.0, 14.5))


def draw_gallop_forces(into):
    draw_forces(into, "gallop", (8.0, 14.0))


def draw_tripod_forces(into):
    draw_forces(into, "tripod", (3.0, 6.0))


# What draws which pictures.
PICTURES = {
    draw_loads: ["loads-tripod"],
    draw_feet: ["feet-wave-tripod"],
    draw_places: ["places"],
    draw_plate: ["plate-feet", "plate-tilt"],
    draw_margins: ["gallop-margin"],
    draw_wave_forces: ["forces-wave"],
    draw_gallop_forces: ["forces-gallop"],
    draw_tripod_forces: ["forces-tripod"],
    draw_hump: ["hump-bend", "hump-height"],
    draw_ledge: ["ledge"],
}


def main():
    arguments = sys.argv[1:]
    into = FOLDER
    if "--into" in arguments:
        at = arguments.index("--into")
        into = Path(arguments[at + 1])
        del arguments[at:at + 2]
    into = into.resolve()
    others = {name: draw for draw, drawn in PICTURES.items() for name in drawn}
    names = arguments or [*PHASES, *others]
    unknown = [name for name in names if name not in PHASES and name not in others]
    if unknown:
        sys.exit(f"error: draw_hexapod.py: {unknown[0]}: no such picture: use {', '.join([*PHASES, *others])}")
    into.mkdir(parents=True, exist_ok=True)
    for draw in dict.fromkeys(others[name] for name in names if name in others):
        draw(into)
    for name in names:
        if name in PHASES:
            draw_phases(name, into)


if __name__ == "__main__":
    main()
