#!/usr/bin/env python3
"""Draws the pictures of docs/biped-figures.md into docs/_static/biped/: Konyev 2011, figures 4.10, 4.15 to 4.22, 4.24, and the energy of walking, from our own runs.

The Bode plot is made by `sinew plot --bode`, the others from exported tables by gnuplot. The environment variable SINEW names the program (default: ./sinew).
Usage: draw_biped.py [PICTURE ...] [--into FOLDER]; without names, all. Figure 4.13 is drawn by draw_bridge.py, pushes.svg by `sinew plot --polar`.
"""

import json
import math
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from draw_hexapod import COLOURS, PROGRAM, ROOT, curve, draw_curves, table_of  # noqa: E402

FOLDER = ROOT / "docs/_static/biped"
REAL = ["devices=real", "hip_height=0.775", "thermal_current=7"]
TURN = 2.0 * math.pi

# Energy of walking: series -> keys. Shares of the torques of a leg in the air that are taken away.
WAYS = {"stiff drives": [], "springs at the knees": ["elastic=true", 'elastic_joints=["knee"]']}
SHARES = (0.0, 0.25, 0.5)


def rows_of(name, signals, sets=()):
    """Rows of a built-in scenario."""
    with tempfile.TemporaryDirectory() as folder:
        listed = ", ".join(f'"{signal}"' for signal in signals)
        flags = [flag for s in (f"output.signals=[{listed}]", *sets) for flag in ("--set", s)]
        subprocess.run([PROGRAM, "run", name, "--quiet", "--out", "run.h5", *flags], check=True, cwd=folder)
        return table_of(Path(folder) / "run.h5", Path(folder))


def draw_force_sensor(into):
    """Fig. 4.10: bridges, moments and forces of the left foot's sensor while the robot takes two static steps."""
    rows = rows_of("biped/walk-static", ["sensor.force_L.*"], [*REAL, "steps=2", "duration=14"])
    part = "sensor.force_L."
    span = (0.0, 14.0)
    draw_curves(into / "sensor-bridges.svg", "bridges [1]", {f"bridge {i}": curve(rows, f"{part}bridge.{i}") for i in range(8)}, span, (-1.0, 1.0), 320)
    draw_curves(into / "sensor-moments.svg", "moment [N m]", {m: curve(rows, part + m) for m in ("mx", "my", "mz")}, span, (-12, 12), 300)
    draw_curves(into / "sensor-forces.svg", "force [N]", {f: curve(rows, part + f) for f in ("fx", "fy", "fz")}, span, (-60, 260), 300)


def draw_current(into):
    """Fig. 4.15: what the current loop does with a step, the rotor held."""
    rows = rows_of("drive/current-step", ["drive.motor.current"])
    draw_curves(into / "current-step.svg", "current [A]", {"i_Q": curve(rows, "drive.motor.current")}, (0.0, 0.002), (-0.2, 4.2), 300)


def draw_position(into):
    """Figs. 4.16 to 4.18: loops of position and velocity, the shaper, and the step over 20 turns."""
    drive = "drive.motor."
    rows = rows_of("drive/position-step", ["joint.shaft.q", "joint.shaft.u", f"{drive}position_wanted", f"{drive}velocity_wanted", f"{drive}current"])
    span, rpm = (0.0, 0.3), 60.0 / TURN
    loops = {"wanted": curve(rows, f"{drive}velocity_wanted", rpm), "measured": curve(rows, "joint.shaft.u", rpm)}
    draw_curves(into / "velocity-loop.svg", "speed [rpm]", loops, span, (-2000, 14500), 300)
    shaped = {"position": curve(rows, f"{drive}position_wanted", 1.0 / TURN)}
    draw_curves(into / "shaper.svg", "set-point [turns]", shaped, span, (-11, 11), 300)
    step = {
        "position wanted [turns]": curve(rows, f"{drive}position_wanted", 1.0 / TURN),
        "position [turns]": curve(rows, "joint.shaft.q", 1.0 / TURN),
        "speed [1000 rpm]": curve(rows, "joint.shaft.u", 1e-3 * rpm),
        "current [A]": curve(rows, f"{drive}current"),
    }
    draw_curves(into / "position-step.svg", "", step, span, (-11, 14.5), 420)


