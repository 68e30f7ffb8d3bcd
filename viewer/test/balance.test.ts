import { expect, test } from "vitest";
import { capturePoint } from "../src/draw/balance";

test("the capture point is ahead of the mass centre by v / w, on the ground", () => {
  const w = Math.sqrt(9.81 / 0.6);
  const p = capturePoint([1, 2, 0.7], [0.3, -0.1, 5], 0.6, [0, 0, 1], 9.81);
  expect(p[0]).toBeCloseTo(1 + 0.3 / w, 12);
  expect(p[1]).toBeCloseTo(2 - 0.1 / w, 12);
  expect(p[2]).toBeCloseTo(0.1, 12);
});
