import { describe, expect, it } from "vitest";
import { defaultPanels } from "../src/data/defaults";
import { append, makeRows } from "../src/data/rows";
import { extract, makeTake, rowAtTime, valueOf, type Take } from "../src/data/take";

const names: [string, string][] = [["t", "s"], ["com.v.x", "m/s"], ["com.v.y", "m/s"], ["com.v.z", "m/s"], ["contact.a.s:ground.normal", "N"], ["contact.a.s:ground.state", "1"], ["contact.b.s:ground.normal", "N"], ["contact.b.s:ground.state", "1"], ["energy.kinetic", "J"], ["energy.elastic", "J"], ["contacts.normal", "N"]];

function sample(rows: number): Take {
  const store = makeRows(names.length);
  for (let i = 0; i < rows; i++) append(store, Float64Array.from([0.1 * i, 3, 4, 0, 5, 1, 2, i > 1 ? 2 : 0, i, 1e-9 * i, 7]));
  return makeTake({ name: "x", title: "", live: false }, null, names.map(([name, unit]) => ({ name, unit, description: "" })), store);
}

describe("a take", () => {
  it("works out the speed from its columns", () => {
    const take = sample(3);
    expect(valueOf(take, 0, take.index.get("com.speed")!)).toBe(5);
  });

  it("gives the rows that cover a stretch of time", () => {
    const take = sample(10);
    const [t, e] = extract(take, [8], 0.25, 0.55);
    expect([...e!]).toEqual([2, 3, 4, 5, 6]);
    expect(t![0]).toBeCloseTo(0.2);
    expect(rowAtTime(take, 0.35)).toBe(3);
  });

  it("is refused without a time", () => {
    expect(() => makeTake({ name: "x", title: "", live: false }, null, [{ name: "a", unit: "m", description: "" }], makeRows(1))).toThrow(/no signal t/);
  });

  it("plots at first what moves, and no energy that stays as it was", () => {
    expect(defaultPanels(sample(10))).toEqual([["com.speed"], ["energy.kinetic"], ["contacts.normal"]]);
  });
});
