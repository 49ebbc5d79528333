// Where one looks from: the whole motion in view, or along with what moves.
import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { forceLength } from "./arrows.js";
import { boxAt, coneBox, homeBox } from "./extent.js";
import { acting, reachOf, solids } from "./items.js";

const here = new THREE.Vector3();
const ROOM = 0.16; // around what is seen, as a part of it
const COVERED = 0.3; // of the height or width, at most: what stands before the picture

// Words and buttons stand before the picture; what is looked at is between them. In pixels.
export function leaveRoom(scene, { above, below, right }) {
  const { clientWidth: w, clientHeight: h } = scene.host;
  if (!w || !h) return;
  const part = Math.min(1, (COVERED * h) / Math.max(above + below, 1));
  const aside = Math.min(right, COVERED * w);
  scene.open = { x: 1 - aside / w, y: 1 - ((above + below) * part) / h };
  scene.moved = { x: aside / 2, y: ((below - above) * part) / 2 };
}

export function makeCamera(scene) {
  const flat = !!scene.plane;
  scene.camera = flat ? new THREE.OrthographicCamera() : new THREE.PerspectiveCamera(38, 1, scene.extent * 0.01, scene.extent * 60);
  scene.upright = scene.data.scene.gravity[1] !== 0 && scene.data.scene.gravity[2] === 0 ? "y" : "z";
  scene.camera.up.set(0, scene.plane === "xy" || scene.upright === "y" ? 1 : 0, scene.plane === "xy" || scene.upright === "y" ? 0 : 1);
  scene.controls = new OrbitControls(scene.camera, scene.renderer.domElement);
  scene.controls.enableDamping = true;
  scene.controls.dampingFactor = 0.12;
  scene.controls.zoomToCursor = true;
  if (flat) {
    scene.controls.enableRotate = false;
    scene.controls.mouseButtons = { LEFT: THREE.MOUSE.PAN, MIDDLE: THREE.MOUSE.DOLLY, RIGHT: THREE.MOUSE.PAN };
    scene.controls.touches = { ONE: THREE.TOUCH.PAN, TWO: THREE.TOUCH.DOLLY_PAN };
  } else {
    scene.controls.maxPolarAngle = Math.PI * 0.92;
  }
  scene.controls.addEventListener("change", () => (scene.dirty = true));
}

// Room for what is followed, as long as it ever is.
function nearBox(scene) {
  const box = boxAt(scene, scene.row);
  const size = box.getSize(new THREE.Vector3());
  return box.expandByScalar(Math.max(scene.near * 0.5, scene.near - Math.max(size.x, size.y, size.z) / 2));
}

// Points of all that is seen along the motion, with how far it reaches around them.
function cloud(scene) {
  const points = [];
  const add = (p, r) => Number.isFinite(p.x + p.y + p.z) && points.push([p.clone(), r]);
  const rows = Array.from({ length: 49 }, (_, i) => Math.round((i * (scene.data.rows - 1)) / 48));
  for (const item of scene.items) {
    if (["force", "couple", "contact", "dial", "slider"].includes(item.kind)) continue;
    const at = item.place(0, new THREE.Vector3());
    if (item.mesh && !item.turn) {
      const position = item.mesh.attributes.position;
      const step = Math.max(1, Math.floor(position.count / 200));
      for (let i = 0; i < position.count; i += step) add(here.fromBufferAttribute(position, i).add(at), 0);
      continue;
    }
    if (item.kind === "cone") {
      const box = coneBox(item);
      for (let i = 0; i < 8; i++) add(here.set(i & 1 ? box.max.x : box.min.x, i & 2 ? box.max.y : box.min.y, i & 4 ? box.max.z : box.min.z), 0);
      continue;
    }
    const r = item.kind === "plate" || item.kind === "plane" ? (item.reach ?? item.size[0].at(0)) : reachOf(item);
    for (const row of item.moves ? rows : [0]) {
      add(item.place(row, here), r);
      if (item.to) add(item.target(row, here), 0);
    }
  }
  for (const item of scene.items.filter((i) => i.kind === "force")) {
    for (const row of rows) {
      const force = item.target(row, new THREE.Vector3());
      const size = force.length();
      if (!(size > 0)) continue;
      const tip = force.multiplyScalar(forceLength(scene, size) / size).add(item.place(row, here));
      for (const p of [here, tip]) if (scene.seen.containsPoint(p)) add(p, 0);
    }
  }
  return points;
}

// Where to look and from how far, so that all of it is seen from that side,
// with some room around it.
function look(scene, points, center, direction, aspect) {
  const right = new THREE.Vector3().crossVectors(scene.camera.up, direction).normalize();
  const above = new THREE.Vector3().crossVectors(direction, right);
  const tangent = Math.tan((scene.camera.fov * Math.PI) / 360);
  const target = center.clone();
  for (const axis of [right, above]) {
    let [low, high] = [Infinity, -Infinity];
    for (const [p, r] of points) {
      const x = here.copy(p).sub(center).dot(axis);
      [low, high] = [Math.min(low, x - r), Math.max(high, x + r)];
    }
    if (low < high) target.addScaledVector(axis, (low + high) / 2);
  }
  let distance = scene.size * 0.2;
  for (const [p, r] of points) {
    here.copy(p).sub(target);
    const [x, y, z] = [right, above, direction].map((axis) => here.dot(axis));
    distance = Math.max(distance, z + (1.15 * (Math.abs(y) + r)) / (tangent * scene.open.y), z + (1.15 * (Math.abs(x) + r)) / (tangent * aspect * scene.open.x));
  }
  return { target, distance };
}

