import type { BufferGeometry, Mesh, MeshLambertMaterial } from "three";
import { describe, expect, it } from "vitest";
import { colours } from "../src/colours";
import { append, makeRows } from "../src/data/rows";
import { readScene, roams, upOf } from "../src/data/scene";
import { makeTake } from "../src/data/take";
import { makeForces, moveForces } from "../src/draw/forces";
import { makeFloor } from "../src/draw/ground";
import { groundBelow } from "../src/draw/marks";
import { robotParts } from "../src/draw/parts";
import { extent, makePoses, updatePoses } from "../src/draw/poses";
import { makeTube, shapeTube } from "../src/draw/tube";

const format = "sinew scene 1";

describe("a scene", () => {
  it("of another format is refused", () => expect(() => readScene({ format: "sinew scene 9" })).toThrow(/sinew scene 1/));
  it("is filled where something is left out", () => {
    const scene = readScene({ format, bodies: [{ name: "a", shapes: [{ kind: "box", half: [1, 2, 3] }] }], gravity: [0, -2, 0] });
    expect(scene.bodies[0]!.shapes[0]!.q).toEqual([1, 0, 0, 0]);
    expect(scene.ground.kind).toBe("none");
    expect(upOf(scene)[1]).toBe(1);
  });
  it("roams unless something is tied to the world", () => {
    const joint = (kind: string) => readScene({ format, bodies: [{ name: "a" }], joints: [{ name: "j", kind, body1: "", body2: "a" }] });
    expect(roams(joint("free"))).toBe(true);
    expect(roams(joint("revolute"))).toBe(false);
  });
});

describe("patches of the ground", () => {
  const corners = [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0];
  const scene = readScene({ format, patches: [{ name: "mud", soft: true, vertices: corners, triangles: [0, 1, 2, 0, 2, 3] }, { name: "ice", vertices: corners, triangles: [0, 1, 2] }, { name: "broken", vertices: [0, 0], triangles: [5] }] });
  it("without triangles are left out", () => expect(scene.patches.map((p) => p.name)).toEqual(["mud", "ice"]));
  it("lie over the ground and over one another, soft ones stronger", () => {
    const floor = makeFloor(scene, 0, [0, 0, 1]);
    const drawn = ["mud", "ice"].map((name) => floor.group.getObjectByName(name) as Mesh<BufferGeometry, MeshLambertMaterial>);
    expect(drawn[0]!.geometry.getAttribute("position").count).toBe(4);
    expect(drawn[0]!.material.opacity).toBeGreaterThan(drawn[1]!.material.opacity);
    expect(drawn[1]!.renderOrder).toBeGreaterThan(drawn[0]!.renderOrder);
  });
});

describe("parts", () => {
  it("join the spheres of a link and leave its own shapes as they are", () => {
    const ball = (z: number) => ({ name: `b${z}`, kind: "sphere", radius: 0.05, p: [0, 0, z] });
    const parts = robotParts(readScene({ format, bodies: [{ name: "link", shapes: [ball(-0.04), ball(0.04)] }] }));
    expect(parts.map((p) => p.kind).sort()).toEqual(["cylinder", "sphere", "sphere"]);
    const tube = parts.find((p) => p.kind === "cylinder")!;
    expect(tube.scale[2]).toBeCloseTo(0.08);
    expect(tube.scale[0]).toBeLessThan(0.05);
    expect(parts.filter((p) => p.kind === "sphere").map((p) => p.scale[0])).toEqual([0.05, 0.05]);
  });
  it("make a pendulum of a body without shapes: a rod from its joint, a bob, the pivot", () => {
    const scene = readScene({ format, bodies: [{ name: "bob", com: [0, 0, 0] }], joints: [{ name: "j", kind: "revolute", body1: "", body2: "bob", p1: [0, 0, 0], p2: [1, 0, 0] }] });
    const parts = robotParts(scene);
    const rod = parts.find((p) => p.kind === "cylinder")!;
    expect(rod.scale[2]).toBeCloseTo(1);
    expect(rod.p).toEqual([0.5, 0, 0]);
    expect(parts.some((p) => p.body === -1)).toBe(true);
  });
  it("make a rod of a body that touches with points only", () => {
    const parts = robotParts(readScene({ format, bodies: [{ name: "rod", com: [0, 0, 0], shapes: [{ kind: "sphere", radius: 0, p: [-0.5, 0, 0] }] }] }));
    expect(parts.find((p) => p.kind === "cylinder")!.scale[2]).toBeCloseTo(0.5);
  });
  it("make a box that turns like it of a body with nothing around it, thin ones thick enough to be seen", () => {
    const parts = robotParts(readScene({ format, bodies: [{ name: "coin", com: [0, 0, 0], box: [0.3, 0.4, 0], shapes: [{ kind: "sphere", radius: 0 }] }] }));
    expect(parts).toHaveLength(1);
    expect(parts[0]!.scale).toEqual([0.6, 0.8, 0.01]);
  });
  it("of a capsule are a cylinder between two spheres, of a peg the cylinder alone", () => {
    const scene = readScene({ format, bodies: [{ name: "a", shapes: [{ kind: "capsule", radius: 0.1, half_length: 0.5 }] }] });
    const ends = robotParts(scene).filter((p) => p.kind === "sphere").map((p) => p.p[2]);
    expect(ends.sort()).toEqual([-0.5, 0.5]);
  });
});

