import { describe, expect, it } from "vitest";
import { axisOf, drawnOf, edgesOf, firstChoice, sortedRows, type Cell, type Study } from "../src/data/study";

const study = (rows: Cell[][], aims: string[] = []): Study => ({
  name: "s.h5", scenario: "basics/pendulum", kind: "sweep", total: rows.length, at_work: false, aims,
  columns: [
    { name: "row", unit: "1", role: "row" }, { name: "mass", unit: "kg", role: "key" }, { name: "solver", unit: "", role: "key" },
    { name: "status", unit: "", role: "status" }, { name: "speed", unit: "m/s", role: "result" }, { name: "work", unit: "J", role: "result" },
    { name: "reason", unit: "", role: "reason" },
  ],
  rows,
});
const grid = study([
  [0, 1, "tree", "done", 10, 1, ""], [1, 1, "maximal", "done", 20, 2, ""],
  [2, 3, "tree", "failed", 99, 3, "diverged"], [3, 3, "maximal", "stopped", null, 4, "z < 0"],
]);

describe("a study", () => {
  it("is first drawn over its keys, or over the aims of a search with several", () => {
    expect(firstChoice(grid)).toEqual({ x: "mass", y: "solver", colour: "speed" });
    expect(firstChoice(study([], ["work"]))).toEqual({ x: "mass", y: "solver", colour: "work" });
    expect(firstChoice(study([], ["work", "speed"]))).toEqual({ x: "work", y: "speed", colour: "work" });
  });

  it("numbers words in the order in which they come", () => {
    expect(axisOf(grid, "solver")).toEqual({ values: [0, 1, 0, 1], words: ["tree", "maximal"] });
    expect(axisOf(grid, "speed")).toEqual({ values: [10, 20, 99, NaN], words: [] });
  });

  it("shows no number of a run that failed, but its place", () => {
    const drawn = drawnOf(grid, firstChoice(grid));
    expect(drawn.isGrid).toBe(true);
    expect(drawn.spots).toEqual([
      { x: 1, y: 0, rows: [0], value: 10 }, { x: 1, y: 1, rows: [1], value: 20 },
      { x: 3, y: 0, rows: [2], value: NaN }, { x: 3, y: 1, rows: [3], value: NaN },
    ]);
  });

  it("takes rows at the same place together, with the mean of those that went well", () => {
    const twice = study([[0, 1, "tree", "done", 10, 1, ""], [1, 1, "tree", "done", 30, 1, ""], [2, 1, "tree", "failed", 5, 1, "x"]]);
    const { spots, isGrid } = drawnOf(twice, { x: "mass", y: "solver", colour: "speed" });
    expect(spots).toEqual([{ x: 1, y: 0, rows: [0, 1, 2], value: 20 }]);
    expect(isGrid).toBe(false);
  });

  it("is a cloud of points where few of the fields are there", () => {
    const few = study([0, 1, 2, 3].map((i): Cell[] => [i, i, "tree", "done", i, i, ""]));
    expect(drawnOf(few, { x: "mass", y: "speed", colour: "work" }).isGrid).toBe(false);
  });

  it("has borders half way between its values", () => {
    expect(edgesOf([4, 1, 2, 4])).toEqual({ centres: [1, 2, 4], edges: [0.5, 1.5, 3, 5] });
  });

  it("sorts both ways, rows without a value last", () => {
    expect(sortedRows(grid, "speed", false)).toEqual([0, 1, 2, 3]);
    expect(sortedRows(grid, "speed", true)).toEqual([2, 1, 0, 3]);
    expect(sortedRows(grid, "solver", false)).toEqual([1, 3, 0, 2]);
  });
});
