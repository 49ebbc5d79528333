// How large a motion is: the box that holds it, and the lengths to draw with.
import * as THREE from "three";
import { forceLength, measureArrows } from "./arrows.js";
import { acting, open, reachOf, solids } from "./items.js";
import { meshOf } from "./mesh.js";

const here = new THREE.Vector3();
const there = new THREE.Vector3();

// The box around what moves, as it stands at one sample.
export function boxAt(scene, row) {
  const box = new THREE.Box3();
  for (const item of scene.items) {
    if ([...acting, "contact", "plate", "path", "dial", "slider", "arrow", ...open].includes(item.kind) || !item.moves) continue;
    const r = reachOf(item);
    for (const p of [item.place(row, here), ...(item.to ? [item.target(row, there)] : [])]) {
      if (!Number.isFinite(p.x + p.y + p.z)) continue;
      box.expandByPoint(p.clone().addScalar(r)).expandByPoint(p.clone().addScalar(-r));
    }
  }
  return box;
}

// What is seen of a surface that stays where it is.
function surfaceBox(item, box) {
  item.mesh ??= meshOf(item.surface);
  const at = item.place(0, new THREE.Vector3());
  const own = item.mesh.boundingBox;
  if (own && !own.isEmpty()) box.expandByPoint(own.min.clone().add(at)).expandByPoint(own.max.clone().add(at));
}

export function coneBox(item) {
  const [angle, height] = item.size.map((c) => c.at(0));
  const axis = new THREE.Vector3(0, 0, height).applyQuaternion(item.turn ? item.attitude(0, new THREE.Quaternion()) : new THREE.Quaternion());
  const tip = item.place(0, new THREE.Vector3());
  const wide = height * Math.tan(angle) * Math.sqrt(Math.max(0, 1 - (axis.z / height) ** 2) + 1e-12) + height * Math.tan(angle) * Math.abs(axis.z / height);
  const box = new THREE.Box3().expandByPoint(tip);
  const end = tip.clone().add(axis);
  return box.expandByPoint(end.clone().add(new THREE.Vector3(wide, wide, 0))).expandByPoint(end.clone().sub(new THREE.Vector3(wide, wide, 0)));
}

// The box of all but plates, which reach as far as what moves on them.
function boxOfItems(items) {
  const box = new THREE.Box3();
  const add = (list, margin) => {
    const r = list.map((c) => c.range());
    if (r.flat().some((x) => !Number.isFinite(x))) return;
    box.expandByPoint(here.set(r[0][0] - margin, r[1][0] - margin, r[2][0] - margin));
    box.expandByPoint(here.set(r[0][1] + margin, r[1][1] + margin, r[2][1] + margin));
  };
  const from = (low, high) => ({ range: () => [low, high] });
  const widened = (channel, by) => from(...channel.range().map((x, k) => (k === 0 ? x - by : x + by)));
  for (const item of items) {
    if ([...acting, "contact", "plate"].includes(item.kind)) continue;
    if (item.kind === "dial") add(item.at.map((c, k) => (k === 0 ? from(c.value * 2.2 - 1, c.value * 2.2 + 1) : c)), 0.35);
    else if (item.kind === "slider") add(item.at.map((c, k) => (k === 0 ? from(-2.1, 1.7) : from(c.value * 0.62, c.value * 0.62))), 0.3);
    else if (item.surface?.nodes && !item.turn) surfaceBox(item, box);
    else if (item.kind === "cone") box.union(coneBox(item));
    else if (item.kind === "box" && !item.turn) add(item.at.map((c, k) => widened(c, Math.max(...item.size[k].range()) / 2)), 0);
    else add(item.at, reachOf(item));
    if (item.to) add(item.to, 0);
  }
  return box;
}

function addPlates(items, box) {
  for (const item of items.filter((i) => i.kind === "plate")) {
    const at = item.place(0, new THREE.Vector3());
    const far = box.isEmpty() ? 1 : Math.max(...[0, 1, 2].map((k) => Math.max(Math.abs(box.min.getComponent(k) - at.getComponent(k)), Math.abs(box.max.getComponent(k) - at.getComponent(k)))));
    item.reach = far * 1.08;
    const moved = item.at.map((c) => c.range());
    box.expandByPoint(new THREE.Vector3(moved[0][0] - item.reach, moved[1][0] - item.reach, moved[2][0]));
    box.expandByPoint(new THREE.Vector3(moved[0][1] + item.reach, moved[1][1] + item.reach, moved[2][1]));
  }
}