const faces = { vertices: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], triangles: [0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3] };

describe("meshes", () => {
  it("are drawn as they are, and cylinders without round ends", () => {
    const scene = readScene({ format, bodies: [{ name: "a", shapes: [{ kind: "hull", ...faces }, { kind: "cylinder", radius: 0.1, half_length: 0.5 }] }] });
    const parts = robotParts(scene);
    expect(parts.map((p) => p.kind)).toEqual(["mesh", "cylinder"]);
    expect(parts[0]!.faces).toEqual(faces);
  });
  it("with wrong indices are not drawn", () => {
    const scene = readScene({ format, bodies: [{ name: "a", shapes: [{ kind: "mesh", vertices: faces.vertices, triangles: [0, 1, 4] }] }], ground: { kind: "mesh", vertices: [0], triangles: [0, 0, 0] } });
    expect(scene.bodies[0]!.shapes[0]!.kind).toBe("sphere");
    expect(scene.ground.kind).toBe("none");
  });
  it("of the ground have a height", () => {
    const ground = { kind: "mesh" as const, vertices: [0, 0, 0, 1, 0, 0, 0, 1, 1], triangles: [0, 1, 2] };
    expect(groundBelow(ground, [0.2, 0.5, 2], [0, 0, 1], 0)).toBeCloseTo(1.5);
    expect(groundBelow(ground, [0.9, 0.9, 2], [0, 0, 1], 0)).toBeCloseTo(2);
  });
});

describe("forces", () => {
  it("are drawn as they were recorded, at the centre of pressure", () => {
    const parts = ["state", "push.x", "push.y", "push.z", "friction.x", "friction.y", "friction.z", "point.x", "point.y", "point.z"];
    const names = ["t", ...["a.s:ground", "b.s:ground"].flatMap((c) => parts.map((part) => `contact.${c}.${part}`))];
    const scene = readScene({ format, contacts: [{ name: "a.s:ground", body: "a", other: "" }, { name: "b.s:ground", body: "b", other: "" }] });
    const rows = makeRows(names.length);
    append(rows, Float64Array.from([0, 1, 3, 0, 4, 0, 0, 0, 1, 2, 0.5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])); // the second is open
    const take = makeTake({ name: "", title: "", live: false }, scene, names.map((name) => ({ name, unit: "1", description: "" })), rows);
    const forces = makeForces(take, scene, false);
    const poses = makePoses(take, scene);
    moveForces(forces, take, poses, colours.light.drawing, 0.1, 0.01, 10);
    expect(forces.closed).toBe(1);
    expect(forces.shafts.count).toBe(1); // no friction
    expect([...forces.points.slice(0, 3)]).toEqual([1, 2, 0.5]);
    const tip = forces.tips.instanceMatrix.array;
    const way = [tip[12]! - 1, tip[13]! - 2, tip[14]! - 0.5];
    expect(way[0]! / way[2]!).toBeCloseTo(0.75); // along (3, 0, 4)
    expect(way[1]).toBeCloseTo(0);
  });
  it("of a crowd are one arrow a body, the sum of its contacts", () => {
    const parts = ["count", "force.x", "force.y", "force.z", "point.x", "point.y", "point.z"];
    const names = ["t", ...["a", "b"].flatMap((b) => parts.map((part) => `body.${b}.contact.${part}`))];
    const scene = readScene({ format, bodies: [{ name: "a" }, { name: "b" }] });
    const rows = makeRows(names.length);
    append(rows, Float64Array.from([0, 3, 0, 0, 5, 1, 2, 0.5, 0, 0, 0, 0, 0, 0, 0])); // b touches nothing
    const take = makeTake({ name: "", title: "", live: false }, scene, names.map((name) => ({ name, unit: "1", description: "" })), rows);
    const forces = makeForces(take, scene, false);
    moveForces(forces, take, makePoses(take, scene), colours.light.drawing, 0.1, 0.01, 10);
    expect(forces.closed).toBe(1);
    expect(forces.shafts.count).toBe(1);
    expect([...forces.points.slice(0, 3)]).toEqual([1, 2, 0.5]);
    const tip = forces.tips.instanceMatrix.array;
    expect(tip[14]! - 0.5).toBeGreaterThan(0); // up
    expect(tip[12]).toBeCloseTo(1);
    expect(forces.standing[0]).toBe(0);
  });
});

