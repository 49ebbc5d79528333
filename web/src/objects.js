// Items as objects of the scene: one of each kind, and what moves it.
import * as THREE from "three";
import { arrow, couple } from "./arrows.js";
import { label } from "./equations.js";
import { open, reachOf, solids } from "./items.js";
import { meshOf } from "./mesh.js";
import * as shapes from "./shapes.js";

const up = new THREE.Vector3(0, 0, 1);
const a = new THREE.Vector3();
const b = new THREE.Vector3();

function glassy(object) {
  object.castShadow = object.receiveShadow = false;
  Object.assign(object.material, { transparent: true, opacity: 0.14, side: THREE.DoubleSide, depthWrite: false });
  object.renderOrder = 3;
}

// A thing of a size at a place, turned; scale() says from its sizes how much larger
// it is than what was made.
function placed(scene, item, object, scale) {
  if (item.kind !== "plane" && open.includes(item.kind) && item.open) shapes.sheet(object);
  else if (item.open || encloses(scene, item)) glassy(object);
  const fixed = !item.size || item.size.every((s) => s.fixed);
  const rescale = (row) => object.scale.set(...scale(item.size ? item.size.map((s) => Math.abs(s.at(row))) : []));
  rescale(0);
  scene.updates.push((row) => {
    item.place(row, object.position);
    if (item.turn) item.attitude(row, object.quaternion);
    if (!fixed) rescale(row);
    object.visible = Number.isFinite(object.position.x + object.position.y + object.position.z);
  });
  return object;
}

function dial(scene, item) {
  const object = shapes.dial(item.paint, label(item.name ?? ""));
  object.position.set(item.at[0].value * 2.2, 0, 0);
  const zero = item.size?.[0].value ?? 0;
  scene.updates.push((row) => (object.userData.hand.rotation.z = zero + item.value.at(row)));
  return object;
}

function slider(scene, item) {
  const object = shapes.slider(item.paint, label(item.name ?? ""));
  object.position.set(0, item.at[1].value * 0.62, 0);
  const [low, high] = item.value.range();
  const most = Math.max(Math.abs(low), Math.abs(high)) || 1;
  scene.updates.push((row) => (object.userData.bead.position.x = (1.5 * item.value.at(row)) / most));
  return object;
}

// How far what is seen goes from an item, along its axis.
function farAlong(scene, item) {
  const axis = new THREE.Vector3(0, 0, 1);
  if (item.turn) axis.applyQuaternion(item.attitude(0, new THREE.Quaternion()));
  const [at, { min, max }] = [item.place(0, new THREE.Vector3()), scene.box];
  const ends = ["x", "y", "z"].map((k) => [(min[k] - at[k]) * axis[k], (max[k] - at[k]) * axis[k]]);
  const sum = (pick) => ends.reduce((total, e) => total + pick(...e), 0);
  return Math.max(Math.abs(sum(Math.min)), Math.abs(sum(Math.max)));
}

// Of a cylinder with the sizes s, its radius and height;
// one without ends is as long as what is seen along it, and no shorter than wide.
function heightOf(scene, item, [radius, height]) {
  if (height !== undefined && height !== null) return height;
  item.length ??= item.moves ? scene.extent : 2 * farAlong(scene, item);
  return Math.max(2 * radius, item.length);
}

// What is seen of an item; null: nothing. scene.updates gets what moves it.
export function objectOf(scene, item) {
  const u = scene.unit;
  const paint = item.paint;
  const solid = (object, scale) => placed(scene, item, object, scale);
  switch (item.kind) {
    case "sphere":
      return solid(item.turn ? shapes.make.sphere(paint) : shapes.make.ball(paint), (s) => [s[0], s[0], s[0]]);
    case "box":
      return solid(shapes.make.box(paint), (s) => s);
    case "ellipsoid":
      return solid(shapes.make.sphere(paint), (s) => s);
    case "cylinder":
      // a long one is a rod: its turn about its axis is only hinted at
      return solid(shapes.make.cylinder(paint, heightOf(scene, item, item.size.map((s) => s.at(0))) > 3 * item.size[0].at(0) ? 0.16 : 0.55), (s) => [s[0], s[0], heightOf(scene, item, s)]);
    case "surface":
      return solid(shapes.surface(paint, (item.mesh ??= meshOf(item.surface)), item.open), () => [1, 1, 1]);
    case "cone":
      return solid(shapes.cone(paint), ([angle, height]) => [height * Math.tan(angle), height * Math.tan(angle), height]);
    case "plane":
      return belt(scene, item, solid(shapes.slab(paint, item.size[0].at(0)), ([r]) => [r, r, r]));
    case "disk":
      return solid(shapes.make.cylinder(paint), (s) => [s[0], s[0], Math.max(s[0] * 0.04, u * 0.15)]);
    case "rod":
      return solid(shapes.make.rod(paint), (s) => [u * 0.8, u * 0.8, s[0]]);
    case "point":
      return solid(shapes.make.ball(paint), () => [u * 1.35, u * 1.35, u * 1.35]);
    case "anchor":
      return solid(shapes.make.box({ ...paint }), () => [u * 1.8, u * 1.8, u * 1.8]);
    case "ring":
      return solid(shapes.ring(paint), ([r]) => [r, r, r]);
    case "joint":
      return solid(shapes.make.ball(paint), () => [u * 0.85, u * 0.85, u * 0.85]);
    case "cart":
      return solid(shapes.make.box(paint), () => [u * 5.6, u * 3, u * 3]);
    case "marker":
      return solid(shapes.make.box(paint), () => [u * 2.2, u * 2.2, u * 2.2]);
    case "contact":
      return touching(scene, item, solid(shapes.seenThrough(shapes.make.ball({ ...paint, color: scene.theme.colors.contact })), () => [u * 0.55, u * 0.55, u * 0.55]));
    case "sled":
      return solid(shapes.sled(paint), () => Array(3).fill(scene.size * 0.06));
    case "bar":
      return solid(shapes.bar(paint), () => Array(3).fill(scene.size * 0.06));
    case "plate":
      return solid(shapes.slab(paint, item.reach), () => Array(3).fill(item.reach));
    case "link":
      if (isCovered(scene, item)) return null;
    // falls through
    case "segment":
    case "span":
      return between(scene, item, shapes.make.rod(paint), { link: 0.35, segment: 0.45, span: 0.2 }[item.kind] * u);
    case "spring":
      return spring(scene, item);
    case "arrow":
    case "force":
      return arrow(scene, item);
    case "couple":
      return couple(scene, item);
    case "dial":
      return dial(scene, item);
    case "slider":
      return slider(scene, item);
    default:
      return null;
  }
}

