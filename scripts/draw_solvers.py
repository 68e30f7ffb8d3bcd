#!/usr/bin/env python3
"""scripts/draw_solvers.py: pictures of solvers at work. SINEW: the program, if not ./sinew.

docs/_static/prox-fixed.png  the snake paper's iteration beside the default solver: iterations and residual of every step of 3 s of sidewinding
docs/_static/engines.png     iterations a step of each engine, on the robots for which it is taken
"""
import os
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SINEW = os.environ.get("SINEW", ROOT / "sinew")
STATIC = ROOT / "docs/_static"

SCRIPT = """
set terminal pngcairo size 1140,690 font 'sans-serif,16' background '#ffffff'
set output '{target}'
set multiplot layout 2,1
set datafile separator ','
set logscale y
set format y '10^{{%T}}'
set key above horizontal samplen 1
set grid ytics lc rgb '#dddddd'
set xlabel 't [s]'
set ylabel 'iterations a step'
set yrange [1:3000]
plot '{paper}' using 1:2 with points pt 7 ps 0.3 lc rgb '#c8553d' notitle, \\
     '{ours}' using 1:2 with points pt 7 ps 0.3 lc rgb '#2a6f97' notitle, \
     NaN with points pt 7 ps 1.2 lc rgb '#c8553d' title 'prox-fixed, as in the paper', \
     NaN with points pt 7 ps 1.2 lc rgb '#2a6f97' title 'auto, the default'
set ylabel 'residual [m/s]'
set yrange [1e-17:1e-2]
plot '{paper}' using 1:3 with points pt 7 ps 0.3 lc rgb '#c8553d' notitle, \\
     '{ours}' using 1:3 with points pt 7 ps 0.3 lc rgb '#2a6f97' notitle, \\
     1e-8 with lines dt 2 lc rgb '#555555' title 'tolerance'
"""


# Engine, colour, scenario, simulated seconds, its step, what differs. An engine's picture has every step of a second or so.
ENGINES = [
    ("recursion: lateral undulation, 11 links, 22 contacts", "#2a6f97", "lateral-undulation", 1.5, ["step=0.001", "actuator=implicit"]),
    ("elimination of cut joints: the same in maximal coordinates", "#468faf", "lateral-undulation", 1.5,
     ["step=0.001", "actuator=implicit", "robot.coordinates=maximal"]),
    ("dense Newton: the same, asked for", "#c8553d", "lateral-undulation", 1.5, ["step=0.001", "actuator=implicit", "contact.solver=newton"]),
    ("sweeps, and sparse factors (beyond 2000): 343 spheres, 1e-4 m/s", "#6a994e", "contact/tray", 1.5,
     ["spheres=343", "columns=5", "rows=5", "contact.tolerance=1e-4"]),
]
ENGINE_HEAD = """
set terminal pngcairo size 1140,1150 font 'sans-serif,15' background '#ffffff'
set output '{target}'
set multiplot layout {count},1
set datafile separator ','
set logscale y
set format y '%g'
set grid ytics lc rgb '#dddddd'
set ylabel 'iterations'
set xrange [0:1.5]
set yrange [0.7:*]
unset key
"""


def table(folder, name, *sets):
    return recorded(folder, name, "sidewinding", 3, 0.002, ["eps_N=0", *sets])


def recorded(folder, name, scenario, until, every, sets):
    recording, csv = folder / f"{name}.h5", folder / f"{name}.csv"
    command = [SINEW, "run", scenario, "--until", str(until), "--quiet", "--out", recording,
               "--set", f"output.every={every}", "--set", 'output.signals=["solver.*"]']
    for one in sets:
        command += ["--set", one]
    # exit code 3: steps that were not solved, which is what the picture is about
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if done.returncode not in (0, 3):
        raise SystemExit(done.stderr)
    subprocess.run([SINEW, "export", recording, "--csv", csv], check=True)
    return csv


def main():
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        script = SCRIPT.format(target=STATIC / "prox-fixed.png", ours=table(folder, "ours"),
                               paper=table(folder, "paper", 'contact.solver="prox-fixed"'))
        subprocess.run(["gnuplot"], input=script, text=True, check=True)
        script = ENGINE_HEAD.format(target=STATIC / "engines.png", count=len(ENGINES))
        for i, (title, colour, scenario, until, sets) in enumerate(ENGINES):
            csv = recorded(folder, f"engine{i}", scenario, until, 0.004 if "tray" in scenario else 0.001, sets)
            script += (f"set title '{title}'\n" + ("set xlabel 't [s]'\n" if i == len(ENGINES) - 1 else "") +
                       f"plot '{csv}' using 1:2 with points pt 7 ps 0.4 lc rgb '{colour}'\n")
        subprocess.run(["gnuplot"], input=script, text=True, check=True)


if __name__ == "__main__":
    main()