// What is followed: the first thing that moves along.
function followedPlace(scene, row) {
  const goes = (i) => !i.at.every((c) => c.fixed);
  const item = scene.items.find((i) => goes(i) && solids.includes(i.kind)) ?? scene.items.find((i) => goes(i) && i.kind === "path") ?? scene.items.find((i) => goes(i) && !acting.includes(i.kind));
  return item ? item.place(row, new THREE.Vector3()) : null;
}

// Half the height that is seen.
function viewOf(scene, size, aspect) {
  const [w, h] = scene.plane === "xy" ? [size.x, size.y] : [size.x, size.z];
  const whole = scene.home ? Math.max(w, h) : scene.near ? scene.near : scene.extent;
  const room = (scene.options.follow ? whole : scene.extent) * ROOM;
  return Math.max((h + room) / 2 / scene.open.y, (w + room) / 2 / aspect / scene.open.x);
}

function frameFlat(scene, box, center, size, aspect) {
  scene.view = viewOf(scene, size, aspect);
  const eye = scene.plane === "xy" ? new THREE.Vector3(0, 0, 1) : new THREE.Vector3(0, -1, 0);
  scene.camera.position.copy(center).addScaledVector(eye, scene.extent * 10);
  scene.camera.near = 0.01 * scene.extent;
  scene.camera.far = 40 * scene.extent;
  scene.camera.zoom = 1;
}

function frameSpace(scene, box, center, size, aspect) {
  const direction = scene.upright === "z" ? new THREE.Vector3(0.62, -1, 0.5) : new THREE.Vector3(0.62, 0.45, 1);
  const half = size.multiplyScalar(0.5);
  const corners = Array.from({ length: 8 }, (_, i) => [new THREE.Vector3(i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z).add(center), 0]);
  const points = box === scene.seen ? (scene.points ??= cloud(scene)) : corners;
  const { target, distance } = look(scene, points.length ? points : corners, center, direction.normalize(), aspect);
  center.copy(target);
  scene.camera.position.copy(center).addScaledVector(direction, distance);
}

// Look at the whole motion, or at what is followed.
export function frame(scene) {
  const box = !scene.options.follow ? scene.seen : scene.home ? homeBox(scene, scene.row) : scene.near ? nearBox(scene) : scene.seen;
  const center = box.getCenter(new THREE.Vector3());
  const size = box.getSize(new THREE.Vector3());
  (scene.plane ? frameFlat : frameSpace)(scene, box, center, size, scene.aspect || 1.5);
  scene.controls.target.copy(center);
  scene.followed = !scene.options.follow ? null : scene.home ? center.clone() : followedPlace(scene, scene.row);
  scene.held = Math.max(...box.getSize(here).toArray());
  project(scene);
  scene.controls.update();
  scene.dirty = true;
}

export function project(scene) {
  if (scene.plane) {
    const w = scene.view * (scene.aspect || 1);
    Object.assign(scene.camera, { left: -w, right: w, top: scene.view, bottom: -scene.view });
  } else {
    scene.camera.aspect = scene.aspect || 1;
  }
  const { clientWidth: w, clientHeight: h } = scene.host;
  if (w && h) scene.camera.setViewOffset(w, h, scene.moved.x, scene.moved.y, w, h);
  scene.camera.updateProjectionMatrix();
}

// The machine, and what goes away from it: as much is seen as holds both.
function widen(scene, row) {
  const box = homeBox(scene, row);
  const center = box.getCenter(new THREE.Vector3());
  const size = box.getSize(new THREE.Vector3());
  const held = Math.max(size.x, size.y, size.z);
  const offset = scene.camera.position.clone().sub(scene.controls.target);
  scene.controls.target.add(center).sub(scene.followed ?? center);
  if (!scene.plane) offset.multiplyScalar(held / scene.held);
  scene.camera.position.copy(scene.controls.target).add(offset);
  if (scene.plane) scene.view = viewOf(scene, size, scene.aspect || 1.5);
  scene.followed = center;
  scene.held = held;
  project(scene);
}

export function track(scene, row) {
  if (scene.home) {
    widen(scene, row);
    return;
  }
  const now = followedPlace(scene, row);
  if (!now) return;
  if (scene.followed) {
    const moved = now.clone().sub(scene.followed);
    scene.camera.position.add(moved);
    scene.controls.target.add(moved);
  } else {
    scene.camera.position.add(now).sub(scene.controls.target);
    scene.controls.target.copy(now);
  }
  scene.followed = now;
  if (scene.near) scene.groundTo(now);
  if (scene.near && scene.sun) {  // shadows are only cast around what is looked at
    scene.sun.target.position.copy(now);
    scene.sun.position.copy(now).add(scene.sunAt);
  }
}