// A plane that moves in itself: its picture stays, its lines go along.
function belt(scene, item, object) {
  const turn = new THREE.Quaternion();
  if (!item.slide) return object;
  scene.updates.push((row) => {
    a.set(item.slide[0].at(row), item.slide[1].at(row), item.slide[2].at(row));
    if (item.turn) a.applyQuaternion(item.attitude(row, turn).invert());
    object.userData.slide(a.x / item.size[0].at(row), a.y / item.size[0].at(row));
  });
  return object;
}

// Where shapes may part there is a point only while they touch.
function touching(scene, item, object) {
  if (item.contact) scene.updates.push((row, t) => (object.visible &&= scene.contacts.closed(item.contact, t)));
  return object;
}

// A body around others, not just a mark in its middle: one looks through it.
function encloses(scene, item) {
  if (scene.plane || !["sphere", "box", "cylinder", "ellipsoid"].includes(item.kind)) return false;
  const size = reachOf(item);
  const center = new THREE.Vector3();
  const turn = new THREE.Quaternion();
  const inside = (p, row) => {
    const s = item.size.map((c) => c.at(row));
    const r = p.sub(item.place(row, center));
    if (item.turn) r.applyQuaternion(item.attitude(row, turn).invert());
    if (item.kind === "sphere") return r.length() < s[0];
    if (item.kind === "ellipsoid") return Math.hypot(r.x / s[0], r.y / s[1], r.z / s[2]) < 1;
    if (item.kind === "cylinder") return Math.hypot(r.x, r.y) < s[0] && Math.abs(r.z) < heightOf(scene, item, s) / 2;
    return Math.abs(r.x) < s[0] / 2 && Math.abs(r.y) < s[1] / 2 && Math.abs(r.z) < s[2] / 2;
  };
  const rows = [0, 0.3, 0.6, 0.9].map((f) => Math.floor(f * (scene.data.rows - 1)));
  return scene.items.some((other) => {
    if (other === item || !solids.includes(other.kind) || !other.moves || reachOf(other) > 0.8 * size) return false;
    // one that is fixed to it is a mark on it
    if (item.moves && !wanders(item, other, rows)) return false;
    return rows.filter((row) => inside(other.place(row, new THREE.Vector3()), row)).length >= 3;
  });
}

// Does one move about within the other?
function wanders(item, other, rows) {
  const places = rows.map((row) => {
    const p = other.place(row, new THREE.Vector3()).sub(item.place(row, a));
    return item.turn ? p.applyQuaternion(item.attitude(row, new THREE.Quaternion()).invert()) : p;
  });
  return places.some((p) => p.distanceTo(places[0]) > 0.05 * reachOf(item));
}

// A link to a joint is seen where the body does not reach there.
function isCovered(scene, link) {
  const [p, q] = [link.place(0, new THREE.Vector3()), link.target(0, new THREE.Vector3())];
  return scene.items.some((i) => solids.includes(i.kind) && i.kind !== "point" && i.place(0, a).distanceTo(p) < 1e-9 * scene.extent && reachOf(i) > 0.9 * p.distanceTo(q));
}

// A rod from one place to another.
function between(scene, item, object, radius) {
  scene.updates.push((row) => {
    item.place(row, a);
    item.target(row, b).sub(a);
    const length = b.length();
    object.visible = length > 0 && Number.isFinite(length);
    if (!object.visible) return;
    object.position.copy(a).addScaledVector(b, 0.5);
    object.quaternion.setFromUnitVectors(up, b.divideScalar(length));
    object.scale.set(radius, radius, length);
  });
  return object;
}

// A spring: coils between two places, which come nearer to each other where it is short.
function spring(scene, item) {
  const object = shapes.spring(item.paint);
  const { points, rods } = object.userData;
  const [radius, wire] = [0.75 * scene.unit, 0.13 * scene.unit];
  const along = new THREE.Quaternion();
  const rod = new THREE.Object3D();
  scene.updates.push((row) => {
    item.place(row, a);
    const length = item.target(row, b).sub(a).length();
    object.visible = length > 0 && Number.isFinite(length);
    if (!object.visible) return;
    along.setFromUnitVectors(up, b.divideScalar(length));
    const at = points.map((p) => new THREE.Vector3(p.x * radius, p.y * radius, p.z * length).applyQuaternion(along).add(a));
    for (let i = 0; i + 1 < at.length; i++) {
      const way = at[i + 1].clone().sub(at[i]);
      const size = way.length();
      rod.position.copy(at[i]).addScaledVector(way, 0.5);
      rod.quaternion.setFromUnitVectors(up, way.divideScalar(size));
      rod.scale.set(wire, wire, size);
      rod.updateMatrix();
      rods.setMatrixAt(i, rod.matrix);
    }
    rods.instanceMatrix.needsUpdate = true;
  });
  return object;
}
