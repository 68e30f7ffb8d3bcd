// The grid on the ground, drawn by a shader as wide as one sees. Two of a kind: one lies over lit ground; the other is ground and grid in one
// go, without light, and takes a processor that draws by itself a third of the time.
import { Color, DoubleSide, ShaderMaterial } from "three";
import type { Palette } from "../colours";

// What changes slowly is worked out at the corners; the planes have enough of them.
const vertexShader = /* glsl */ `
  varying vec2 place; varying float fade; varying vec3 earth;
  uniform vec2 shift; uniform float half_width; uniform float spacing; uniform float reach; uniform float lined; uniform vec3 ground; uniform vec3 haze;
  void main() {
    vec4 p = modelViewMatrix * vec4(position, 1.0);
    place = (position.xy * half_width + shift) / spacing;
    fade = lined * (1.0 - smoothstep(0.25 * reach, reach, -p.z));
    earth = mix(ground, haze, smoothstep(0.28 * reach, 0.85 * reach, -p.z));
    gl_Position = projectionMatrix * p;
  }`;

// pixel: its width in units of the place; its inverse is the same for both kinds of lines but for the factor
const strength = /* glsl */ `
  varying vec2 place; varying float fade; varying vec3 earth;
  uniform vec3 colour;
  float lines(vec2 u, vec2 inverse, float widest, float width) {
    vec2 a = abs(fract(u - 0.5) - 0.5) * inverse;
    return clamp(1.0 - min(a.x, a.y) / width, 0.0, 1.0) * clamp((0.6 - widest) / 0.35, 0.0, 1.0);
  }
  float strength() {
    vec2 pixel = max(fwidth(place), vec2(1e-6));
    vec2 inverse = 1.0 / pixel;
    float widest = max(pixel.x, pixel.y);
    return fade * max(0.28 * lines(place, inverse, widest, 1.0), 0.55 * lines(0.2 * place, 5.0 * inverse, 0.2 * widest, 1.4));
  }`;

const over = /* glsl */ `${strength}
  void main() {
    float s = strength();
    if (s < 0.004) discard;
    gl_FragColor = vec4(colour, s);
    #include <colorspace_fragment>
  }`;

const all = /* glsl */ `${strength}
  void main() {
    gl_FragColor = vec4(mix(earth, colour, strength()), 1.0); // these colours are already the screen's
  }`;

const makeUniforms = () => ({
  spacing: { value: 0.1 }, reach: { value: 10 }, shift: { value: [0, 0] }, half_width: { value: 1 }, lined: { value: 1 },
  colour: { value: new Color() }, ground: { value: new Color() }, haze: { value: new Color() },
});

export type Uniforms = ReturnType<typeof makeUniforms>;
export type GridMaterial = ShaderMaterial & { uniforms: Uniforms };

export function gridOverGround(): GridMaterial {
  return new ShaderMaterial({ vertexShader, fragmentShader: over, uniforms: makeUniforms(), transparent: true, depthWrite: false, side: DoubleSide }) as GridMaterial;
}

export function groundWithGrid(): GridMaterial {
  return new ShaderMaterial({ vertexShader, fragmentShader: all, uniforms: makeUniforms(), side: DoubleSide, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 }) as GridMaterial;
}

export function paintGrid(over: GridMaterial, plain: GridMaterial | null, palette: Palette): void {
  for (const [name, colour] of [["colour", palette.grid], ["ground", palette.ground], ["haze", palette.background]] as const) {
    over.uniforms[name].value.set(colour);
    plain?.uniforms[name].value.set(colour).convertLinearToSRGB();
  }
}
