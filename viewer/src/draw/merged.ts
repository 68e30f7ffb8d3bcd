// Many equal solids as one mesh, its corners moved here. What draws on the processor takes some 25 us for each instance of an instanced mesh,
// however small; a thousand of them are 30 ms, and moving their corners here is less than one.
import { BufferAttribute, BufferGeometry, DynamicDrawUsage, Mesh, type InstancedMesh, type MeshBasicMaterial, type ShaderMaterial } from "three";
import { mergeVertices } from "three/examples/jsm/utils/BufferGeometryUtils.js";

export interface Merged {
  mesh: Mesh<BufferGeometry, MeshBasicMaterial | ShaderMaterial>;
  from: InstancedMesh;
  p: Float32Array; // corners of one, three numbers each
  n: Float32Array; // their normals
  version: number; // of the colours that are shown
  painted: number; // so many have theirs
}

// one: what each of them is; its normals may be scaled along with it. material: must take its colours from the corners
export function merge(from: InstancedMesh, one: BufferGeometry, material: MeshBasicMaterial | ShaderMaterial): Merged {
  const lean = one.clone().deleteAttribute("uv");
  const { attributes, index } = mergeVertices(lean);
  const [p, n] = [attributes.position!.array as Float32Array, attributes.normal!.array as Float32Array];
  const each = p.length / 3;
  const most = from.instanceMatrix.count;
  const geometry = new BufferGeometry();
  for (const name of ["position", "normal", "color"]) geometry.setAttribute(name, new BufferAttribute(new Float32Array(3 * each * most), 3).setUsage(DynamicDrawUsage));
  const faces = new Uint32Array(index!.count * most);
  for (let i = 0; i < most; i++) for (let k = 0; k < index!.count; k++) faces[i * index!.count + k] = index!.getX(k) + i * each;
  geometry.setIndex(new BufferAttribute(faces, 1));
  const mesh = new Mesh(geometry, material);
  mesh.frustumCulled = false;
  mesh.renderOrder = from.renderOrder;
  mesh.visible = false;
  return { mesh, from, p, n, version: -1, painted: 0 };
}

export function show(merged: Merged, is: boolean): void {
  merged.mesh.visible = is;
  merged.from.visible = !is;
}

function paint({ mesh, from, p }: Merged): void {
  const each = p.length / 3;
  const c = from.instanceColor!.array;
  const to = mesh.geometry.getAttribute("color") as BufferAttribute;
  const out = to.array as Float32Array;
  for (let i = 0, o = 0; i < from.count; i++)
    for (let k = 0; k < each; k++, o += 3) {
      out[o] = c[3 * i]!;
      out[o + 1] = c[3 * i + 1]!;
      out[o + 2] = c[3 * i + 2]!;
    }
  to.needsUpdate = true;
}

// From the matrices and colours of the instances.
export function update(merged: Merged): void {
  const { mesh, from, p, n } = merged;
  const m = from.instanceMatrix.array;
  const place = mesh.geometry.getAttribute("position") as BufferAttribute;
  const normal = mesh.geometry.getAttribute("normal") as BufferAttribute;
  const [x, y] = [place.array as Float32Array, normal.array as Float32Array];
  let o = 0;
  for (let i = 0; i < from.count; i++) {
    const a = 16 * i;
    const [xx, xy, xz] = [m[a]!, m[a + 1]!, m[a + 2]!];
    const [yx, yy, yz] = [m[a + 4]!, m[a + 5]!, m[a + 6]!];
    const [zx, zy, zz] = [m[a + 8]!, m[a + 9]!, m[a + 10]!];
    const [px, py, pz] = [m[a + 12]!, m[a + 13]!, m[a + 14]!];
    for (let k = 0; k < p.length; k += 3, o += 3) {
      const [u, v, w] = [p[k]!, p[k + 1]!, p[k + 2]!];
      x[o] = px + xx * u + yx * v + zx * w;
      x[o + 1] = py + xy * u + yy * v + zy * w;
      x[o + 2] = pz + xz * u + yz * v + zz * w;
      const [nu, nv, nw] = [n[k]!, n[k + 1]!, n[k + 2]!];
      y[o] = xx * nu + yx * nv + zx * nw;
      y[o + 1] = xy * nu + yy * nv + zy * nw;
      y[o + 2] = xz * nu + yz * nv + zz * nw;
    }
  }
  place.needsUpdate = normal.needsUpdate = true;
  mesh.geometry.setDrawRange(0, (mesh.geometry.index!.count / from.instanceMatrix.count) * from.count);
  if ("color" in mesh.material) mesh.material.color.copy((from.material as MeshBasicMaterial).color);
  if (merged.version === from.instanceColor!.version && merged.painted >= from.count) return;
  merged.version = from.instanceColor!.version;
  merged.painted = from.count;
  paint(merged);
}