// What goes much farther than it is long is looked at from near, and the camera goes along;
// of a single ball, or in the plane, the way is what one wants to see. Its length, or 0.
function nearLength(scene) {
  const lengths = [0, 0.25, 0.5, 0.75, 1].map((f) => {
    const own = boxAt(scene, Math.round(f * (scene.data.rows - 1))).getSize(new THREE.Vector3());
    return Math.max(own.x, own.y, own.z);
  });
  const length = Math.max(...lengths.filter(Number.isFinite), 0);
  const parts = scene.items.filter((i) => i.moves && (solids.includes(i.kind) || i.kind === "segment")).length;
  return length > 0 && parts > 1 && scene.extent > (scene.plane ? 14 : 5) * length ? length : 0;
}

// The box of all places of one item along the motion.
function wayOf(item) {
  const box = new THREE.Box3();
  const r = reachOf(item);
  for (const list of [item.at, item.to ?? item.at]) {
    const ranges = list.map((c) => c.range());
    if (ranges.flat().some((x) => !Number.isFinite(x))) continue;
    box.expandByPoint(here.set(...ranges.map((x) => x[0] - r))).expandByPoint(here.set(...ranges.map((x) => x[1] + r)));
  }
  return box;
}

const longest = (box) => Math.max(...box.getSize(here).toArray());
const AWAY = 5; // what goes so many times farther than the machine is long has left it

// A machine that stays, and what leaves it, as a stone leaves a trebuchet:
// the machine is looked at, and more where that goes away.
// Its box and those that leave; null where nothing does.
function homeOf(scene) {
  const seen = scene.items.filter((i) => solids.includes(i.kind) || ["segment", "joint", "anchor", "spring", "span"].includes(i.kind));
  const ways = seen.map((item) => ({ item, box: wayOf(item) })).filter((w) => !w.box.isEmpty());
  ways.sort((x, y) => longest(x.box) - longest(y.box));
  const box = new THREE.Box3();
  for (let k = 0; k < ways.length; k++) {
    const wider = box.clone().union(ways[k].box);
    const parts = ways.slice(0, k).filter((w) => w.item.moves);
    if (parts.length > 1 && longest(wider) > AWAY * longest(box)) {
      const away = ways.slice(k).map((w) => w.item);
      const near = box.clone().expandByScalar(longest(box));
      const begins = away.every((item) => near.containsPoint(item.place(0, there)));
      for (const item of away) box.expandByPoint(item.place(0, there));
      return begins && away.length <= parts.length ? { box, away } : null;
    }
    box.copy(wider);
  }
  return null;
}

export function homeBox(scene, row) {
  const box = scene.home.box.clone();
  for (const item of scene.home.away) box.expandByPoint(item.place(row, there));
  return box;
}

// The box that holds the whole motion, and lengths to draw with.
export function measure(scene) {
  const box = boxOfItems(scene.items);
  addPlates(scene.items, box);
  if (box.isEmpty()) box.set(new THREE.Vector3(-1, -1, 0), new THREE.Vector3(1, 1, 0));
  scene.box = box;
  const size = box.getSize(new THREE.Vector3());
  scene.extent = Math.max(size.x, size.y, size.z, 1e-9);
  if (!(scene.extent > 1e-9)) scene.extent = 1;
  scene.home = homeOf(scene);
  scene.near = scene.home ? 0 : nearLength(scene);
  scene.size = scene.home ? longest(scene.home.box) : scene.near ? scene.near * 3 : scene.extent;
  const count = scene.items.filter((i) => ["point", "sphere", "segment"].includes(i.kind)).length;
  scene.unit = scene.size * (count > 60 ? 0.006 : count > 16 ? 0.01 : 0.016); // radius of a point
  measureArrows(scene);
  scene.seen = seenBox(scene);
}

// of the motion: arrows that reach farther are cut off by the edge of the picture
const BEYOND = 0.4;

// The motion and the arrows at it, as far as they stand near it.
function seenBox(scene) {
  const most = scene.box.clone().expandByScalar(BEYOND * scene.extent);
  const box = scene.box.clone();
  for (const item of scene.items.filter((i) => i.kind === "force")) {
    for (let k = 0; k <= 48; k++) {
      const row = Math.round((k * (scene.data.rows - 1)) / 48);
      const force = item.target(row, there);
      const size = force.length();
      if (!(size > 0)) continue;
      const at = item.place(row, here);
      const tip = force.multiplyScalar(forceLength(scene, size) / size).add(at);
      for (const p of [at, tip]) if (Number.isFinite(p.x + p.y + p.z)) box.expandByPoint(p.clamp(most.min, most.max));
    }
  }
  if (scene.plane === "xy") [box.min.z, box.max.z] = [scene.box.min.z, scene.box.max.z];
  if (scene.plane === "xz") [box.min.y, box.max.y] = [scene.box.min.y, scene.box.max.y];
  return box;
}