describe("poses", () => {
  const names = ["t", ...["p.x", "p.y", "p.z", "quat.w", "quat.x", "quat.y", "quat.z"].map((n) => `body.a.${n}`)];
  const scene = readScene({ format, bodies: [{ name: "a", com: [1, 0, 0] }, { name: "missing" }] });
  const rows = makeRows(8);
  const h = Math.SQRT1_2;
  append(rows, Float64Array.from([0, 1, 0, 0, 1, 0, 0, 0]));
  append(rows, Float64Array.from([1, 0, 3, 0, -h, 0, 0, -h])); // a quarter turn about z, with the other sign
  const take = makeTake({ name: "", title: "", live: false }, scene, names.map((name) => ({ name, unit: "1", description: "" })), rows);
  const poses = makePoses(take, scene);
  it("put the body's origin, not its centre of mass", () => {
    updatePoses(poses, take, 0);
    expect([...poses.p.subarray(0, 3)]).toEqual([0, 0, 0]);
    updatePoses(poses, take, 1);
    expect(poses.p[1]).toBeCloseTo(2);
    expect([...poses.seen]).toEqual([1, 0]);
  });
  it("turn the short way between rows", () => {
    updatePoses(poses, take, 0.5);
    expect(Math.abs(poses.q[0]!)).toBeCloseTo(Math.cos(Math.PI / 8));
    expect(extent(poses, take, null)).toEqual({ low: [0, 0, 0], high: [1, 3, 0] });
  });
  it("reach as far as points on the body, turned with it", () => {
    const box = extent(poses, take, 1, [{ body: 0, arm: [2, 0, 0] }]); // x has become y
    expect(box.high[1]).toBeCloseTo(5);
    expect(box.high[0]).toBeCloseTo(0);
  });
});

describe("the ground below", () => {
  it("is measured along up", () => {
    expect(groundBelow({ kind: "plane", normal: [0, 0, 1], height: 0.5 }, [3, 4, 2], [0, 0, 1], 0)).toBeCloseTo(1.5);
    const field = { kind: "heights" as const, nx: 2, ny: 2, x0: 0, y0: 0, dx: 1, dy: 1, z: [0, 0, 1, 1] };
    expect(groundBelow(field, [0.5, 0.5, 2], [0, 0, 1], 0)).toBeCloseTo(1.5);
  });
});

describe("a tube", () => {
  const circle = (n: number, r: number): Float64Array => Float64Array.from(Array.from({ length: n }, (_, i) => [r * Math.cos(0.1 * i), r * Math.sin(0.1 * i), 0]).flat());
  it("around a circle has its curvature all along", () => {
    const tube = makeTube(20);
    shapeTube(tube, circle(20, 2), 0.05);
    for (const bend of tube.bend) expect(bend).toBeCloseTo(0.5, 6);
  });
  it("is as thick as the rod everywhere, with normals that point out", () => {
    const tube = makeTube(6, 3, 8);
    const p = circle(6, 1);
    shapeTube(tube, p, 0.1);
    for (let i = 0; i < 6; i++)
      for (let s = 0; s < 8; s++) {
        const v = 3 * (3 * i * 8 + s);
        const d = [0, 1, 2].map((k) => tube.at[v + k]! - p[3 * i + k]!);
        expect(Math.hypot(...d)).toBeCloseTo(0.1, 6);
        expect(d.reduce((sum, x, k) => sum + x * tube.out[v + k]!, 0)).toBeCloseTo(0.1, 6);
      }
  });
  it("does not twist along a straight line", () => {
    const tube = makeTube(4);
    shapeTube(tube, Float64Array.from([0, 0, 0, 0, 0, 1, 0, 0, 2, 0, 0, 3]), 0.1);
    for (let r = 0; r < tube.rings; r++) expect(tube.at[3 * r * 12]).toBeCloseTo(tube.at[0]!, 9);
    expect(Math.max(...tube.bend)).toBeLessThan(1e-6);
    expect(tube.index.length).toBe(6 * 12 * (tube.rings - 1) + 2 * 3 * 10); // with both ends closed
  });
});
