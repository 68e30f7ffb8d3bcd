#!/usr/bin/env python3
"""scripts/draw_solvers.py: makes docs/_static/prox-fixed.png, the snake paper's iteration beside the default solver.

Runs 3 s of sidewinding with each and draws iterations and residual of every step. SINEW: the program, if not ./sinew.
"""
import os
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SINEW = os.environ.get("SINEW", ROOT / "sinew")
TARGET = ROOT / "docs/_static/prox-fixed.png"

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


def table(folder, name, *sets):
    recording, csv = folder / f"{name}.h5", folder / f"{name}.csv"
    command = [SINEW, "run", "sidewinding", "--until", "3", "--quiet", "--out", recording, "--set", "eps_N=0",
               "--set", "output.every=0.002", "--set", 'output.signals=["solver.*"]']
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
        script = SCRIPT.format(target=TARGET, ours=table(folder, "ours"),
                               paper=table(folder, "paper", 'contact.solver="prox-fixed"'))
        subprocess.run(["gnuplot"], input=script, text=True, check=True)


if __name__ == "__main__":
    main()
