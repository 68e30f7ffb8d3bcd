#!/usr/bin/env python3
"""Writes the meshes of the contact scenarios into scenarios/contact/meshes/ (or the folder given). The same every time.

  sphere162.obj  icosahedron refined twice, all vertices at 0.05 m from the centre
  capsule12.obj  twelve-sided capsule along x, a facet down: radius 0.03 m of the corners, half length 0.06 m, 3 rings a cap
  ground.obj     2 m x 2 m of the plane z = 0, triangulated irregularly
  hills.obj      the same with bumps of some centimetres
  angle.obj      an L, 0.2 m x 0.1 m x 0.2 m, 0.05 m thick: not convex
  cross.obj      three bars across each other, 0.18 m long, 0.06 m thick: not convex
"""

import math
import random
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent


def write(folder, name, comment, vertices, triangles):
    lines = [f"# {comment}; written by scripts/make_meshes.py"]
    lines += ["v " + " ".join(f"{x + 0.0:.12g}" for x in v) for v in vertices]
    lines += ["f " + " ".join(str(i + 1) for i in t) for t in triangles]
    (folder / name).write_text("\n".join(lines) + "\n")


def unit(v, radius):
    length = math.sqrt(sum(x * x for x in v))
    return tuple(radius * x / length for x in v)


def sphere(radius, times):
    g = (1 + math.sqrt(5)) / 2
    vertices = [(-1, g, 0), (1, g, 0), (-1, -g, 0), (1, -g, 0), (0, -1, g), (0, 1, g), (0, -1, -g), (0, 1, -g),
                (g, 0, -1), (g, 0, 1), (-g, 0, -1), (-g, 0, 1)]
    vertices = [unit(v, radius) for v in vertices]
    faces = [(0, 11, 5), (0, 5, 1), (0, 1, 7), (0, 7, 10), (0, 10, 11), (1, 5, 9), (5, 11, 4), (11, 10, 2), (10, 7, 6),
             (7, 1, 8), (3, 9, 4), (3, 4, 2), (3, 2, 6), (3, 6, 8), (3, 8, 9), (4, 9, 5), (2, 4, 11), (6, 2, 10),
             (8, 6, 7), (9, 8, 1)]
    for _ in range(times):
        middles, finer = {}, []

        def middle(a, b):
            key = (min(a, b), max(a, b))
            if key not in middles:
                middles[key] = len(vertices)
                vertices.append(unit([x + y for x, y in zip(vertices[a], vertices[b])], radius))
            return middles[key]

        for a, b, c in faces:
            ab, bc, ca = middle(a, b), middle(b, c), middle(c, a)
            finer += [(a, ab, ca), (b, bc, ab), (c, ca, bc), (ab, bc, ca)]
        faces = finer
    return vertices, faces


def capsule(radius, half_length, sides, rings):
    """Corners at -90 degrees +- half a side, so that a facet looks down."""
    vertices, triangles = [], []
    latitudes = [90.0 * k / rings for k in range(rings)]
    profile = [(-half_length - radius * math.sin(math.radians(a)), radius * math.cos(math.radians(a)))
               for a in reversed(latitudes)]
    profile += [(-x, r) for x, r in reversed(profile)]
    for x, r in profile:
        for k in range(sides):
            angle = math.radians(-90.0 + 360.0 / sides * (k + 0.5))
            vertices.append((x, r * math.cos(angle), r * math.sin(angle)))
    first, last = len(vertices), len(vertices) + 1
    vertices += [(-half_length - radius, 0.0, 0.0), (half_length + radius, 0.0, 0.0)]
    for ring in range(len(profile) - 1):
        for k in range(sides):
            a, b = ring * sides + k, ring * sides + (k + 1) % sides
            triangles += [(a, a + sides, b + sides)[::-1], (a, b + sides, b)[::-1]]
    end = (len(profile) - 1) * sides
    for k in range(sides):
        n = (k + 1) % sides
        triangles += [(first, n, k), (last, end + k, end + n)]
    return vertices, outward(vertices, triangles)


