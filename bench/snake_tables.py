"""Tables and goals of the snake robot: against other simulators, against its own converged path, and how its cost grows."""
import math
import re
import statistics

# times as fast as these, per step of 0.25 ms
FASTER = {"lateral": {"siconos": 9.0, "ode_quick": 3.0},
          "sidewinding": {"ode_quick": 2.0, "ode_step": 2.0, "mujoco_pyramidal": 2.0}}
OFF_GOAL = {"lateral": 5.0}  # of link 6 at 10 s, steps of 0.25 ms [mm]
SERVO_OFF = 10.0  # what a large step with implicit servos may be off [mm]
SERVO_GOAL = {"lateral": 300.0, "sidewinding": 120.0}  # times real time with the largest step within that
GROWTH_GOAL = 1.1  # exponent of a step's cost over the number of links
# Ways to go other than the usual one: what is measured, the length that has a goal, that goal [us/step].
WAYS = {
    "implicit": ("lateral undulation, implicit servos, steps of 1 ms, first second", max, 2000.0),
    "maximal": ("snake in maximal coordinates, straight, first 0.1 s", min, 250.0),  # real time
}
GROWTH_PEERS = ("simbody", "ode_quick")  # to be faster than with most links
FINE, LESS_FINE = 64, 32  # steps per ms of the path that counts as converged, and of the one that shows it
DURATION = 10.0  # [s]


def place(row):
    return [row[axis] for axis in "xyz"]


def off_mm(row, path):
    return 1e3 * math.dist(place(row), place(path)) if row and path else math.nan


def print_gait(gait, times, rows, goals):
    found = sorted((name for name in times if name.startswith(f"snake/{gait}/")),
                   key=lambda name: (not name.endswith("/sinew"), times[name][0]))
    if not found:
        return
    path = rows.get(f"snake_path/{gait}/{FINE}")
    ours = times.get(f"snake/{gait}/sinew", (math.nan,))[0]
    print(f"{'snake, ' + gait + ', 11 links, steps of 0.25 ms':48}{'us/step':>9}{'real time':>11}{'peer/sinew':>12}{'goal':>6}{'':>8}"
          f"{'link 6 at 10 s [m]':>20}{'from path [mm]':>16}{'not solved':>12}")
    for name in found:
        who, t, row = name.split("/")[2], times[name][0], rows[name]
        ratio, goal = t / ours, FASTER[gait].get(who)
        line = f"  {who:46}{t / 1e3:9.2f}{DURATION / row['steps'] / (t * 1e-9):10.1f}x"
        line += " " * 12 if who == "sinew" or math.isnan(ratio) else f"{ratio:11.2f}x"
        line += f"{goal:6.0f} {goals.mark(ratio >= goal):7}" if goal and not math.isnan(ratio) else " " * 14
        off, unsolved = off_mm(row, path), row.get("unsolved", row.get("uncertified", 0))
        line += f"{row['x']:11.4f}{row['y']:9.4f}" + (" " * 16 if math.isnan(off) else f"{off:16.1f}")
        print(line + (f"{int(unsolved):12}" if unsolved else ""))
    ours = off_mm(rows.get(f"snake/{gait}/sinew"), path)
    if gait in OFF_GOAL and not math.isnan(ours):
        print(f"  sinew is {ours:.2f} mm off the path of {FINE} steps per ms; goal at most {OFF_GOAL[gait]:.0f}: "
              f"{goals.mark(ours <= OFF_GOAL[gait])}")
    between = off_mm(rows.get(f"snake_path/{gait}/{LESS_FINE}"), path)
    if not math.isnan(between):
        x, y, z = place(path)
        print(f"  that path ends at {x:.4f} {y:.4f} {z:.4f}, and {between:.2f} mm from there with {LESS_FINE} steps per ms")
    print()


