// What a motion stands on: lights, a grid, a floor.
import * as THREE from "three";
import { reachOf, solids } from "./items.js";

export function lights(scene) {
  const dark = scene.theme.name === "dark";
  scene.world.add(new THREE.HemisphereLight(0xffffff, dark ? 0x2a2f38 : 0xd8d2c4, dark ? 1.15 : 1.5));
  const sun = new THREE.DirectionalLight(0xfff4e2, 1.9);
  const r = scene.extent;
  const center = scene.box.getCenter(new THREE.Vector3());
  scene.sun = sun;
  const offset = scene.plane === "xy" ? [-0.5, 0.8, 1.6] : scene.upright === "y" ? [0.6, 1.7, 0.5] : [0.6, -0.5, 1.7];
  scene.sunAt = new THREE.Vector3(...offset).multiplyScalar(r * 1.5);
  sun.position.copy(center).add(scene.sunAt);
  sun.target.position.copy(center);
  if (!scene.plane) {
    sun.castShadow = true;
    sun.shadow.mapSize.set(1024, 1024);
    const s = scene.near ? scene.size : r;
    Object.assign(sun.shadow.camera, { left: -s, right: s, top: s, bottom: -s, near: r * 0.1, far: r * 6 });
    sun.shadow.normalBias = s * 0.004;
    sun.shadow.radius = 4;
  }
  scene.world.add(sun, sun.target);
}

// Is the lowest thing one that stays where it is? Then it stands on the floor.
function rests(scene, low) {
  const k = scene.upright === "y" ? 1 : 2;
  const half = (item) => (item.kind === "box" && !item.turn ? item.size[k].at(0) / 2 : reachOf(item));
  return scene.items.some((i) => solids.includes(i.kind) && !i.moves && i.at[k].value - half(i) < low + 0.02 * scene.extent);
}

const vertexShader = "varying vec2 at; void main() { at = position.xy; gl_Position = projectionMatrix*modelViewMatrix*vec4(position, 1.0); }";
const fragmentShader = `
  varying vec2 at;
  uniform float cell, fade, shown;
  uniform vec3 color, strong;
  uniform vec2 shift, origin;
  float lines(vec2 p, float width) {
    vec2 w = max(fwidth(p), 1e-12);
    vec2 d = abs(fract(p - 0.5) - 0.5)/w;
    vec2 l = 1.0 - min(d/width, 1.0);
    float thick = 1.0 - smoothstep(0.25, 0.9, max(w.x, w.y));
    return max(l.x, l.y)*thick;
  }
  void main() {
    float small = lines((at + shift)/cell, 1.0)*0.5, large = lines((at + shift)/(cell*5.0), 1.2)*0.8;
    vec2 axis = abs(at - origin)/max(fwidth(at), 1e-12);
    float a = (1.0 - min(min(axis.x, axis.y)/1.4, 1.0))*0.9;
    float far = 1.0 - smoothstep(0.25, 1.0, length(at)/fade);
    float alpha = max(max(small*0.7, large), a)*far*shown;
    gl_FragColor = vec4(mix(color, strong, max(large, a)), alpha*0.75);
    #include <colorspace_fragment>
  }`;

// A grid that fades out. centreAt() puts its middle elsewhere in its own axes:
// lines stand where the whole has them, the axes where it is 0.
function gridOf(scene, reach) {
  const c = scene.theme.colors;
  const step = 10 ** Math.floor(Math.log10(scene.size / 2));
  const cell = scene.size / step > 12 ? step * 2 : step;
  const instruments = scene.items.some((i) => i.kind === "dial" || i.kind === "slider");
  const uniforms = {
    cell: { value: cell }, color: { value: new THREE.Color(c.grid) }, strong: { value: new THREE.Color(c.gridStrong) },
    shift: { value: new THREE.Vector2() }, origin: { value: new THREE.Vector2() }, fade: { value: scene.plane ? 1e9 : reach * 0.8 }, shown: { value: instruments ? 0 : 1 },
  };
  const material = new THREE.ShaderMaterial({ transparent: true, depthWrite: false, side: THREE.DoubleSide, uniforms, vertexShader, fragmentShader });
  const grid = new THREE.Mesh(new THREE.PlaneGeometry(2 * reach, 2 * reach), material);
  grid.renderOrder = -2;
  const centreAt = (x, y) => {
    const five = 5 * cell;
    uniforms.shift.value.set(x - Math.floor(x / five) * five, y - Math.floor(y / five) * five);
    uniforms.origin.value.set(-x, -y);
  };
  return { grid, centreAt };
}

// It takes shadows.
function floorOf(scene, reach) {
  const floor = new THREE.Mesh(new THREE.PlaneGeometry(2 * reach, 2 * reach), new THREE.ShadowMaterial({ opacity: scene.theme.colors.shadow, depthWrite: false }));
  floor.receiveShadow = true;
  floor.renderOrder = -1;
  return floor;
}

// How high the floor is: what rolls on the plane through the origin is shown to do so.
function levelOf(scene) {
  const k = scene.upright === "y" ? 1 : 2;
  const low = scene.box.min.getComponent(k);
  const touched = scene.items.find((i) => i.kind === "contact" && i.at[k].fixed)?.at[k].value;
  if (Number.isFinite(touched) && touched <= low + scene.extent * 0.5) return touched;
  return low >= -0.02 * scene.extent ? Math.min(0, low) : low - (rests(scene, low) ? 0 : 0.04) * scene.extent;
}

// A grid, and in space a floor; scene.groundTo() takes both along.
export function ground(scene) {
  // what is looked at from near has its grid around it:
  // far out numbers of a shader have too few digits
  const reach = scene.near ? scene.size * (scene.plane ? 12 : 8) : scene.extent * (scene.plane ? 30 : 3.2);
  const { grid, centreAt } = gridOf(scene, reach);
  const both = new THREE.Group();
  both.add(grid);
  if (scene.plane === "xy") {
    scene.groundTo = (p) => {
      both.position.set(p.x, p.y, scene.box.min.z - scene.extent * 0.2);
      centreAt(p.x, p.y);
    };
  } else if (scene.plane === "xz") {
    both.rotation.x = Math.PI / 2;
    scene.groundTo = (p) => {
      both.position.set(p.x, scene.box.max.y + scene.extent * 0.2, p.z);
      centreAt(p.x, p.z);
    };
  } else {
    const y = scene.upright === "y";
    const level = levelOf(scene);
    if (y) both.rotation.x = -Math.PI / 2;
    scene.groundTo = (p) => {
      both.position.set(p.x, y ? level : p.y, y ? p.z : level - 1e-4 * scene.extent);
      centreAt(p.x, y ? -p.z : p.y);
    };
    both.add(floorOf(scene, reach));
  }
  scene.groundTo(scene.box.getCenter(new THREE.Vector3()));
  scene.world.add(both);
}