def draw_force_loop(into):
    """Fig. 4.19: what the force loop does to a sweep."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([PROGRAM, "run", "force-bode", "--quiet", "--out", "force.h5"], check=True, cwd=folder)
        bode = ["--bode", "drive.screw.sweep,drive.screw.spring", "--title", "force loop of the elastic drive"]
        subprocess.run([PROGRAM, "plot", "force.h5", *bode, "-o", into / "force-loop.svg"], check=True, cwd=folder, stdout=subprocess.DEVNULL)


def draw_force_step(into):
    """Fig. 4.21."""
    rows = rows_of("drive/force-step", ["drive.screw.spring"])
    draw_curves(into / "force-step.svg", "force [N]", {"force": curve(rows, "drive.screw.spring")}, (0.0, 0.05), (0, 115), 300)


def draw_obstacle(into):
    """Figs. 4.20, 4.22: a load is stopped by a wall, with a stiff and a soft position loop."""
    for name, sets in (("obstacle-stiff", []), ("obstacle-soft", ["drive.screw.kp=2000", "drive.screw.kd=110"])):
        rows = rows_of("drive/obstacle", ["joint.slide.q", "drive.screw.position_wanted", "contact.*.normal"], sets)
        curves = {
            "wanted [mm]": curve(rows, "drive.screw.position_wanted", 1e3),
            "position [mm]": curve(rows, "joint.slide.q", 1e3),
            "contact [N]": curve(rows, "contact.load.front:obstacle.wall.normal"),
        }
        draw_curves(into / f"{name}.svg", "", curves, (0.0, 0.5), (-10, 250), 360)


def draw_com(into):
    """Fig. 4.24: mass centre and zero-moment point, as planned, as the robot thinks, and as they are."""
    rows = rows_of("biped/walk-static", ["walk.*", "com.p", "zmp.p"], [*REAL, "steps=4", "duration=27"])
    curves = {
        "mass centre, by sensors": curve(rows, "walk.com.y", 1e3),
        "mass centre": curve(rows, "com.p.y", 1e3),
        "zero-moment point, plan": curve(rows, "walk.zmp_planned.y", 1e3),
        "zero-moment point, by sensors": curve(rows, "walk.zmp.y", 1e3),
    }
    draw_curves(into / "com.svg", "to the left [mm]", curves, (0.0, 27.0), (-110, 110))


def energy_of(sets):
    """Electrical energy for a metre of dynamic walking [J/m]; nothing, if it falls."""
    with tempfile.TemporaryDirectory() as folder:
        wanted = ["steps=8", "duration=8", 'output.result.electrical="energy.work_electrical"', *sets]
        flags = [flag for s in wanted for flag in ("--set", s)]
        done = subprocess.run([PROGRAM, "run", "biped/walk-real", "--seed", "1", "--json", "--quiet", *flags], check=True, cwd=folder, capture_output=True, text=True)
        result = json.loads(done.stdout)["result"]
        return None if result["fallen"] else result["electrical"] / result["distance"]


def draw_energy(into):
    """What legs that swing by their own momentum save, with stiff and with elastic drives."""
    curves = {way: [(share, energy_of([*sets, f"ballistic={share}"])) for share in SHARES] for way, sets in WAYS.items()}
    script = f"""set terminal svg size 820,360 font 'sans-serif,13' background '#ffffff'
set output '{into / "energy.svg"}'
set key outside right
set grid lc rgb '#dddddd'
set xlabel 'share of the torques of hip pitch and knee taken away in the middle of a swing'
set ylabel 'electrical energy [J/m]'
set yrange [0:*]
"""
    for i, points in enumerate(curves.values()):
        script += "$d%d << EOD\n%s\nEOD\n" % (i, "\n".join(f"{x} {y:.6g}" for x, y in points if y is not None))
    script += "plot " + ", ".join(f"$d{i} using 1:2 with linespoints lw 1.6 pt 7 ps 0.6 lc rgb '{COLOURS[i]}' title '{way}'" for i, way in enumerate(curves))
    subprocess.run(["gnuplot"], input=script, text=True, check=True)


# What draws which pictures.
PICTURES = {
    draw_force_sensor: ["sensor-bridges", "sensor-moments", "sensor-forces"],
    draw_current: ["current-step"],
    draw_position: ["velocity-loop", "shaper", "position-step"],
    draw_force_loop: ["force-loop"],
    draw_force_step: ["force-step"],
    draw_obstacle: ["obstacle-stiff", "obstacle-soft"],
    draw_com: ["com"],
    draw_energy: ["energy"],
}


def main():
    arguments = sys.argv[1:]
    into = FOLDER
    if "--into" in arguments:
        at = arguments.index("--into")
        into = Path(arguments[at + 1])
        del arguments[at:at + 2]
    into = into.resolve()
    known = {name: draw for draw, drawn in PICTURES.items() for name in drawn}
    unknown = [name for name in arguments if name not in known]
    if unknown:
        sys.exit(f"error: draw_biped.py: {unknown[0]}: no such picture: use {', '.join(known)}")
    into.mkdir(parents=True, exist_ok=True)
    for draw in dict.fromkeys(known[name] for name in arguments or known):
        draw(into)


if __name__ == "__main__":
    main()
