// Materials of solid things. A machine without a graphics card draws every pixel on the processor: there they are plainer.
import { FrontSide, MeshLambertMaterial, MeshStandardMaterial, type MeshLambertMaterialParameters } from "three";

export type Solid = MeshLambertMaterial | MeshStandardMaterial;

let known: boolean | null = null;

export function drawnBySoftware(): boolean {
  if (known !== null) return known;
  const gl = document.createElement("canvas").getContext("webgl2");
  const about = gl?.getExtension("WEBGL_debug_renderer_info");
  const name = gl && about ? String(gl.getParameter(about.UNMASKED_RENDERER_WEBGL)) : "";
  gl?.getExtension("WEBGL_lose_context")?.loseContext();
  return (known = /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name));
}

export const matt = (options: MeshLambertMaterialParameters = {}): MeshLambertMaterial => new MeshLambertMaterial(options);

export function glossy(options: MeshLambertMaterialParameters = {}): Solid {
  if (drawnBySoftware()) return matt({ ...options, shadowSide: FrontSide });
  return new MeshStandardMaterial({ roughness: 0.55, metalness: 0.05, shadowSide: FrontSide, ...(options as object) });
}
