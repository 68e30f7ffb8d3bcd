// Many equal solids in one draw call. Matrices are written straight into the array that goes to the graphics card.
import { BufferGeometry, Color, DynamicDrawUsage, InstancedMesh, type Material } from "three";

export function instances(geometry: BufferGeometry, material: Material, n: number): InstancedMesh {
  const mesh = new InstancedMesh(geometry, material, Math.max(n, 1));
  mesh.count = n;
  mesh.instanceMatrix.setUsage(DynamicDrawUsage);
  mesh.frustumCulled = false; // its bounds move with the robot
  for (let i = 0; i < Math.max(n, 1); i++) mesh.setColorAt(i, white);
  return mesh;
}
const white = new Color(1, 1, 1);

// m[16 i..] = place p, orientation q (w, x, y, z), scale (sx, sy, sz)
export function writeMatrix(
  m: Float32Array,
  i: number,
  px: number, py: number, pz: number,
  w: number, x: number, y: number, z: number,
  sx: number, sy: number, sz: number,
): void {
  const o = 16 * i;
  m[o] = (1 - 2 * (y * y + z * z)) * sx;
  m[o + 1] = 2 * (x * y + w * z) * sx;
  m[o + 2] = 2 * (x * z - w * y) * sx;
  m[o + 3] = 0;
  m[o + 4] = 2 * (x * y - w * z) * sy;
  m[o + 5] = (1 - 2 * (x * x + z * z)) * sy;
  m[o + 6] = 2 * (y * z + w * x) * sy;
  m[o + 7] = 0;
  m[o + 8] = 2 * (x * z + w * y) * sz;
  m[o + 9] = 2 * (y * z - w * x) * sz;
  m[o + 10] = (1 - 2 * (x * x + y * y)) * sz;
  m[o + 11] = 0;
  m[o + 12] = px;
  m[o + 13] = py;
  m[o + 14] = pz;
  m[o + 15] = 1;
}

// A z-pointing solid of unit length from `from`, turned along the unit vector d.
export function writeAlong(m: Float32Array, i: number, px: number, py: number, pz: number, dx: number, dy: number, dz: number, radius: number, len: number): void {
  const w = 1 + dz;
  if (w < 1e-9) return writeMatrix(m, i, px, py, pz, 0, 1, 0, 0, radius, radius, len);
  const s = 1 / Math.hypot(w, dx, dy);
  writeMatrix(m, i, px, py, pz, w * s, -dy * s, dx * s, 0, radius, radius, len);
}
