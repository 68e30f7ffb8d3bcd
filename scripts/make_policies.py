#!/usr/bin/env python3
"""Makes scenarios/basics/upright.npz, the network of scenario upright: four units of tanh that see angle and rate of a pendulum and hold it.

Their weights are such that, for small angles, torque = 2 N m (-6 q - 1.5 u); far from there the motor gives what it can, 2 N m.
Prints what the scenario must find, by steps of Runge and Kutta of its own. Needs numpy. Usage: make_policies.py [FILE]
"""

import sys
from pathlib import Path

import numpy as np

FILE = Path(__file__).resolve().parent.parent / "scenarios/basics/upright.npz"
W0 = np.array([[2.0, 0.5], [1.0, 0.2], [0.5, 0.3], [3.0, 0.0]])  # (outputs, inputs)
B0 = np.array([0.1, -0.1, 0.0, 0.0])
W1 = np.array([[-1.5, -1.0, -1.0, -0.5]])
B1 = -W1 @ np.tanh(B0)  # at rest upright it gives nothing


def network(q, u):
    return float(np.tanh(W1 @ np.tanh(W0 @ [q, u] + B0) + B1)[0])


def simulated(q, u, duration=3.0, period=0.01, parts=20):
    """Pendulum of 1 kg on 0.5 m, asked every period, by Runge and Kutta's method of fourth order."""
    def rate(y, torque):
        return np.array([y[1], (torque + 9.81 * 0.5 * np.sin(y[0])) / 0.25])
    y, h = np.array([q, u]), period / parts
    for _ in range(round(duration / period)):
        torque = 2.0 * network(*y)
        for _ in range(parts):
            k1 = rate(y, torque)
            k2 = rate(y + 0.5 * h * k1, torque)
            k3 = rate(y + 0.5 * h * k2, torque)
            y = y + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + rate(y + h * k3, torque))
    return y


def main():
    np.savez(sys.argv[1] if len(sys.argv) > 1 else FILE, W0=W0, b0=B0, W1=W1, b1=B1)
    for duration in (0.3, 3.0):
        print(f"{duration} s:", *map(repr, map(float, simulated(0.2, 0.0, duration))))


if __name__ == "__main__":
    main()
