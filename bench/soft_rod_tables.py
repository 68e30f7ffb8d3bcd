"""Goals of the soft cantilever, beside MuJoCo's rigid links."""

import math

SECONDS = {"soft_rod/P5": 0.008, "soft_rod/P5_stiff": 0.02}  # processor time of a simulated second
GROWTH = 1.1  # exponent of the cost of a residual over the cells


def print_soft_rods(times, rows, goals):
    for name, most in SECONDS.items():
        if name not in times:
            continue
        took = times[name][0] / 1e9
        print(f"{name}: {took * 1e3:.2f} ms for a second, tip {100 * rows[name]['off']:.2f} % off, goal at most "
              f"{most * 1e3:.0f} ms: {goals.mark(took <= most)}")
    ours = times.get("soft_rod/P5")
    for name in sorted(n for n in times if n.startswith("soft_rod/P5/mujoco/")):
        links, step = name.split("/")[3:5]
        took = times[name][0]
        print(f"  MuJoCo, {links} rigid links, steps of {int(step) / 1000} ms: {took / 1e6:.1f} ms, "
              + (f"{took / ours[0]:.1f} times as long, " if ours else "")
              + f"tip {100 * rows[name]['off']:.2f} % from a rod that bends only (stretch and shear: {100 * rows[name]['shear']:.2f} %)")
    cells = {int(n.split("/")[2]): t[0] for n, t in times.items() if n.startswith("soft_rod/residual/")}
    if len(cells) > 1:
        few, many = min(cells), max(cells)
        power = math.log(cells[many] / cells[few]) / math.log(many / few)
        print(f"  residual from {few} to {many} cells: power {power:.2f}, goal at most {GROWTH}: "
              f"{goals.mark(power <= GROWTH)}\n")
