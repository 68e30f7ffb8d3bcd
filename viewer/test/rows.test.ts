import { describe, expect, it } from "vitest";
import { append, makeRows, rowAt, valueAt } from "../src/data/rows";

const row = (t: number): number[] => [t, 10 * t];

describe("rows", () => {
  it("come back as they were put in, across pieces", () => {
    const rows = makeRows(2);
    rows.pieceRows = 3;
    append(rows, Float64Array.from([0, 1, 2, 3, 4].flatMap(row)));
    append(rows, Float64Array.from([5, 6].flatMap(row)));
    expect(rows.count).toBe(7);
    expect(rows.pieces.length).toBe(3);
    for (let i = 0; i < 7; i++) expect(valueAt(rows, i, 1)).toBe(10 * i);
  });

  it("drop the oldest piece where memory ends, and never more", () => {
    const rows = makeRows(2);
    rows.pieceRows = 3;
    rows.limit = 2;
    for (let t = 0; t < 20; t++) {
      append(rows, Float64Array.from(row(t)));
      expect(rows.pieces.length).toBeLessThanOrEqual(2);
      expect(rows.count + rows.dropped).toBe(t + 1);
      expect(rows.count).toBeGreaterThanOrEqual(Math.min(t + 1, 4));
      expect(valueAt(rows, rows.count - 1, 0)).toBe(t);
      expect(valueAt(rows, 0, 0)).toBe(rows.dropped);
    }
  });

  it("keep to the limit in bytes", () => {
    const rows = makeRows(1000, 16 << 20);
    expect(rows.limit * rows.pieceRows * 8 * 1000).toBeLessThanOrEqual(16 << 20);
  });

  it("are found by their time", () => {
    const rows = makeRows(2);
    rows.pieceRows = 4;
    append(rows, Float64Array.from([0, 1, 2, 3, 4, 5, 6].flatMap(row)));
    expect(rowAt(rows, 0, -1)).toBe(0);
    expect(rowAt(rows, 0, 3)).toBe(3);
    expect(rowAt(rows, 0, 3.99)).toBe(3);
    expect(rowAt(rows, 0, 99)).toBe(6);
  });
});
