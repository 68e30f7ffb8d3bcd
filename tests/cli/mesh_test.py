"""Mesh files: what is read, what is refused and how, and that a scenario finds them wherever it is run from."""

import json
import struct
import unittest

from program import Case, sinew

BODY = """\
duration = 0.01
[body.thing]
mass = 1.0
inertia = [0.01, 0.01, 0.01]
[body.thing.shape.skin]
kind = "mesh"
file = "{file}"
[joint.free]
kind = "free"
child = "thing"
[ground]
kind = "plane"
height = -2.0
"""
TETRAHEDRON = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n"

BALL = """\
duration = 1.0
[body.ball]
mass = 1.0
inertia = [0.01, 0.01, 0.01]
[body.ball.shape.skin]
kind = "sphere"
radius = {radius}
[joint.free]
kind = "free"
child = "ball"
position = [0.1, 0.2, {height}, 1, 0, 0, 0]
[ground]
kind = "mesh"
[ground.mesh]
vertices = [-5, -5, 0, 5, -5, 0, 5, 5, 0, -5, 5, 0]
triangles = [0, 1, 2, 0, 2, 3]
[integrator]
step = 0.001
[output.result]
z = "body.ball.p.z"
"""


class Meshes(Case):
    def check(self, name, content):
        """Error of a body with this mesh; "" if there is none."""
        path = self.file(BODY.format(file=name))
        target = path.parent / name
        if content is not None:
            target.write_bytes(content if isinstance(content, bytes) else content.encode())
        self.last = path
        return sinew("check", path)

    def refused(self, name, content, *parts):
        result = self.check(name, content)
        self.assertEqual(result.returncode, 2, result.stderr)
        for part in (str(self.last) + ":7: body.thing.shape.skin.file: ", name, *parts):
            self.assertIn(part, result.stderr)

    def accepted(self, name, content):
        result = self.check(name, content)
        self.assertEqual(result.returncode, 0, result.stderr)

    def stl(self, triangles):
        facets = b"".join(struct.pack("<12fH", 0, 0, 0, *(x for v in t for x in v), 0) for t in triangles)
        return b"any eighty bytes".ljust(80) + struct.pack("<I", len(triangles)) + facets

    def corners(self):
        v = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
        return [[v[i] for i in t] for t in ((0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3))]

    def test_obj_ply_and_both_kinds_of_stl_are_read(self):
        self.accepted("a.obj", TETRAHEDRON)
        self.accepted("quads.OBJ", "# c\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvn 0 0 1\nf -4//1 -2//1 -3//1\nf 1/1 2 4\nf 2 3 4\nf 3 1 4\n")
        self.accepted("binary.stl", self.stl(self.corners()))
        text = "solid x\n" + "".join(
            "facet normal 0 0 0\nouter loop\n" + "".join(f"vertex {x} {y} {z}\n" for x, y, z in t) + "endloop\nendfacet\n"
            for t in self.corners()) + "endsolid x\n"
        self.accepted("text.stl", text)
        head = "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\nelement face 4\n"
        self.accepted("a.ply", head + "property list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n"
                      "3 0 2 1\n3 0 1 3\n3 1 2 3\n3 2 0 3\n")

    def test_files_that_are_none(self):
        self.refused("missing.obj", None, "no such file")
        self.refused("thing.step", "step", "neither STL, OBJ, PLY nor DAE")
        self.refused("empty.obj", "", "cannot be read")
        self.refused("noise.stl", b"\x01\x02\x03", "cannot be read")
        self.refused("short.stl", self.stl(self.corners())[:-7], "cannot be read")

    def test_wrong_numbers_and_faces(self):
        face = "v 0 1 0\nf 1 2 3\n"
        self.refused("nan.obj", "v 0 0 0\nv 1 nan 0\n" + face, "vertex 2 is not finite")
        self.refused("huge.obj", "v 0 0 1e999\nv 1 0 0\n" + face, "vertex 1 is not finite")
        nan = self.corners()
        nan[1][1] = (float("nan"), 0, 0)
        self.refused("nan.stl", self.stl(nan), "vertex 5 is not finite")
        self.refused("word.obj", "v 0 0 0\nv 1 x 0\n" + face, "cannot be read")
        self.refused("index.obj", "v 0 0 0\nv 1 0 0\nf 1 2 3\n", "cannot be read", "index out of range")
        self.refused("two.obj", "v 0 0 0\nv 1 0 0\nf 1 2\n", "fewer than three")
        self.refused("same.obj", "v 0 0 0\nv 1 0 0\nf 1 2 2\n", "no triangles")

    def test_a_binary_stl_with_a_number_that_is_none_is_refused(self):
        for bad in (float("nan"), float("inf")):
            triangles = self.corners()
            triangles[2][1] = (bad, 0, 0)
            for kind in ("mesh", "hull"):
                path = self.file(BODY.replace('"mesh"', f'"{kind}"').format(file="bad.stl"))
                (path.parent / "bad.stl").write_bytes(self.stl(triangles))
                found = sinew("check", path)
                self.assertEqual(found.returncode, 2)
                errors = [line for line in found.stderr.splitlines() if line.startswith("error:")]
                self.assertEqual(len(errors), 1, found.stderr)
                self.assertIn("bad.stl: vertex 8 is not finite: correct it", errors[0])

    def test_surfaces_that_are_no_bodies(self):
        self.refused("open.obj", TETRAHEDRON.replace("f 3 1 4\n", ""), "belongs to one triangle only", "fill the hole")
        self.refused("inside_out.obj", TETRAHEDRON.replace("f 1 3 2", "f 1 2 3").replace("f 1 2 4", "f 1 4 2")
                     .replace("f 2 3 4", "f 2 4 3").replace("f 3 1 4", "f 3 4 1"), "inside out", "anticlockwise")
        self.refused("mixed.obj", TETRAHEDRON.replace("f 3 1 4", "f 3 4 1"), "turn one of its two triangles round")
        self.refused("thin.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n", "no area")

    def test_hulls_and_inline_ground(self):
        hull = BODY.replace('kind = "mesh"\nfile = "{file}"', 'kind = "hull"\npoints = {points}')
        good = hull.format(points="[0,0,0, 1,0,0, 0,1,0, 0,0,1]")
        self.succeeds("check", str(self.file(good)))
        flat = self.fails(2, "check", str(self.file(hull.format(points="[0,0,0, 1,0,0, 0,1,0, 1,1,0]"))))
        self.assertIn("span no volume", flat)
        self.assertIn("multiple of three", self.fails(2, "check", str(self.file(hull.format(points="[0,0,0, 1]")))))
        ground = good.replace('kind = "plane"\nheight = -2.0', 'kind = "mesh"\n[ground.mesh]\nvertices = [-9,-9,0, 9,-9,0, 0,9,0]\ntriangles = [0,1,2]\nposition = [0,0,-1]')
        self.succeeds("check", str(self.file(ground)))
        self.assertIn("refers to vertex 4", self.fails(2, "check", str(self.file(ground.replace("[0,1,2]", "[0,1,3]")))))
        self.assertIn("is no vertex", self.fails(2, "check", str(self.file(ground.replace("[0,1,2]", "[0,1,1.5]")))))

    def test_keys_of_other_kinds_are_refused(self):
        found = self.fails(2, "check", str(self.file(BODY.format(file="a.obj") .replace('kind = "mesh"', 'kind = "sphere"'))))
        self.assertIn("file belongs to hulls and meshes", found)

    def test_checkpoints_find_their_meshes(self):
        self.accepted("a.obj", TETRAHEDRON)
        checkpoint = self.last.parent / "run.checkpoint"
        self.succeeds("run", str(self.last), "--checkpoint", str(checkpoint), "--every", "0.005")
        self.succeeds("run", "--resume", str(checkpoint), "--until", "0.02")

    def test_checkpoints_find_their_meshes_after_a_move(self):
        self.accepted("a.obj", TETRAHEDRON)
        old, new = self.last.parent, self.folder / "moved"
        new.mkdir()
        self.succeeds("run", str(self.last), "--checkpoint", str(old / "run.checkpoint"), "--every", "0.005")
        (old / "run.checkpoint").rename(new / "run.checkpoint")
        (old / "a.obj").rename(new / "a.obj")
        self.succeeds("run", "--resume", str(new / "run.checkpoint"), "--until", "0.02")
        (new / "a.obj").unlink()
        self.assertIn("no such file", self.fails(2, "run", "--resume", str(new / "run.checkpoint"), "--until", "0.03"))

    def test_points_and_small_balls_stay_on_triangles_as_on_the_plane(self):
        for radius in ("0.0", "1e-5", "1e-4"):
            text = BALL.format(radius=radius, height=0.5 + float(radius))
            z = self.run_json(self.file(text))["result"]["z"]
            plane = text[: text.index("[ground.mesh]")].replace('kind = "mesh"', 'kind = "plane"') + text[text.index("[integrator]") :]
            on_plane = self.run_json(self.file(plane))["result"]["z"]
            self.assertGreater(z, -0.004)  # as deep as the last step before the touch may bring it: 3.2 m/s, 1 ms
            self.assertAlmostEqual(z, on_plane, delta=1e-9)

    def test_feet_that_are_points_stay_on_triangles(self):
        path = self.file("v -5 -5 0\nv 5 -5 0\nv 5 5 0\nv -5 5 0\nf 1 2 3\nf 1 3 4\n", "ground.obj")
        on = ["quadruped/trot", "--until", "0.5"]
        mesh = self.run_json(*on, "--set", "ground.kind=mesh", "--set", f"ground.mesh.file={path}")
        plane = self.run_json(*on)
        for name, value in plane["result"].items():
            if isinstance(value, float):
                self.assertAlmostEqual(mesh["result"][name], value, delta=1e-6 * (1.0 + abs(value)), msg=name)

    def test_a_body_that_starts_below_the_ground_is_an_error(self):
        text = BALL.format(radius="0.05", height="-0.3")
        plane = text[: text.index("[ground.mesh]")].replace('kind = "mesh"', 'kind = "plane"') + text[text.index("[integrator]") :]
        steps = plane.replace('kind = "plane"', 'kind = "steps"')
        heights = plane.replace('kind = "plane"', 'kind = "heights"') + (
            "[ground.heights]\nnx = 2\nny = 2\nx0 = -5.0\ny0 = -5.0\ndx = 10.0\ndy = 10.0\nz = [0, 0, 0, 0]\n")
        for kind, ground in (("mesh", text), ("plane", plane), ("steps", steps), ("heights", heights)):
            for command in ("check", "run"):
                with self.subTest(kind=kind, command=command):
                    said = self.fails(2, command, self.file(ground))
                    self.assertIn(f'body ball is 0.25 m below the ground (ground.kind = "{kind}")', said)
                    self.assertIn("raise joint.free.position", said)
        self.succeeds("check", self.file(text.replace("-0.3", "0.03")))  # not all of it
        self.succeeds("check", self.file(text.replace("[0.1, 0.2, ", "[6.1, 0.2, ")))  # beside the ground
        held = text.replace('kind = "free"', 'kind = "weld"\np_parent = [0.1, 0.2, -0.3]').replace("position = [0.1, 0.2, -0.3, 1, 0, 0, 0]", "")
        self.succeeds("check", self.file(held))  # a foundation

    def test_a_body_that_comes_below_the_ground_ends_the_run(self):
        text = BALL.format(radius="0.05", height="-0.5").replace("[0.1, 0.2, ", "[-5.5, 0.2, ") + '[gravity]\nkind = "none"\n'
        text = text.replace("[ground]", "velocity = [0, 0, 0, 1, 0, 0]\n[ground]")
        done = sinew("run", self.file(text), "--json", "--no-record")
        self.assertEqual(done.returncode, 3, done.stderr)
        failure = json.loads(done.stdout)["failure"]
        self.assertRegex(failure["what"], r"^body ball is 0\.\d+ m below the ground \(ground.kind = \"mesh\"\)")
        self.assertEqual(failure["place"], "body ball")
        self.assertIn("border", failure["cause"])
        self.assertAlmostEqual(failure["time"], 0.5, delta=0.002)  # when its centre passes the border


if __name__ == "__main__":
    unittest.main()
