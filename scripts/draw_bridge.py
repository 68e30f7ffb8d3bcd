#!/usr/bin/env python3
"""Draws docs/_static/bridge/timing.svg, the timing diagram of docs/bridge.md, from the images of a timed run: when sensors were sampled, when the
controller read the values, and when its references acted (Konyev 2011, Figs. 3.7 and 4.13).

The environment variable SINEW names the program (default: ./sinew). Usage: draw_bridge.py [--log LOG] [--into FOLDER]; --log: of a run of hexapod/tripod
with --timed that is there already, instead of one that is made now.
"""

import os
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = os.environ.get("SINEW", str(ROOT / "sinew"))
HEADER = struct.Struct("<IIQQQQII")  # magic, layout, session, tick, echo, time, status, crc
MEASURED, REFERENCES = 0x314D4E53, 0x31524E53
CYCLE, DELAY, SHOWN = 1e-3, 0.5e-3, 4  # [s], [s], cycles in the picture


def make_log(folder):
    log, name = folder / "run.log", f"sinew-draw-{os.getpid()}"
    scenario = str(ROOT / "scenarios/hexapod/tripod.toml")
    common = ["bridge", scenario, "--timed", "--shm", name, "--quiet"]
    controller = subprocess.Popen([PROGRAM, *common, "--as", "controller"])
    subprocess.run([PROGRAM, *common, "--until", "3", "--log", log], check=True)
    controller.wait()
    return log


def read_log(path):
    """[(sampled, read, acts)] of the samples of one cycle after the other, in seconds of the monotonic clock."""
    data = path.read_bytes()
    at = data.index(b"\n") + 1
    _, measured_bytes, references_bytes = struct.unpack_from("<III", data, at)
    at += 12
    sampled, read = {}, {}
    while at + HEADER.size <= len(data):
        magic, _, _, tick, echo, time, status, _ = HEADER.unpack_from(data, at)
        at += measured_bytes if magic == MEASURED else references_bytes
        if magic == MEASURED and status & 1:
            sampled[tick] = time * 1e-9
        elif magic == REFERENCES:
            read[echo] = time * 1e-9
    ticks = sorted(sampled)
    # A sample is taken DELAY after the cycle began in which references acted: those of the sample two before.
    return [(sampled[k], read[k], sampled[k + 2] - DELAY) for k in ticks if k in read and k + 2 in sampled]


def quiet_stretch(rows):
    """The first samples in a row that are a cycle apart, as on a machine with nothing else to do."""
    for i in range(10, len(rows) - SHOWN):
        part = rows[i:i + SHOWN]
        regular = all(abs(b[0] - a[0] - CYCLE) < 0.02 * CYCLE for a, b in zip(part, part[1:]))
        if regular and all(0.0 < c[2] - c[0] < 2 * CYCLE for c in part):
            return part
    sys.exit("error: draw_bridge.py: no stretch of the run was regular: try again on a quieter machine")


def svg(rows):
    zero = rows[0][0] - DELAY
    left, scale, lanes = 150, 130e3, {"robot": 60, "controller": 150}
    x = lambda t: left + scale * (t - zero)
    width = int(x(rows[-1][2]) + 60)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} 250" font-family="sans-serif" font-size="13">',
           f'<rect width="{width}" height="250" fill="#ffffff"/>',
           '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
           '<path d="M0,0 L8,4 L0,8 z" fill="#444"/></marker></defs>']
    for name, y in lanes.items():
        out.append(f'<text x="10" y="{y + 4}">{name}</text><line x1="{left - 20}" x2="{width - 10}" y1="{y}" y2="{y}" stroke="#888"/>')
    count = int((rows[-1][2] - zero) / CYCLE) + 2
    for n in range(count):
        t = zero + n * CYCLE
        out.append(f'<line x1="{x(t):.1f}" x2="{x(t):.1f}" y1="30" y2="190" stroke="#ccc" stroke-dasharray="4 3"/>'
                   f'<text x="{x(t):.1f}" y="22" text-anchor="middle" fill="#666">{n} T</text>')
    colours = ["#0072B2", "#D55E00", "#009E73", "#CC79A7"]
    for k, (sampled, read, acts) in enumerate(rows):
        colour, y = colours[k % 4], lanes
        sent = zero + (k + 1) * CYCLE
        out.append(f'<circle cx="{x(sampled):.1f}" cy="{y["robot"]}" r="5" fill="{colour}"/>'
                   f'<line x1="{x(sent):.1f}" y1="{y["robot"]}" x2="{x(read):.1f}" y2="{y["controller"] - 6}" stroke="{colour}" stroke-width="2" marker-end="url(#tip)"/>'
                   f'<rect x="{x(read) - 4:.1f}" y="{y["controller"] - 4}" width="8" height="8" fill="{colour}"/>'
                   f'<line x1="{x(read):.1f}" y1="{y["controller"]}" x2="{x(acts):.1f}" y2="{y["robot"] + 9}" stroke="{colour}" stroke-width="2" marker-end="url(#tip)"/>'
                   f'<path d="M{x(acts):.1f},{y["robot"] - 8} l6,8 l-6,8 l-6,-8 z" fill="{colour}"/>')
    sampled, read, acts = rows[0]
    for y, end, label in ((205, read, f"age when read {1e3 * (read - sampled):.2f} ms"), (228, acts, f"sample to actuation {1e3 * (acts - sampled):.2f} ms")):
        out.append(f'<line x1="{x(sampled):.1f}" x2="{x(end):.1f}" y1="{y}" y2="{y}" stroke="#444" marker-end="url(#tip)"/>'
                   f'<text x="{x(end) + 10:.1f}" y="{y + 4}">{label}</text>')
    right = width - 330
    out.append(f'<text x="{right}" y="245" fill="#666">circle: sampled; square: read; diamond: references act</text></svg>')
    return "\n".join(out) + "\n"


def main():
    options = sys.argv[1:]
    into = Path(options[options.index("--into") + 1]) if "--into" in options else ROOT / "docs/_static/bridge"
    into.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        log = Path(options[options.index("--log") + 1]) if "--log" in options else make_log(Path(folder))
        (into / "timing.svg").write_text(svg(quiet_stretch(read_log(log))))
    print(into / "timing.svg")


if __name__ == "__main__":
    main()
