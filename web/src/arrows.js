// Arrows: forces, couples, and arrows that the model draws. How long they are,
// and the scale that is said with them.
import * as THREE from "three";
import { acting } from "./items.js";
import * as shapes from "./shapes.js";

const FORCE_LENGTH = 0.22; // of the largest usual force, as a part of the picture
const COUPLE_ANGLE = 1.4 * Math.PI; // of the largest usual couple
const COUPLE_MOST = 1.85 * Math.PI; // a bent arrow does not bite its tail
const PEAK = 0.6; // arrows are longer by this part for each power of ten above the usual
const USUAL = 0.98; // so many of the values are usual, the others are peaks
const up = new THREE.Vector3(0, 0, 1);
const a = new THREE.Vector3();
const b = new THREE.Vector3();

const nothing = (item) => item.to.every((c) => c.fixed && c.value === 0); // at no time

// The largest of the usual values of a kind; single peaks may be larger.
function usual(scene, kind) {
  const sizes = [];
  const stride = Math.max(1, Math.floor(scene.data.rows / 400));
  for (const item of scene.items.filter((i) => i.kind === kind && !nothing(i))) {
    for (let r = 0; r < scene.data.rows; r += stride) {
      const size = item.target(r, a).length();
      if (Number.isFinite(size)) sizes.push(size);
    }
  }
  return usualOf(sizes);
}

export function usualOf(sizes) {
  sizes.sort((x, y) => x - y);
  const most = sizes[sizes.length - 1] ?? 0;
  const value = sizes[Math.floor(sizes.length * USUAL)] || most || 1;
  return { value, peaks: most > value * 1.05 };
}

// What lengths of arrows mean.
export function measureArrows(scene) {
  scene.usual = { force: usual(scene, "force"), couple: usual(scene, "couple") };
}

// As long as it is strong up to the usual, slowly longer above: peaks stay in the picture.
function share(size, most) {
  const x = size / most;
  return x <= 1 ? x : 1 + PEAK * Math.log10(x);
}

export function forceLength(scene, size, usual = scene.usual.force) {
  return FORCE_LENGTH * scene.size * scene.longer * share(size, usual.value);
}

function coupleAngle(scene, size, usual = scene.usual.couple) {
  const x = (size / usual.value) * scene.longer;
  return x <= 1 ? COUPLE_ANGLE * x : COUPLE_MOST - (COUPLE_MOST - COUPLE_ANGLE) / x;
}

// Which forces and couples the scale speaks of: a round number, its length or angle,
// and whether some are cut short.
const round = (x) => {
  const power = 10 ** Math.floor(Math.log10(x));
  return ([5, 2, 1].find((k) => k * power <= x * (1 + 1e-9)) ?? 1) * power;
};

export function scaleOf(scene) {
  const acts = (kind) => scene.items.some((i) => i.kind === kind && !nothing(i));
  const strikes = (kind) => scene.impacts.some((i) => i.kind === kind);
  const said = {};
  const straight = (usual) => ({ value: round(usual.value), length: forceLength(scene, round(usual.value), usual), peaks: usual.peaks });
  // for half a turn
  const bent = (usual) => ({ value: usual.value / scene.longer / (COUPLE_ANGLE / Math.PI), peaks: usual.peaks || scene.longer > 1 });
  if (acts("force")) said.force = straight(scene.usual.force);
  if (acts("couple")) said.couple = bent(scene.usual.couple);
  if (strikes("force")) said.impulse = straight(scene.usual.impulse);
  if (strikes("couple")) said.twist = bent(scene.usual.twist);
  return said;
}

// In the plane arrows are before everything.
export function bringForward(scene, position) {
  if (scene.plane === "xy") position.z = scene.box.max.z + scene.extent;
  if (scene.plane === "xz") position.y = scene.box.min.y - scene.extent;
}