def outward(vertices, triangles):
    def volume(t):
        (ax, ay, az), (bx, by, bz), (cx, cy, cz) = (vertices[i] for i in t)
        return ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)

    return triangles if sum(map(volume, triangles)) > 0 else [t[::-1] for t in triangles]


def ground(size, cells, height):
    dice = random.Random(1)
    step, vertices, triangles = size / cells, [], []
    for i in range(cells + 1):
        for k in range(cells + 1):
            x, y = -size / 2 + i * step, -size / 2 + k * step
            if 0 < i < cells:
                x += dice.uniform(-0.3, 0.3) * step
            if 0 < k < cells:
                y += dice.uniform(-0.3, 0.3) * step
            vertices.append((round(x, 6), round(y, 6), round(height(x, y), 6)))
    for i in range(cells):
        for k in range(cells):
            a = i * (cells + 1) + k
            b, c, d = a + cells + 1, a + cells + 2, a + 1
            triangles += [(a, b, c), (a, c, d)] if dice.random() < 0.5 else [(a, b, d), (b, c, d)]
    return vertices, triangles


def blocks(size, cells):
    """The surface of cubes of this size at whole coordinates, each face two triangles."""
    cells, names, vertices, triangles = set(cells), {}, [], []

    def vertex(p):
        if p not in names:
            names[p] = len(vertices)
            vertices.append(tuple(round(size * x, 9) for x in p))
        return names[p]

    for cell in sorted(cells):
        for axis in range(3):
            for side in (0, 1):
                beside = list(cell)
                beside[axis] += 2 * side - 1
                if tuple(beside) in cells:
                    continue
                j, k = (axis + 1) % 3, (axis + 2) % 3
                corners = []
                for dj, dk in ((0, 0), (1, 0), (1, 1), (0, 1)):
                    p = list(cell)
                    p[axis] += side
                    p[j] += dj
                    p[k] += dk
                    corners.append(vertex(tuple(p)))
                if side == 0:
                    corners.reverse()
                a, b, c, d = corners
                triangles += [(a, b, c), (a, c, d)]
    return vertices, triangles


def centred(vertices, by):
    return [tuple(round(x - c, 9) for x, c in zip(v, by)) for v in vertices]


def main():
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "scenarios" / "contact" / "meshes"
    folder.mkdir(parents=True, exist_ok=True)
    write(folder, "sphere162.obj", "icosahedron refined twice, radius 0.05 m", *sphere(0.05, 2))
    write(folder, "capsule12.obj", "capsule of twelve sides along x, radius 0.03 m, half length 0.06 m",
          *capsule(0.03, 0.06, 12, 3))
    write(folder, "ground.obj", "2 m x 2 m of the plane z = 0", *ground(2.0, 16, lambda x, y: 0.0))
    write(folder, "hills.obj", "2 m x 2 m of hills",
          *ground(2.0, 20, lambda x, y: 0.04 * math.sin(5 * x) * math.cos(4 * y) + 0.015 * math.sin(13 * x + 9 * y)))
    angle = [(i, j, 0) for i in range(4) for j in range(2)] + [(0, j, k) for j in range(2) for k in range(1, 4)]
    vertices, triangles = blocks(0.05, angle)
    write(folder, "angle.obj", "an L of 0.05 m x 0.05 m bars", centred(vertices, (0.1, 0.05, 0.1)), triangles)
    bars = {(0, 0, 0)} | {tuple(s * (axis == a) for axis in range(3)) for a in range(3) for s in (-1, 1)}
    vertices, triangles = blocks(0.06, bars)
    write(folder, "cross.obj", "three bars of 0.06 m across each other", centred(vertices, (0.03, 0.03, 0.03)), triangles)


if __name__ == "__main__":
    main()
