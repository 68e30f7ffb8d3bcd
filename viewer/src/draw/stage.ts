// Renderer, lights and camera: what every scene needs. Where frames come too slowly, the picture gets plainer step by step; the run never
// waits for it.
import { BasicShadowMap, Color, DirectionalLight, Fog, HemisphereLight, PCFSoftShadowMap, PerspectiveCamera, Scene, Vector3, WebGLRenderer } from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import type { Palette } from "../colours";
import type { Vec3 } from "../data/scene";
import { drawnBySoftware } from "./solid";

export const finest = -1; // level for stills: smooth edges without the card's help
export const plainest = 4;
export const isPlain = (level: number): boolean => level >= 2;

export interface Stage {
  renderer: WebGLRenderer;
  scene: Scene;
  camera: PerspectiveCamera;
  controls: OrbitControls;
  sun: DirectionalLight;
  sky: HemisphereLight;
  up: Vector3;
  e1: Vector3; // two level directions, e1 x e2 = up
  e2: Vector3;
  level: number; // of plainness: 0 all, 1 one point per pixel, 2 no shadows and fewer triangles, 3 coarse, 4 coarser
  shadows: boolean; // wanted
  dirty: boolean;
}

function makeControls(stage: Pick<Stage, "camera" | "renderer">, changed: () => void): OrbitControls {
  const controls = new OrbitControls(stage.camera, stage.renderer.domElement);
  controls.enableDamping = true;
  controls.dampingFactor = 0.15;
  controls.screenSpacePanning = true;
  controls.addEventListener("change", changed);
  return controls;
}

export function makeStage(host: HTMLElement): Stage {
  const plain = drawnBySoftware();
  const renderer = new WebGLRenderer({ antialias: !plain, powerPreference: "high-performance" });
  renderer.shadowMap.enabled = true;
  renderer.shadowMap.type = plain ? BasicShadowMap : PCFSoftShadowMap;
  host.append(renderer.domElement);
  const camera = new PerspectiveCamera(38, 1, 0.01, 100);
  const scene = new Scene();
  scene.fog = new Fog(0, 1, 10);
  scene.background = new Color();
  const sun = new DirectionalLight(0xffffff, 2);
  sun.castShadow = true;
  sun.shadow.mapSize.setScalar(plain ? 1024 : 2048);
  sun.shadow.radius = 3;
  const sky = new HemisphereLight(0xffffff, 0x888888, 1.5);
  scene.add(sun, sun.target, sky);
  const stage: Stage = {
    renderer, scene, camera, sun, sky,
    controls: null as unknown as OrbitControls,
    up: new Vector3(0, 0, 1), e1: new Vector3(1, 0, 0), e2: new Vector3(0, 1, 0),
    level: 0, shadows: true, dirty: true,
  };
  setUp(stage, [0, 0, 1]);
  return stage;
}

// Orbit controls take the camera's up when they are made, and never again.
export function setUp(stage: Stage, up: Vec3): void {
  stage.up.set(...up);
  stage.e1.set(1, 0, 0);
  if (Math.abs(stage.up.x) > 0.9) stage.e1.set(0, 1, 0);
  stage.e1.addScaledVector(stage.up, -stage.e1.dot(stage.up)).normalize();
  stage.e2.crossVectors(stage.up, stage.e1);
  stage.camera.up.copy(stage.up);
  const target = (stage.controls as OrbitControls | null)?.target.clone();
  (stage.controls as OrbitControls | null)?.dispose();
  stage.controls = makeControls(stage, () => (stage.dirty = true));
  if (target) stage.controls.target.copy(target);
  stage.sky.position.copy(stage.up);
}

export function paintStage(stage: Stage, palette: Palette): void {
  (stage.scene.background as Color).set(palette.background);
  (stage.scene.fog as Fog).color.set(palette.background);
  stage.sun.intensity = palette.sun;
  stage.sky.intensity = palette.ambient;
  stage.sky.color.set(palette.sky);
  stage.sky.groundColor.set(palette.floorLight);
  stage.dirty = true;
}

export function resize(stage: Stage, width: number, height: number): void {
  const screen = window.devicePixelRatio;
  const ratio = stage.level === finest ? Math.max(screen, 2) : stage.level === 0 ? Math.min(screen, 2) : stage.level < 3 ? 1 : stage.level === 3 ? 0.7 : 0.5;
  stage.renderer.setPixelRatio(ratio);
  stage.renderer.setSize(width, height, false);
  stage.camera.aspect = width / Math.max(height, 1);
  stage.camera.updateProjectionMatrix();
  stage.dirty = true;
}

export function setLevel(stage: Stage, level: number): void {
  stage.level = level;
  stage.sun.castShadow = stage.shadows && !isPlain(level);
  const canvas = stage.renderer.domElement;
  resize(stage, canvas.clientWidth, canvas.clientHeight);
}

// Light, clipping and haze go along with what is looked at. size: of the robot [m]
export function aim(stage: Stage, centre: Vec3, size: number): void {
  const { sun, camera, controls } = stage;
  const distance = camera.position.distanceTo(controls.target);
  camera.near = Math.max(distance / 200, 1e-4);
  camera.far = 60 * distance + 20 * size;
  camera.updateProjectionMatrix();
  const fog = stage.scene.fog as Fog;
  fog.near = 4 * distance + size;
  fog.far = 12 * distance + 2 * size;
  sun.target.position.set(...centre);
  sun.position.copy(sun.target.position).addScaledVector(stage.up, 3 * size).addScaledVector(stage.e1, 0.9 * size).addScaledVector(stage.e2, -1.3 * size);
  const half = 1.1 * size;
  const box = sun.shadow.camera;
  if (box.right !== half) {
    box.left = box.bottom = -half;
    box.right = box.top = half;
    box.near = 0.1 * size;
    box.far = 8 * size;
    box.updateProjectionMatrix();
    sun.shadow.normalBias = 0.002 * size; // about two points of the map: less speckles, more lets shadows come off their bodies
    sun.shadow.bias = -0.0002;
  }
}
