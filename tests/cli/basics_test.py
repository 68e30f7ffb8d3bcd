"""The scenarios under scenarios/basics against what is known about them by other means."""

import math
import unittest

from program import Case, ROOT, sinew


def integrate(rate, y, t, n=20000):
    """y' = rate(y) by the classical Runge-Kutta method: an integrator of our own, for reference."""
    h = t / n
    for _ in range(n):
        a = rate(y)
        b = rate([x + h / 2 * d for x, d in zip(y, a)])
        c = rate([x + h / 2 * d for x, d in zip(y, b)])
        d = rate([x + h * e for x, e in zip(y, c)])
        y = [x + h / 6 * (p + 2 * q + 2 * r + s) for x, p, q, r, s in zip(y, a, b, c, d)]
    return y


class Basics(Case):
    def assert_energy_is_kept(self, out, relative):
        energy = out["energy"]
        scale = max(abs(energy["kinetic"]), abs(energy["potential"]), abs(energy["elastic"]))
        self.assertLess(abs(energy["balance_error"]), relative * scale)

    def test_pendulum_is_where_the_elliptic_functions_say(self):
        out = self.run_json("pendulum")
        self.assertAlmostEqual(out["result"]["x"], -0.275087462576117, delta=1e-9)
        self.assertAlmostEqual(out["result"]["y"], -0.961419205099125, delta=1e-9)
        self.assert_energy_is_kept(out, 1e-9)
        mirrored = self.run_json("pendulum", "--set", "p_child=[-1, 0, 0]")
        self.assertAlmostEqual(mirrored["result"]["x"], 0.275087462576117, delta=1e-9)

    def test_coordinates_agree(self):
        for name in ("pendulum", "double-pendulum", "spinning-top", "four-bar", "slider-crank"):
            with self.subTest(name):
                # in maximal coordinates a body must have an inertia about every axis
                bodies = {"pendulum": ["bob"], "double-pendulum": ["upper", "lower"], "spinning-top": [],
                          "four-bar": ["left", "coupler", "right"], "slider-crank": ["crank", "rod"]}[name]
                sets = [word for b in bodies for word in ("--set", f"body.{b}.inertia=[0.1, 0.1, 0.1]")]
                tree, maximal = (self.run_json(name, "--until", 0.5, *sets, "--set", f"coordinates={c}")["result"]
                                 for c in ("tree", "maximal"))
                for key in tree.keys() - {"gap"}:
                    ours, theirs = ([x] if isinstance(x, float) else x for x in (tree[key], maximal[key]))
                    for a, b in zip(ours, theirs):  # angles of constraints are known up to whole turns
                        self.assertAlmostEqual(math.remainder(a - b, 2 * math.pi), 0.0, delta=1e-6, msg=key)

    def test_double_pendulum_follows_its_equations(self):
        def rate(y):
            a, b, p, q = y  # angles from the vertical, both absolute, and their rates
            c, s, g = math.cos(a - b), math.sin(a - b), 9.81
            # [2 c; c 1] [p', q'] = [-s q^2 - 2 g sin a, s p^2 - g sin b]
            r1, r2, det = -s * q * q - 2 * g * math.sin(a), s * p * p - g * math.sin(b), 2 - c * c
            return [p, q, (r1 - c * r2) / det, (2 * r2 - c * r1) / det]

        a, b, _, _ = integrate(rate, [math.pi / 2, math.pi / 2, 0, 0], 2.0)
        out = self.run_json("double-pendulum", "--until", 2)
        upper = [math.sin(a), -math.cos(a), 0]
        lower = [upper[0] + math.sin(b), upper[1] - math.cos(b), 0]
        for ours, known in zip(out["result"]["upper"] + out["result"]["lower"], upper + lower):
            self.assertAlmostEqual(ours, known, delta=1e-8)
        self.assert_energy_is_kept(self.run_json("double-pendulum"), 1e-6)

    def test_spinning_top_precesses_steadily(self):
        out = self.run_json("spinning-top")
        result = out["result"]
        A, C, s, tilt = 0.012, 0.003, 150.0, math.radians(30)
        k = A * math.cos(tilt)
        W = (C * s - math.sqrt((C * s) ** 2 - 4 * k * 9.81 * 0.1)) / (2 * k)
        height = 0.1 * math.cos(tilt)
        self.assertAlmostEqual(result["height_max"], height, delta=1e-8)
        self.assertAlmostEqual(result["height_min"], height, delta=1e-8)
        self.assertAlmostEqual(result["centre"][0], 0.1 * math.sin(tilt) * math.cos(5 * W), delta=1e-7)
        self.assertAlmostEqual(result["centre"][1], 0.1 * math.sin(tilt) * math.sin(5 * W), delta=1e-7)
        self.assertAlmostEqual(result["L_z"], A * W * math.sin(tilt) ** 2 + C * s * math.cos(tilt), delta=1e-9)

    def test_torque_free_body_keeps_momentum_and_energy_and_follows_euler(self):
        I = [0.010, 0.018, 0.025]

        def rate(w):
            return [(I[1] - I[2]) * w[1] * w[2] / I[0], (I[2] - I[0]) * w[2] * w[0] / I[1],
                    (I[0] - I[1]) * w[0] * w[1] / I[2]]

        result = self.run_json("torque-free-body")["result"]
        for ours, known in zip(result["w"], integrate(rate, [0.01, 5.0, 0.0], 20.0, 40000) + [0, 0, 0]):
            self.assertAlmostEqual(ours, known, delta=1e-6)
        for ours, known in zip(result["L"], [0.0001, 0.09, 0.0]):
            self.assertAlmostEqual(ours, known, delta=1e-9)
        self.assertAlmostEqual(result["energy"], 0.2250005, delta=1e-9)

    def ends_untrusted(self, words, *arguments):
        done = sinew("run", *arguments, "--no-record")
        self.assertEqual(done.returncode, 3, done.stderr)
        for part in words:
            self.assertIn(part, done.stderr)

    def test_a_loop_that_cannot_be_followed_ends_the_run(self):
        self.ends_untrusted(("loops could not be followed", "singular position", "try integrator.step = 0.01"), "a02-four-bars",
                            "--set", "step=0.1", "--set", "coordinates=maximal", "--set", "axial_inertia=1e-3")

    def test_rk45_that_does_not_come_to_the_end_of_a_step_ends_the_run(self):
        self.ends_untrusted(("did not come to the end of a step", "try integrator.rk45_tolerance = 1e-12"), "pendulum",
                            "--set", "method=rk45", "--set", "step=1000", "--set", "duration=1000",
                            "--set", "rk45_tolerance=1e-14")

    def test_four_bar_keeps_the_parallelogram(self):
        angle, _ = integrate(lambda y: [y[1], -3 * 9.81 / (2 / 3 + 2) * math.cos(y[0])], [math.pi / 3, 4.0], 10.0)
        out = self.run_json("four-bar")
        result = out["result"]
        turns = round((angle - result["left"]) / (2 * math.pi)) * 2 * math.pi
        self.assertGreater(abs(angle), 10.0)  # it has turned through the flat positions
        self.assertAlmostEqual(result["left"] + turns, angle, delta=1e-5)
        self.assertAlmostEqual(math.sin(result["left"] - result["right"]), 0.0, delta=1e-6)
        self.assertAlmostEqual(result["tilt"], 0.0, delta=1e-6)
        self.assertLess(result["gap"], 1e-6)

    def test_slider_crank_is_where_geometry_says(self):
        out = self.run_json("slider-crank", "--set", "output.at=[0.1, 0.37, 1.234, 2]")
        at = out["result"]["at"]
        for t, x, v in zip(at["t"], at["x"], at["v"]):
            s, c = 0.2 * math.sin(10 * t), 0.2 * math.cos(10 * t)
            root = math.sqrt(0.25 - s * s)
            self.assertAlmostEqual(x, c + root, delta=1e-8)
            self.assertAlmostEqual(v, -10 * s - 10 * s * c / root, delta=1e-6)
        self.assertLess(out["result"]["gap"], 1e-8)
        self.assert_energy_is_kept(out, 1e-5)

    def test_spring_chain_swings_in_its_mode(self):
        for n, j in ((5, 2), (1, 1), (12, 7)):
            with self.subTest(links=n, mode=j):
                out = self.run_json("spring-chain", "--set", f"links={n}", "--set", f"mode={j}")
                s = (2 * j - 1) * math.pi / (2 * n + 1)
                w = 2 * math.sqrt(100 / 1) * math.sin(s / 2)
                first = 0.02 * math.sin(s) / math.sin(n * s)
                self.assertAlmostEqual(out["result"]["x_first"], first * math.cos(10 * w), delta=1e-7)
                self.assertAlmostEqual(out["result"]["v_first"], -first * w * math.sin(10 * w), delta=1e-6)
                self.assert_energy_is_kept(out, 1e-6)


class Loops(Case):
    # Out of the plane of its hinges a loop cannot move at all, and the rows that say so answer with round-off alone.
    def test_a_loop_that_turns_out_of_its_plane_in_flight_keeps_its_energy(self):
        linkage = str(ROOT / "tests/cross/linkage.toml")
        for method in ("moreau", "rk4", "verlet"):
            for coordinates in ("tree", "maximal"):
                with self.subTest(method=method, coordinates=coordinates):
                    energy = self.run_json(linkage, "--until", "0.2", "--set", "ground.kind=none",
                                           "--set", "joint.air.velocity=[0.5,0,0,0,0,0]", "--set", f"method={method}",
                                           "--set", f"coordinates={coordinates}")["energy"]
                    self.assertLess(abs(energy["balance_error"]), 1e-7)


if __name__ == "__main__":
    unittest.main()
