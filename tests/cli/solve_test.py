"""sinew solve: contact problems in the field's files, as others write and read them."""

import json
import unittest

import h5py

from program import Case, sinew

# One contact that slides; then the dense matrix, q, mu.
SLIDES = "3\n1\n0\n3\n3\n3 3\n15 -1 -2\n-1 14 1\n-2 1 16\n-1 2 3\n0.1\n"


def stack(boxes, mu):
    """Boxes on one another, four points each: W by numbers, q, mu. Pushed sideways at the top."""
    mass, inertia, rows = 1.5, 0.02, []
    for box in range(boxes):
        for x, y in ((-0.1, -0.1), (-0.1, 0.1), (0.1, -0.1), (0.1, 0.1)):
            for axis in ((0, 0, 1), (1, 0, 0), (0, 1, 0)):
                row = {}
                for body, sign, arm in ((box - 1, -1.0, (x, y, 0.1)), (box, 1.0, (x, y, -0.1))):
                    if body < 0:
                        continue
                    turn = (arm[1] * axis[2] - arm[2] * axis[1], arm[2] * axis[0] - arm[0] * axis[2],
                            arm[0] * axis[1] - arm[1] * axis[0])
                    for k, value in enumerate((*axis, *turn)):
                        row[6 * body + k] = sign * value
                rows.append(row)
    weight = [mass, mass, mass, inertia, inertia, inertia]
    free = {6 * body + 2: -0.05 for body in range(boxes)}
    free[6 * (boxes - 1)] = 0.3
    W = [[sum(a * b.get(i, 0.0) / weight[i % 6] for i, a in row.items()) for b in rows] for row in rows]
    q = [sum(a * free.get(i, 0.0) for i, a in row.items()) for row in rows]
    return rows, W, q, [mu] * (4 * boxes)