def print_servos(gait, times, rows, goals):
    found = sorted((int(m[1]), name) for name in times if (m := re.fullmatch(rf"snake_servo/{gait}/(\d+)", name)))
    path = rows.get(f"snake_path/{gait}/{FINE}")
    if not found or not path:
        return
    print(f"{'snake, ' + gait + ', implicit servos: step [ms]':48}{'us/step':>9}{'real time':>11}{'from path [mm]':>16}{'iterations':>12}{'uncertified':>13}")
    best, good = None, True
    for us, name in found:
        row, t = rows[name], times[name][0]
        speed, off, uncertified = DURATION / row["steps"] / (t * 1e-9), off_mm(row, path), int(row["uncertified"])
        print(f"  {us / 1e3:<46g}{t / 1e3:9.2f}{speed:10.0f}x{off:16.1f}{row['solver_iterations'] / row['steps']:12.1f}{uncertified:13}")
        good = good and off <= SERVO_OFF and uncertified == 0  # one that is near by chance, beyond one that is not, does not count
        if good:
            best = us, speed
    goal = SERVO_GOAL[gait]
    if best:
        print(f"  largest step within {SERVO_OFF:.0f} mm, as all smaller ones are: {best[0] / 1e3:g} ms, {best[1]:.0f}x real time; goal {goal:.0f}: "
              f"{goals.mark(best[1] >= goal)}\n")
    else:
        print(f"  not even the smallest is certified and within {SERVO_OFF:.0f} mm; goal {goal:.0f}x real time: {goals.mark(False)}\n")


def print_growth(times, rows, goals):
    points, cut = {}, {}  # {who: {links: time}}, those of them that did not come to the end
    for name in sorted(times, key=lambda name: (not name.startswith("snake_growth/sinew/"), name)):
        if (m := re.fullmatch(r"snake_growth/(\w+)/(\d+)", name)) and m[1] not in ("implicit", "maximal"):
            points.setdefault(m[1], {})[int(m[2])] = times[name][0]
            if rows[name]["steps"] < rows[name]["wanted"]:
                cut.setdefault(m[1], set()).add(int(m[2]))
    if not points:
        return
    links = sorted({n for at in points.values() for n in at})
    print(f"{'snake, straight, first 0.1 s [us/step]: links':48}" + "".join(f"{n:>10}" for n in links) + f"{'exponent':>10}")
    for who, at in points.items():
        line = f"  {who:46}"
        for n in links:
            line += f"{('>' if n in cut.get(who, ()) else '') + format(at[n] / 1e3, '.1f') if n in at else '':>10}"
        exponent = math.nan
        if len(at) > 1:
            exponent = statistics.linear_regression([math.log(n) for n in at], [math.log(t) for t in at.values()]).slope
        line += f"{exponent:10.2f}"
        if who == "sinew":
            line += f"  goal at most {GROWTH_GOAL}: {goals.mark(exponent <= GROWTH_GOAL and who not in cut)}"
        print(line)
    if cut:
        print("  >: took longer than the benchmark waits; the mean of the steps before that")
    most = links[-1]
    for who in GROWTH_PEERS:
        if most in points.get("sinew", {}) and most in points.get(who, {}):
            ratio = points[who][most] / points["sinew"][most]
            print(f"  {most} links: {ratio:.2f}x as fast as {who}; goal faster: {goals.mark(ratio > 1.0)}")
    print()


def print_growth_of(way, times, rows, goals):
    """One of WAYS: all lengths in full, the exponent and the goal of one length."""
    title, of, goal = WAYS[way]
    at = {int(m[1]): t[0] / 1e3 for name, t in times.items() if (m := re.fullmatch(rf"snake_growth/{way}/(\d+)", name))}
    if len(at) < 2:
        return
    exponent = statistics.linear_regression([math.log(n) for n in at], [math.log(t) for t in at.values()]).slope
    measured = [rows[f"snake_growth/{way}/{n}"] for n in at]
    whole, links = all(row["steps"] == row["wanted"] for row in measured), of(at)
    print(f"{title} [us/step]: " + ", ".join(f"{n} links {at[n]:.0f}" for n in sorted(at)))
    print(f"  exponent {exponent:.2f}; goal at most {GROWTH_GOAL}: {goals.mark(exponent <= GROWTH_GOAL and whole)}; "
          f"{links} links: goal at most {goal:.0f}: {goals.mark(at[links] <= goal and whole)}\n")


def print_snake(times, rows, goals):
    for gait in FASTER:
        print_gait(gait, times, rows, goals)
    for gait in FASTER:
        print_servos(gait, times, rows, goals)
    print_growth(times, rows, goals)
    for way in WAYS:
        print_growth_of(way, times, rows, goals)
