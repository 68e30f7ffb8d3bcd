"""A controller in 40 lines of Python: swings the pendulum up to the top and holds it there, over UDP.
  sinew bridge pendulum --python robot.py
  sinew bridge pendulum --udp 7000 & python3 upright.py 7000
Either may be started first. See docs/bridge.md."""

import math
import os
import sys

sys.path.insert(0, os.getcwd())  # where robot.py is
import robot

TOP = -math.pi / 2  # joint.pivot.q where the bob is above the pivot [rad]


def main():
    link = robot.Link(int(sys.argv[1]) if len(sys.argv) > 1 else 7000)
    references = robot.References()
    for measured in link:  # until the robot stops
        for i, fault in enumerate(measured.fault):  # all devices shall work; faults are forgotten
            references.control[i] = robot.OP | (robot.RESET if fault else 0)
        torque = 80.0 * (TOP - measured.joint_pivot_q) - 20.0 * measured.joint_pivot_u
        references.joint_pivot_torque = max(-50.0, min(50.0, torque))  # [N m]
        link.send(references)
    print(f"t = {link.measured.t:.3f} s: {link.measured.joint_pivot_q - TOP:.6f} rad from the top")


main()