class Solve(Case):
    def write(self, name, text):
        (self.folder / name).write_text(text)
        return name

    def json(self, *arguments):
        return json.loads(self.succeeds("solve", *arguments, "--json", cwd=self.folder))

    def write_local(self, name, boxes=6, mu=0.5):
        """As FCLIB writes it: numbers one by one, W first."""
        _, W, q, mus = stack(boxes, mu)
        numbers = [(i, k, x) for i, row in enumerate(W) for k, x in enumerate(row) if x]
        with h5py.File(self.folder / name, "w") as file:
            local = file.create_group("fclib_local")
            local["spacedim"] = [3]
            for key, value in (("m", len(W)), ("n", len(W)), ("nz", len(numbers)), ("nzmax", len(numbers))):
                local[f"W/{key}"] = [value]
            local["W/i"], local["W/p"], local["W/x"] = zip(*numbers)
            local["vectors/q"], local["vectors/mu"] = q, mus
        return name

    def write_global(self, name, boxes=6, mu=0.5):
        """The same problem in terms of bodies; H by columns, as CSparse has it."""
        rows, _, _, mus = stack(boxes, mu)
        mass = [1.5, 1.5, 1.5, 0.02, 0.02, 0.02] * boxes
        f = [0.0] * (6 * boxes)
        for body in range(boxes):
            f[6 * body + 2] = -0.05 * 1.5
        f[6 * (boxes - 1)] = 0.3 * 1.5
        starts = [0]
        for row in rows:
            starts.append(starts[-1] + len(row))
        with h5py.File(self.folder / name, "w") as file:
            top = file.create_group("fclib_global")
            top["spacedim"] = [3]
            for key, value in (("m", 6 * boxes), ("n", 6 * boxes), ("nz", 6 * boxes), ("nzmax", 6 * boxes)):
                top[f"M/{key}"] = [value]
            top["M/i"], top["M/p"], top["M/x"] = list(range(6 * boxes)), list(range(6 * boxes)), mass
            for key, value in (("m", 6 * boxes), ("n", len(rows)), ("nz", -1), ("nzmax", starts[-1])):
                top[f"H/{key}"] = [value]
            top["H/p"] = starts
            top["H/i"] = [i for row in rows for i in row]
            top["H/x"] = [x for row in rows for x in row.values()]
            top["vectors/f"], top["vectors/w"], top["vectors/mu"] = f, [0.0] * len(rows), mus
        return name

    def test_says_residual_iterations_and_time(self):
        self.write("p.dat", SLIDES)
        text = self.succeeds("solve", "p.dat", cwd=self.folder)
        for word in ("p.dat: contacts 1", "residual", "iterations", "time", "1 slide"):
            self.assertIn(word, text)
        out = self.json("p.dat", "--tolerance", "1e-12")
        self.assertTrue(out["solved"])
        self.assertLess(out["residual"], 1e-12)
        self.assertEqual(out["iterations"], out["sweeps"] + out["systems"])
        self.assertEqual((out["contacts"], out["slide"], out["stick"], out["open"]), (1, 1, 0, 0))

    def test_every_solver_solves_local_and_global_problems_of_fclib(self):
        self.write_local("local.hdf5")
        self.write_global("global.hdf5")
        for solver in ("auto", "proximal", "sweep", "dense"):
            for name in ("local.hdf5", "global.hdf5"):
                with self.subTest(solver=solver, problem=name):
                    out = self.json(name, "--solver", solver, "--tolerance", 1e-9)
                    self.assertLess(out["residual"], 1e-9)
                    self.assertEqual(out["contacts"], 24)

    def test_what_it_writes_is_read_back_and_holds_the_solution(self):
        self.write_global("p.hdf5")
        self.json("p.hdf5", "--out", "q.hdf5")
        self.json("q.hdf5", "--out", "r.dat")
        self.json("r.dat", "--out", "s.h5")
        with h5py.File(self.folder / "q.hdf5") as one, h5py.File(self.folder / "s.h5") as other:
            for name in ("W/x", "W/p", "W/i", "W/nz", "vectors/q", "vectors/mu", "spacedim"):
                self.assertEqual(list(one["fclib_local"][name]), list(other["fclib_local"][name]), name)
            r, u, q = (list(one[name]) for name in ("solution/r", "solution/u", "fclib_local/vectors/q"))
            start, column, value = (list(one["fclib_local/W"][name]) for name in "pix")
        for i in range(72):
            v = q[i] + sum(value[k] * r[column[k]] for k in range(start[i], start[i + 1]))
            self.assertAlmostEqual(u[i], v, 12)

    def test_a_problem_that_is_not_solved_ends_with_3(self):
        self.write_local("p.hdf5", boxes=12, mu=0.6)
        done = sinew("solve", "p.hdf5", "--iterations", 3, "--out", "best.hdf5", cwd=self.folder)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertRegex(done.stderr, r"^error: p.hdf5: not solved: the relative residual is \S+, more than 1e-08: ")
        self.assertIn("NOT solved", done.stdout)
        self.assertTrue((self.folder / "best.hdf5").exists())

    def test_a_scenario_gives_the_problem_that_it_meets(self):
        out = self.json("stacking", "--at", 0.1, "--set", "contact.solver=sparse", "--out", "p.hdf5", "--tolerance", 1e-12)
        self.assertTrue(out["solved"])
        self.assertGreater(out["stick"], 10)
        again = self.json("p.hdf5", "--tolerance", 1e-12)
        for key in ("contacts", "blocks", "residual", "iterations", "stick", "slide", "open"):
            self.assertEqual(out[key], again[key], key)
        for scenario, reason in (("pendulum", "no contact is closed"), ("contact/rolling", "contact.law is not rigid"), ("contact/wall", "rolling friction"),
                                 ("worm", "equations of its own")):
            done = sinew("solve", scenario, "--at", 0.1, cwd=self.folder)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(reason, done.stderr)

    def test_bad_input_is_named(self):
        whole = self.write_local("p.hdf5")
        self.write("cut.hdf5", "")
        (self.folder / "cut.hdf5").write_bytes((self.folder / whole).read_bytes()[:3000])
        with h5py.File(self.folder / "other.hdf5", "w") as file:
            file["numbers"] = [1.0, 2.0]
        for part, change in (("W/i", lambda group: group["W/i"].__setitem__(0, 4000)),
                             ("vectors/q", lambda group: group.__delitem__("vectors/q")),
                             ("spacedim", lambda group: group["spacedim"].__setitem__(0, 2)),
                             ("V", lambda group: group.create_group("V"))):
            self.write_local(f"{part[-1]}.hdf5")
            with h5py.File(self.folder / f"{part[-1]}.hdf5", "r+") as file:
                change(file["fclib_local"])
        self.write("cut.dat", SLIDES[:30])
        self.write("p.dat", SLIDES)
        for arguments, code, message in (
                (["cut.hdf5"], 2, "cut.hdf5: the HDF5 file is damaged"),
                (["other.hdf5"], 2, "other.hdf5: it has neither /fclib_local nor /fclib_global"),
                (["i.hdf5"], 2, "i.hdf5: /fclib_local/W has a number at (4000, 0), outside of 72 x 72"),
                (["q.hdf5"], 2, "q.hdf5: it has no /fclib_local/vectors/q"),
                (["m.hdf5"], 2, "m.hdf5: the dimension is 2"),
                (["V.hdf5"], 2, "V.hdf5: /fclib_local/V: equations beside the contacts"),
                (["cut.dat"], 2, "cut.dat: line 8: the file ends where a number of W should follow"),
                (["none.dat"], 4, "none.dat: cannot be opened"),
                (["p.dat", "--solver", "sweeps"], 2, "--solver sweeps: unknown: did you mean sweep?"),
                (["p.dat", "--tolerance", "0"], 2, "--tolerance 0: it must be between 0 and 1"),
                (["p.dat", "--iterations", "0"], 2, "--iterations 0: it must be between 1 and 1e9"),
                (["p.dat", "--out", "p.csv"], 2, "p.csv: unknown ending"),
                (["p.dat", "--out", "p.dat"], 2, "--out p.dat: this is the problem of the same command")):
            with self.subTest(arguments):
                done = sinew("solve", *arguments, cwd=self.folder)
                self.assertEqual(done.returncode, code, done.stderr)
                self.assertIn(message, done.stderr)
                self.assertEqual(done.stderr.count("\n"), 1)


if __name__ == "__main__":
    unittest.main()
