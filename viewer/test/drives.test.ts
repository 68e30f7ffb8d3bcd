import { expect, test } from "vitest";
import { readScene, type Drive } from "../src/data/scene";
import { bodeOf } from "../src/math/bode";
import { spanOf, ticksOf } from "../src/ui/chart";
import { boundsOf } from "../src/ui/drives";

// A lag of first order behind a held input is (1 - a) / (z - a), a = exp(-step / lag).
test("the answer of a lag to a step is its transfer function", () => {
  const [lag, step, n] = [0.01, 1e-4, 5000];
  const a = Math.exp(-step / lag);
  const t: number[] = [];
  const x: number[] = [];
  const y: number[] = [];
  let out = 0;
  for (let k = 0; k < n; k++) {
    t.push(k * step);
    x.push(k < 100 ? 0 : 1);
    y.push(out);
    out = x[k]! + (out - x[k]!) * a;
  }
  const found = bodeOf(t, x, y);
  expect(found.frequency.length).toBeGreaterThan(100);
  found.frequency.forEach((f, i) => {
    const w = 2 * Math.PI * f * step;
    const [re, im] = [Math.cos(w) - a, Math.sin(w)];
    expect(found.magnitude[i]).toBeCloseTo(20 * Math.log10((1 - a) / Math.hypot(re, im)), 6);
    expect(found.phase[i]).toBeCloseTo((-Math.atan2(im, re) * 180) / Math.PI, 6);
  });
});

test("an input that rests has no answer", () => {
  const t = Array.from({ length: 100 }, (_, k) => k * 0.01);
  expect(bodeOf(t, t.map(() => 1), t).frequency).toEqual([]);
  expect(bodeOf([0, 1], [0, 1], [0, 1]).frequency).toEqual([]);
});

test("ticks are round numbers inside of the span", () => {
  expect(ticksOf({ low: -1.1, high: 2.2 }, false)).toEqual([-1, 0, 1, 2]);
  expect(ticksOf({ low: Math.log10(2), high: Math.log10(200) }, true).map((x) => Math.round(10 ** x))).toEqual([2, 5, 10, 20, 50, 100, 200]);
  expect(ticksOf({ low: -1, high: 3 }, true).map((x) => 10 ** x)).toEqual([0.1, 1, 10, 100, 1000]);
  expect(spanOf([[NaN, 3], [3]])).toEqual({ low: 1.5, high: 4.5 });
});

test("a drive without a limit of speed has its bounds as far as the run goes", () => {
  const drive: Drive = { name: "a", turns: true, speed: [0, 0], least: [-4, -4], most: [4, 4] };
  const [most, least] = boundsOf(drive, [-1, 3]);
  expect(most).toEqual({ x: [-3, 3], y: [4, 4], kind: "bound" });
  expect(least!.y).toEqual([-4, -4]);
  expect(boundsOf({ ...drive, speed: [], least: [], most: [] }, [1])).toEqual([]);
});

test("drives of a scene have lists of the same length, or none", () => {
  const scene = readScene({ format: "sinew scene 1", drives: [{ name: "a", turns: true, speed: [0, 1], least: [-1, -2], most: [1, 2] }, { name: "b", speed: [0], least: [], most: [1] }] });
  expect(scene.drives[0]).toEqual({ name: "a", turns: true, speed: [0, 1], least: [-1, -2], most: [1, 2] });
  expect(scene.drives[1]).toEqual({ name: "b", turns: false, speed: [], least: [], most: [] });
});
