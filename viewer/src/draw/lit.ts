// Light by the corner instead of the pixel, for what draws on the processor: matt surfaces as three.js has them, with haze, in the colours
// of the screen. No shadows.
import { ShaderMaterial, UniformsLib, UniformsUtils } from "three";

const vertexShader = /* glsl */ `
  #include <common>
  #include <lights_pars_begin>
  #include <colorspace_pars_fragment>
  uniform vec3 fogColor; uniform float fogNear; uniform float fogFar;
  varying vec3 seen;
  void main() {
    vec4 p = modelViewMatrix * vec4(position, 1.0);
    vec3 n = normalize(normalMatrix * normal);
    vec3 light = getHemisphereLightIrradiance(hemisphereLights[0], n) + directionalLights[0].color * max(dot(n, directionalLights[0].direction), 0.0);
    seen = sRGBTransferOETF(vec4(mix(color * light * RECIPROCAL_PI, fogColor, smoothstep(fogNear, fogFar, -p.z)), 1.0)).rgb;
    gl_Position = projectionMatrix * p;
  }`;

const fragmentShader = /* glsl */ `
  varying vec3 seen;
  void main() { gl_FragColor = vec4(seen, 1.0); }`;

export function litByCorner(): ShaderMaterial {
  const uniforms = UniformsUtils.merge([UniformsLib.lights, UniformsLib.fog]);
  return new ShaderMaterial({ vertexShader, fragmentShader, uniforms, lights: true, fog: true, vertexColors: true });
}
