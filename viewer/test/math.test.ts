import { describe, expect, it } from "vitest";
import { scaleColour, type Rgb } from "../src/math/colour";
import { hull } from "../src/math/hull";
import { niceAbove, niceBelow, readable, short, sliderRange, unitText } from "../src/math/nice";
import { fromZ, rotate } from "../src/math/rotate";
import type { Vec3 } from "../src/data/scene";

const hullOf = (points: number[][]): number[] => {
  const out = new Int32Array(points.length + 1);
  const n = hull(Float64Array.from(points.flat()), points.length, new Int32Array(points.length), out);
  return [...out.subarray(0, n)];
};

describe("the convex hull", () => {
  it("has the corners of a square anticlockwise, without what is inside or on an edge", () => {
    expect(hullOf([[0, 0], [1, 1], [0.5, 0.5], [1, 0], [0.5, 0], [0, 1]])).toEqual([0, 3, 1, 5]);
  });
  it("of points on a line is its two ends", () => expect(hullOf([[0, 0], [2, 2], [1, 1]])).toEqual([0, 1]));
  it("of two points or one is these", () => {
    expect(hullOf([[1, 0], [0, 0]])).toEqual([1, 0]);
    expect(hullOf([[1, 0]])).toEqual([0]);
  });
  it("holds all points of a cloud", () => {
    const points = Array.from({ length: 60 }, (_, i) => [Math.sin(7 * i) * (i % 9), Math.cos(5 * i) * (i % 7)]);
    const h = hullOf(points);
    h.forEach((a, k) => {
      const [p, q] = [points[a]!, points[h[(k + 1) % h.length]!]!];
      for (const r of points) expect((q[0]! - p[0]!) * (r[1]! - p[1]!) - (q[1]! - p[1]!) * (r[0]! - p[0]!)).toBeGreaterThan(-1e-9);
    });
  });
});

describe("colours", () => {
  const lightness = (c: Rgb): number => 0.2126 * c[0] ** 2.2 + 0.7152 * c[1] ** 2.2 + 0.0722 * c[2] ** 2.2;
  it("get darker all the way on light ground, brighter on dark", () => {
    for (const dark of [false, true])
      for (let i = 1; i <= 20; i++) {
        const step = lightness(scaleColour(i / 20, dark, [0, 0, 0])) - lightness(scaleColour((i - 1) / 20, dark, [0, 0, 0]));
        expect(dark ? step : -step).toBeGreaterThan(0);
      }
  });
  it("stay at the ends beyond the scale", () => {
    expect(scaleColour(7, false, [0, 0, 0])).toEqual(scaleColour(1, false, [0, 0, 0]));
    expect(scaleColour(NaN, false, [0, 0, 0])).toEqual(scaleColour(0, false, [0, 0, 0]));
  });
});

describe("numbers for people", () => {
  it("are 1, 2 or 5 times a power of ten", () => {
    expect([0.13, 0.5, 7, 4.9, 1000].map(niceBelow)).toEqual([0.1, 0.5, 5, 2, 1000]);
    expect([0.13, 0.5, 7, 2.1, 1000].map((x) => Number(niceAbove(x).toPrecision(6)))).toEqual([0.2, 0.5, 10, 5, 1000]);
  });
  it("have about four digits", () => {
    expect([0, 1.23456, -12.3456, 123456, 0.00012, -1e-9, NaN, Infinity].map(readable)).toEqual(["0", "1.235", "\u221212.35", "1.23e5", "1.20e\u22124", "\u22121.00e\u22129", "\u2013", "\u221e"]);
    expect([10, 0.5, 100, 0.25].map(short)).toEqual(["10", "0.5", "100", "0.25"]);
    expect(unitText("1")).toBe("");
    expect(unitText("m/s^2")).toBe("m/s\u00b2");
  });
});

describe("a slider", () => {
  const range = (value: number, low: number | null = null, high: number | null = null, def = value) => sliderRange({ value, default: def, low, high });
  it("keeps to the bounds that the scenario has", () => expect(range(0.5, 0, 1)).toMatchObject({ low: 0, high: 1 }));
  it("reaches to twice the default where there is no bound", () => {
    expect(range(30, 0, null)).toMatchObject({ low: 0, high: 100 });
    expect(range(-9.81)).toMatchObject({ low: -20, high: 20 });
    expect(range(0)).toMatchObject({ low: -1, high: 1 });
  });
  it("of a limit that is infinite still has a range", () => {
    expect(range(Infinity, 0, null)).toMatchObject({ low: 0, high: 1 });
    expect(range(Infinity, 0, null, 5)).toMatchObject({ low: 0, high: 10 });
  });
  it("always holds the present value, in fine steps", () => {
    for (const v of [-3e4, -1, 0, 1e-6, 0.2, 5, 700]) {
      const r = range(v, null, null, 1);
      expect(r.low).toBeLessThanOrEqual(v);
      expect(r.high).toBeGreaterThanOrEqual(v);
      expect((r.high - r.low) / r.step).toBeGreaterThanOrEqual(200 - 1e-6);
    }
  });
});

describe("rotations", () => {
  it("take z to any direction", () => {
    for (const d of [[1, 0, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1], [0.6, 0, -0.8]] as Vec3[]) rotate(fromZ(d), [0, 0, 1]).forEach((x, i) => expect(x).toBeCloseTo(d[i]!, 12));
  });
});
