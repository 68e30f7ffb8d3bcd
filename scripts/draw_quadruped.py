#!/usr/bin/env python3
"""Draws the pictures of docs/quadruped.md into docs/_static/quadruped/.

tails: yaw of the robot and torque of the tail for one swing of each kind of tail, in the air. yaw, pitch, torques, feedback: figures
6 to 9 of Liu and Ben-Tzvi 2018. The environment variable SINEW names the program (default: ./sinew).
Usage: draw_quadruped.py [PICTURE ...] [--numbers]; without names, all. --numbers prints those of the tails and draws nothing.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "docs/_static/quadruped"
PROGRAM = os.environ.get("SINEW", str(ROOT / "sinew"))

BARS = ["tail=shared", "half_root=true"]
TENDON = ["driven=false", "tension=139.6", "method=euler", "step=2e-4", "duration=4"]
OFFSET = 0.018  # of the tendon from the rod's axis [m]
TAILS = [  # label, scenario, what is set
    ("pendulum", "quadruped/tails", []),
    ("1 bar", "quadruped/tails", ["tail=shared", "half_root=false", "N=1"]),
    ("2 bars", "quadruped/tails", BARS + ["N=2"]),
    ("3 bars", "quadruped/tails", BARS + ["N=3"]),
    ("6 bars", "quadruped/tails", BARS + ["N=6"]),
    ("12 bars", "quadruped/tails", BARS + ["N=12"]),
    ("arc", "quadruped/tails", ["tail=arc"]),
    ("rod", "tail-rod-swing", []),
    ("rod, tendon", "tail-rod-swing", TENDON),
]

FIGURES = {  # scenario, what is set, signals
    "yaw": ("yaw-manoeuvre", [], "body.plate.p,body.plate.rpy,joint.tail.q,joint.foot?.force.z"),
    "pitch": ("pitch-feedforward", ["bench=run", "start_on_motion=true", "duration=0.3", "step=1e-4",
               "output.every=0.002"],
              "body.plate.rpy,joint.tail.q"),
    "torques": ("pitch-feedforward", ["bench=run", "start_on_motion=true", "duration=0.3", "step=1e-4",
               "output.every=0.002"],
                "joint.hip1.torque.0,joint.hip2.torque.0,joint.knee?.torque,joint.tail.torque,joint.foot?.force.z"),
    "feedback": ("pitch-feedback", [], "motion.feedback,motion.error.phi_x,motion.error.tb"),
}

CHART = """
set terminal svg size 760,520 font 'sans-serif,14' background '#ffffff'
set output '{target}'
set multiplot layout 2,1
set style fill solid 0.9
set boxwidth 0.6
set grid ytics lc rgb '#dddddd'
set xtics nomirror scale 0
set lmargin 10
set ylabel 'yaw of the body [rad]'
set yrange [0:0.28]
$data << EOD
{rows}
EOD
plot $data using 0:2:xtic(1) with boxes lc rgb '#2a6f97' notitle, $data using 0:2:(sprintf('%.3f', $2)) with labels offset 0,0.7 notitle
set ylabel 'largest torque [N m]'
set logscale y
set yrange [1:100]
plot $data using 0:3:xtic(1) with boxes lc rgb '#c8553d' notitle, $data using 0:3:(sprintf('%.3g', $3)) with labels offset 0,0.7 notitle
"""


def run(scenario, sets, *options):
    command = [PROGRAM, "run", scenario, *options]
    for one in sets:
        command += ["--set", one]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def tails():
    """Label, yaw [rad], torque [N m] of each tail."""
    rows = []
    for label, scenario, sets in TAILS:
        result = json.loads(run(scenario, sets, "--json", "--no-record"))["result"]
        torque = result["tension"] * OFFSET if sets is TENDON else result["swing_torque"]
        rows.append((label, abs(result["swing_yaw"]), torque))
    return rows


def draw_tails():
    rows = "\n".join(f'"{label}" {yaw} {torque}' for label, yaw, torque in tails())
    script = CHART.format(target=FOLDER / "tails.svg", rows=rows)
    subprocess.run(["gnuplot"], input=script, text=True, check=True)


def draw_figure(name):
    scenario, sets, signals = FIGURES[name]
    with tempfile.TemporaryDirectory() as folder:
        recording = Path(folder) / "run.h5"
        run(scenario, sets, "--quiet", "--out", str(recording))
        subprocess.run([PROGRAM, "plot", recording, "--signals", signals, "-o", FOLDER / f"{name}.svg"],
                       check=True, stdout=subprocess.DEVNULL)


def main():
    names = [a for a in sys.argv[1:] if a != "--numbers"] or ["tails", *FIGURES]
    unknown = [name for name in names if name != "tails" and name not in FIGURES]
    if unknown:
        sys.exit(f"error: draw_quadruped.py: {unknown[0]}: no such picture: use tails, {', '.join(FIGURES)}")
    if "--numbers" in sys.argv:
        print(json.dumps(tails()))
        return
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in names:
        draw_tails() if name == "tails" else draw_figure(name)


if __name__ == "__main__":
    main()
