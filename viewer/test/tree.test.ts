import { describe, expect, it } from "vitest";
import { toCsv } from "../src/data/csv";
import { makeTree, partsOf, search } from "../src/data/tree";

const column = (name: string, unit = "1", description = "") => ({ name, unit, description });

describe("the tree of signals", () => {
  it("groups by dots, and keeps a contact's own name together", () => {
    expect(partsOf("body.link1.p.x")).toEqual(["body", "link1", "p", "x"]);
    expect(partsOf("contact.link1.capsule:peg.1.friction.x")).toEqual(["contact", "link1.capsule:peg.1", "friction", "x"]);
    expect(partsOf("contacts.normal")).toEqual(["contacts", "normal"]);
  });
  it("has every signal once", () => {
    const names = ["t", "a.b.x", "a.b.y", "a.c", "a.b"];
    const found: number[] = [];
    const walk = (nodes: ReturnType<typeof makeTree>): void => nodes.forEach((n) => (n.column >= 0 && found.push(n.column), walk(n.children)));
    walk(makeTree(names.map((n) => column(n))));
    expect(found.sort()).toEqual([0, 1, 2, 3, 4]);
  });
  it("is searched by all words, in name, description and unit", () => {
    const columns = [column("joint.j1.torque", "N m", "of the drive"), column("joint.j2.torque", "N m"), column("energy.kinetic", "J")];
    expect(search(columns, "J1 torque", 9)).toEqual([0]);
    expect(search(columns, "[n m]", 9)).toEqual([0, 1]);
    expect(search(columns, "[n m]", 1)).toEqual([0]);
    expect(search(columns, "drive", 9)).toEqual([0]);
    expect(search(columns, "nothing", 9)).toEqual([]);
  });
});

describe("comma-separated values", () => {
  it("keep all digits and quote what must be", () => {
    expect(toCsv(["t", 'a,"b"'], [[0, 0.1], [1 / 3, -2e-20]])).toBe('t,"a,""b"""\n0,0.3333333333333333\n0.1,-2e-20\n');
  });
});
