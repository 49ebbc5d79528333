// The motion in space: items of the data become objects, and a time moves them.
//
//   items.js    what there is, and where it is at a time
//   extent.js   how large it is
//   camera.js   where one looks from
//   instruments.js  what has no place in it
//   stage.js    lights, grid, floor
//   objects.js  things one sees
//   arrows.js   forces and couples
//   contacts.js which contacts are closed
//   impacts.js  flashes and impulses
//   trails.js   the ways they go
import * as THREE from "three";
import { actingRows, bringForward, scaleOf } from "./arrows.js";
import { frame, leaveRoom, makeCamera, project, track } from "./camera.js";
import { Contacts } from "./contacts.js";
import { measure } from "./extent.js";
import { impactObjects, impactsOf, measureImpacts } from "./impacts.js";
import { acting, Item, open, planeOf, settle } from "./items.js";
import { instrumentsOf, showInstruments } from "./instruments.js";
import { objectOf } from "./objects.js";
import { ground, lights } from "./stage.js";
import { trails } from "./trails.js";

// The colour that goes with the kind of a thing. Bodies have none: they take theirs in turn.
function ownColor(item, c) {
  if (open.includes(item.kind) && item.open) return c.ground;
  if (acting.includes(item.kind)) return { applied: c.applied, potential: c.spring, dissipation: c.damper }[item.role] ?? c.force;
  return { segment: c.rod, link: c.rod, span: c.rod, spring: c.rod, anchor: c.anchor, joint: c.rod }[item.kind];
}

export class Scene {
  constructor(data, theme, host) {
    this.data = data;
    this.theme = theme;
    this.host = host;
    this.items = data.scene.items.map((json) => new Item(data, json));
    this.instruments = instrumentsOf(this.items);
    this.items = this.items.filter((item) => !this.instruments.includes(item));
    settle(this.items);
    this.contacts = new Contacts(data);
    this.impacts = impactsOf(data);
    this.span = 1; // the time that an impact is seen
    this.plane = planeOf(this.items);
    this.options = { trails: true, forces: true, follow: false };
    this.longer = 1; // arrows, by hand
    // the part of the picture that nothing stands before, and how far its middle is moved
    this.open = { x: 1, y: 1 };
    this.moved = { x: 0, y: 0 };
    this.covered = () => ({ above: 0, below: 0, right: 0 });
    this.row = 0;
    this.followed = null;
    measure(this);
    measureImpacts(this);
    this.options.follow = this.near > 0 || !!this.home;
    this.renderer = new THREE.WebGLRenderer({ antialias: true, alpha: false, powerPreference: "low-power", preserveDrawingBuffer: true });
    this.renderer.setPixelRatio(Math.min(devicePixelRatio || 1, 2));
    this.renderer.shadowMap.enabled = !this.plane;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    host.append(this.renderer.domElement);
    this.renderer.domElement.setAttribute("aria-label", "the motion");
    makeCamera(this);
    this.build();
    theme.on(() => {
      this.build();
      this.update(this.row, this.t);
      this.render();
    });
    this.frame();
  }

  // Look at the whole motion.
  frame() {
    frame(this);
  }

  resize() {
    const { clientWidth: w, clientHeight: h } = this.host;
    if (!w || !h) return;
    const first = !this.aspect;
    this.aspect = w / h;
    this.renderer.setSize(w, h);
    leaveRoom(this, this.covered());
    if (first || !this.touched) this.frame();
    else project(this);
    this.dirty = true;
  }

  build() {
    const c = this.theme.colors;
    this.world?.traverse((object) => {
      object.geometry?.dispose();
      object.material?.map?.dispose();
      object.material?.dispose?.();
    });
    this.world = new THREE.Scene();
    this.world.background = new THREE.Color(c.paper);
    lights(this);
    ground(this);
    this.updates = [];
    let next = 0;
    for (const item of this.items) {
      const named = item.color && c.names[item.color];
      const own = item.driven ? c.driven : ownColor(item, c);
      const color = named ?? own ?? c.bodies[next % c.bodies.length];
      if (!named && !own && item.kind !== "contact") next++;
      item.paint = { color, edge: c.edge, line: c.gridStrong, ink: c.ink, paper: c.paper };
      item.object = objectOf(this, item);
      if (!item.object) continue;
      item.object.userData.item = item;
      this.world.add(item.object);
    }
    trails(this);
    impactObjects(this);
    showInstruments(this);
    this.dirty = true;
  }

  // The length of a pixel, in space where one looks at.
  get perPixel() {
    const height = this.host.clientHeight || 1;
    if (this.plane) return (2 * this.view) / this.camera.zoom / height;
    const distance = this.camera.position.distanceTo(this.controls.target);
    return (2 * distance * Math.tan((this.camera.fov * Math.PI) / 360)) / height;
  }

  // Arrows longer or shorter.
  stretch(by) {
    this.longer = Math.min(16, Math.max(1 / 16, this.longer * by));
    this.update(this.row, this.t);
  }

  // A row is a place among the samples;
  // the time says more where something happens between two of them.
  update(row, t = this.data.timeAt(row)) {
    this.row = row;
    this.t = t;
    for (const update of this.updates) update(row, t);
    if (this.options.follow) track(this, row);
    this.dirty = true;
  }

  bringForward(position) {
    bringForward(this, position);
  }

  set(option, on) {
    this.options[option] = on;
    if (option === "follow") {
      this.followed = null;
      if (this.near && !on) this.groundTo(this.box.getCenter(new THREE.Vector3()));
      if (this.near || this.home || !on) this.frame();
    }
    this.update(this.row, this.t);
  }

  render() {
    this.controls.update();
    if (!this.dirty) return;
    this.dirty = false;
    this.renderer.render(this.world, this.camera);
  }

  // For tests: where things are.
  positions() {
    return this.items.map((item) => ({ kind: item.kind, name: item.name ?? null, visible: !!item.object?.visible, position: item.object?.position.toArray() ?? null, quaternion: item.object?.quaternion.toArray() ?? null, scale: item.object?.scale.toArray() ?? null }));
  }

  // The impacts that are seen now: where, how old the flash is, how long the arrow.
  flashing() {
    return this.flashes.filter((f) => f.ring.visible || f.force.visible || f.couple.visible).map((f) => ({ ring: f.ring.visible, at: f.ring.position.toArray(), arrow: f.force.visible ? { at: f.force.position.toArray(), length: f.force.userData.length, turn: f.force.quaternion.toArray() } : null }));
  }

  // Who acts, and what lengths of arrows mean.
  get acting() {
    return actingRows(this.items);
  }
  get scale() {
    return scaleOf(this);
  }

  get has() {
    return {
      trails: this.lines.length > 0,
      forces: this.impacts.length > 0 || this.items.some((i) => acting.includes(i.kind)),
      follow: this.items.some((i) => !["dial", "slider"].includes(i.kind) && i.at.some((c) => !c.fixed)),
      driven: this.items.some((i) => i.driven && !acting.includes(i.kind)),
    };
  }
}