// The arrow of an impulse: as long as forces are, relative to the usual impulses.
export function forceArrow(scene, object, kind, at, to) {
  const size = to.length();
  if (!(size > 0)) return;
  const force = kind === "force";
  object.visible = true;
  object.position.copy(at);
  bringForward(scene, object.position);
  object.quaternion.setFromUnitVectors(up, to.divideScalar(size));
  if (force) {
    object.userData.set(forceLength(scene, size, scene.usual.impulse), scene.unit * 0.45);
  } else {
    object.scale.setScalar(coupleRadius(scene));
    object.userData.set(coupleAngle(scene, size, scene.usual.twist));
  }
}

const coupleRadius = (scene) => Math.max(scene.size * (scene.plane ? 0.055 : 0.075), scene.unit * 3);

// A contact acts while it is closed: between two samples one goes by its mode, not by the numbers.
const acts = (scene, item, t) => scene.options.forces && (!item.contact || scene.contacts.closed(item.contact, t));

export function arrow(scene, item) {
  const force = item.kind === "force";
  const object = shapes.arrow(item.paint, item.shared);
  const width = scene.unit * (force ? 0.36 : 0.42);
  object.userData.force = force;
  scene.updates.push((row, t) => {
    if (force && !acts(scene, item, t)) {
      object.visible = false;
      return;
    }
    item.place(row, a);
    item.target(row, b);
    if (!force) b.sub(a);
    const size = b.length();
    const length = force ? forceLength(scene, size) : Math.min(size, scene.extent * 2);
    if (!(length > 0) || !Number.isFinite(length + a.x + a.y + a.z)) {
      object.visible = false;
      return;
    }
    object.position.copy(a);
    bringForward(scene, object.position);
    object.quaternion.setFromUnitVectors(up, b.divideScalar(size));
    object.userData.set(length, width);
  });
  return object;
}

// The couples that stand at the same place: they go round outside of one another.
function together(scene, item) {
  const rows = [0, Math.floor(scene.data.rows / 2), scene.data.rows - 1];
  const couples = scene.items.filter((i) => i.kind === "couple");
  return couples.filter((i) => rows.every((r) => i.place(r, a).distanceTo(item.place(r, b)) < 1e-6 * scene.extent));
}

// The outermost of them is as large as one alone.
function radiusOf(scene, item) {
  const all = together(scene, item);
  const share = (k) => 1 + 0.32 * k;
  return (coupleRadius(scene) * share(all.indexOf(item))) / share(all.length - 1);
}

// A bent arrow about the axis, the longer the stronger.
export function couple(scene, item) {
  const radius = radiusOf(scene, item);
  const object = shapes.couple(item.paint, item.shared);
  scene.updates.push((row, t) => {
    item.place(row, a);
    item.target(row, b);
    const size = b.length();
    const angle = coupleAngle(scene, size);
    object.visible = acts(scene, item, t) && angle > 0.05 && Number.isFinite(a.x + a.y + a.z);
    if (!object.visible) return;
    object.position.copy(a);
    bringForward(scene, object.position);
    object.scale.setScalar(radius);
    object.quaternion.setFromUnitVectors(up, b.divideScalar(size));
    object.userData.set(angle);
  });
  return object;
}

// Who acts: role, whether by forces, couples or both, and names.
export function actingRows(items) {
  const all = new Map();
  for (const item of items.filter((i) => acting.includes(i.kind) && !nothing(i))) {
    const role = item.contact ? "contact" : (item.role ?? "constraint");
    const key = `${role} ${item.shared} ${item.part} ${item.name}`;
    const one = all.get(key) ?? { role, shared: item.shared, part: item.part, name: item.name, force: false, couple: false };
    one[item.kind] = true;
    all.set(key, one);
  }
  const rows = new Map();
  for (const { role, shared, part, name, force, couple } of all.values()) {
    const what = force && couple ? "force and couple" : couple ? "couple" : "force";
    const key = `${role} ${shared} ${part} ${what}`;
    const row = rows.get(key) ?? { role, shared, part, what, names: new Set() };
    row.names.add(name);
    rows.set(key, row);
  }
  return [...rows.values()];
}
