"""What Python costs: ./sinew python bench/python.py [--quick]

Ratios of one run: pieces of work take turns, and the least of several rounds counts. Processor time, so that a machine with other work tells the
same, but for the last row, which needs two free cores.
Goals: import in 0.3 s; step(1) at most 1 us more than in C++; a batch from Python at least 0.95 of the C++ loop; a snake in a batch, on one core, at least
2.5 times as fast as alone; two threads at least 1.9 times as fast as one.
"""

import subprocess
import sys
import time

import sinew

QUICK = "--quick" in sys.argv[1:]
ROUNDS = 2 if QUICK else 4


def seconds(work, clock=time.process_time):
    start = clock()
    work()
    return clock() - start


def least(*works):
    """Least seconds of each of several pieces of work that take turns."""
    rounds = [[work() for work in works] for _ in range(ROUNDS)]
    return [min(column) for column in zip(*rounds)]


def step_cost(calls):
    """[us] of a call of step(1), in Python and in C++."""
    world = sinew.World("pendulum")

    def in_python():
        step = world.step
        for _ in range(calls):
            step(1)

    python, cpp = least(lambda: seconds(in_python), lambda: seconds(lambda: world.time_loop(calls)))
    return python / calls * 1e6, cpp / calls * 1e6


def batch_costs(n, steps):
    """Seconds of n snakes: a batch from Python and in C++ by one thread, robots one by one, and on the clock by one and two threads.

    All begin at the start in every round: what a step costs changes along the way.
    """
    name = "snake/lateral-undulation"
    one, two = sinew.Batch(name, n, threads=1), sinew.Batch(name, n, threads=2)
    alone = [sinew.World(name) for _ in range(max(1, n // 64))]

    def again(robots, work, clock=time.process_time):
        for robot in robots:
            robot.reset()
        return seconds(work, clock)

    def by_calls(batch):
        for _ in range(steps):
            batch.step(1)

    return least(
        lambda: again([one], lambda: by_calls(one)), lambda: again([one], lambda: one.time_loop(steps, 1)),
        lambda: again(alone, lambda: [w.step(steps) for w in alone]) * n / len(alone),
        lambda: again([one], lambda: one.step(steps), time.perf_counter),
        lambda: again([two], lambda: two.step(steps), time.perf_counter))


def import_cost():
    """Least seconds of the processor in which a fresh Python imports sinew, and numpy with it."""
    code = "import time; start = time.process_time(); import sinew; print(time.process_time() - start)"
    return min(float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout)
               for _ in range(ROUNDS))


def main():
    python, cpp = step_cost(2000 if QUICK else 20000)
    n, steps = (64, 4) if QUICK else (4096, 20)
    from_python, in_cpp, single, one_thread, two_threads = batch_costs(n, steps)
    rows = (("import sinew", import_cost(), "s", "<=", 0.3),
            ("step(1) in Python over C++", python - cpp, "us", "<=", 1.0),
            (f"batch of {n}: C++ loop over Python's time", in_cpp / from_python, "", ">=", 0.95),
            ("a snake in a batch over one alone, per core", single / from_python, "times", ">=", 2.5),
            ("two threads over one", one_thread / two_threads, "times", ">=", 1.9))
    for name, value, unit, sign, goal in rows:
        met = value <= goal if sign == "<=" else value >= goal
        print(f"{name:<46} {value:8.3f} {unit:<6} goal {sign} {goal}{'' if met else '  MISSED'}")


if __name__ == "__main__":
    main()
