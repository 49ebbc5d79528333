// Impacts: a flash where a contact strikes, and the arrow of its impulse, for a moment.
import * as THREE from "three";
import { forceArrow, usualOf } from "./arrows.js";
import * as shapes from "./shapes.js";

const AT_ONCE = 16; // flashes that are seen together: the last ones
const FLASH = 0.45; // of the time that the arrow is seen
const GROWS = 4.5; // the ring, from the size of a point
const a = new THREE.Vector3();

// Impacts of the data, in the order of time.
export function impactsOf(data) {
  const events = data.result.events ?? [];
  return (data.scene.impacts ?? [])
    .map(({ event, kind, at, to }) => ({ t: events[event].t, name: events[event].name, kind, at: new THREE.Vector3(...at), to: new THREE.Vector3(...to) }))
    .filter((i) => Number.isFinite(i.at.lengthSq() + i.to.lengthSq()))
    .sort((x, y) => (x.t - y.t) * data.sign);
}

export function measureImpacts(scene) {
  const sizes = (kind) => scene.impacts.filter((i) => i.kind === kind).map((i) => i.to.length());
  scene.usual.impulse = usualOf(sizes("force"));
  scene.usual.twist = usualOf(sizes("couple"));
}

// How many impacts have begun up to a time; what is later by rounding alone has begun.
function begun(scene, t) {
  const { impacts, data } = scene;
  const late = 1e-12 * data.length;
  let low = 0;
  let high = impacts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((impacts[middle].t - t) * data.sign <= late) low = middle + 1;
    else high = middle;
  }
  return low;
}

function ringOf(scene) {
  const material = new THREE.MeshBasicMaterial({ color: scene.theme.colors.impulse, transparent: true, depthTest: false, depthWrite: false, side: THREE.DoubleSide });
  const ring = new THREE.Mesh(new THREE.RingGeometry(0.72, 1, 48), material);
  ring.renderOrder = 22;
  return ring;
}

// One flash with its arrows; show(impact, age),
// the age is 0 where it strikes and 1 where it is over.
function flashOf(scene) {
  const paint = { color: scene.theme.colors.impulse, paper: scene.theme.colors.paper };
  const flash = { ring: ringOf(scene), force: shapes.arrow(paint), couple: shapes.couple(paint) };
  flash.hide = () => {
    for (const object of [flash.ring, flash.force, flash.couple]) object.visible = false;
  };
  flash.show = (impact, age) => {
    flash.hide();
    if (age < FLASH) {
      flash.ring.visible = true;
      flash.ring.position.copy(impact.at);
      scene.bringForward(flash.ring.position);
      flash.ring.quaternion.copy(scene.camera.quaternion);
      flash.ring.scale.setScalar(scene.unit * (1 + (GROWS * age) / FLASH));
      flash.ring.material.opacity = 1 - age / FLASH;
    }
    if (!scene.options.forces) return;
    forceArrow(scene, flash[impact.kind], impact.kind, impact.at, a.copy(impact.to));
  };
  flash.hide();
  return flash;
}

// scene.span is the time that an impact is seen.
export function impactObjects(scene) {
  scene.flashes = Array.from({ length: Math.min(AT_ONCE, scene.impacts.length) }, () => flashOf(scene));
  for (const flash of scene.flashes) scene.world.add(flash.ring, flash.force, flash.couple);
  scene.updates.push((row, t) => {
    const end = begun(scene, t);
    scene.flashes.forEach((flash, k) => {
      const impact = scene.impacts[end - 1 - k];
      const age = impact ? Math.max(0, (t - impact.t) * scene.data.sign) / scene.span : 1;
      if (age < 1) flash.show(impact, age);
      else flash.hide();
    });
  });
}
