// The motion in space: items of the data become objects, and a time moves them.
import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { Line2 } from "three/examples/jsm/lines/Line2.js";
import { LineGeometry } from "three/examples/jsm/lines/LineGeometry.js";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import { Channel } from "./data.js";
import { label } from "./equations.js";
import { meshOf } from "./mesh.js";
import * as shapes from "./shapes.js";

const TRAIL_POINTS = 2500; // of one trail ...
const TRAILS_POINTS = 20000; // ... and of all
const acting = ["force", "couple"]; // what has a value where others have an end
const up = new THREE.Vector3(0, 0, 1);
const open = ["surface", "cone", "plane"]; // what things move on
const solids = ["sphere", "ellipsoid", "box", "cylinder", "disk", "rod", "point", "sled"];
const scratch = { a: new THREE.Vector3(), b: new THREE.Vector3(), q: new THREE.Quaternion(), p: new THREE.Quaternion() };

class Item {
  constructor(data, json) {
    Object.assign(this, { kind: json.kind, name: json.name, color: json.color, driven: !!json.driven, wantsTrail: !!json.trail, open: !!json.open, surface: json.surface, role: json.role, shared: !!json.shared });
    const channels = (list) => list?.map((value) => new Channel(data, value));
    this.size = channels(json.size);
    this.at = channels(json.at);
    this.to = channels(json.to);
    this.turn = channels(json.turn);
    this.value = channels(json.value)?.[0];
  }
  place(row, out) {
    return out.set(this.at[0].at(row), this.at[1].at(row), this.at[2].at(row));
  }
  target(row, out) {
    return out.set(this.to[0].at(row), this.to[1].at(row), this.to[2].at(row));
  }
  // Between two samples the shorter way round.
  attitude(row, out) {
    const i = row | 0;
    const f = row - i;
    const t = this.turn;
    out.set(t[1].at(i), t[2].at(i), t[3].at(i), t[0].at(i));
    if (f > 0) {
      scratch.p.set(t[1].at(i + 1), t[2].at(i + 1), t[3].at(i + 1), t[0].at(i + 1));
      out.slerp(scratch.p, f);
    }
    return out.normalize();
  }
  get moves() {
    return !this.at.every((c) => c.fixed) || !!this.turn?.some((c) => !c.fixed) || !!this.to?.some((c) => !c.fixed);
  }
}

// All of it lies in one plane, and turns about its normal only: x y, or x z for what stands upright.
function planeOf(items) {
  const flat = (k) => {
    let level = null;
    for (const item of items) {
      for (const list of [item.at, acting.includes(item.kind) ? null : item.to]) {
        if (!list) continue;
        if (!list[k].fixed) return false;
        if (level !== null && Math.abs(list[k].value - level) > 1e-9) return false;
        level = list[k].value;
      }
      if (item.kind === "force" && !(item.to[k].fixed && item.to[k].value === 0)) return false;
      const zero = (c) => c.fixed && c.value === 0;
      if (item.kind === "couple" && !item.to.every((c, i) => i === k || zero(c))) return false;
      const others = [1, 2, 3].filter((i) => i !== k + 1);
      if (item.turn && !others.every((i) => item.turn[i].fixed && Math.abs(item.turn[i].value) < 1e-9)) return false;
    }
    return true;
  };
  if (items.length === 0 || flat(2)) return "xy";
  return flat(1) ? "xz" : null;
}

function fatLine(points, color, width, opacity) {
  const geometry = new LineGeometry();
  geometry.setPositions(points);
  const line = new Line2(geometry, new LineMaterial({ color, linewidth: width, transparent: true, opacity, depthWrite: false }));
  line.frustumCulled = false;
  return line;
}

function glassy(object) {
  object.castShadow = object.receiveShadow = false;
  Object.assign(object.material, { transparent: true, opacity: 0.14, side: THREE.DoubleSide, depthWrite: false });
  object.renderOrder = 3;
}

export class Scene {
  constructor(data, theme, host) {
    this.data = data;
    this.theme = theme;
    this.host = host;
    this.items = data.scene.items.map((json) => new Item(data, json));
    this.settle();
    this.plane = planeOf(this.items);
    this.options = { trails: true, forces: true, follow: false };
    this.longer = 1; // arrows, by hand
    this.row = 0;
    this.followed = null;
    this.measure();
    this.renderer = new THREE.WebGLRenderer({ antialias: true, alpha: false, powerPreference: "low-power", preserveDrawingBuffer: true });
    this.renderer.setPixelRatio(Math.min(devicePixelRatio || 1, 2));
    this.renderer.shadowMap.enabled = !this.plane;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    host.append(this.renderer.domElement);
    this.renderer.domElement.setAttribute("aria-label", "the motion");
    this.makeCamera();
    this.build();
    theme.on(() => {
      this.build();
      this.update(this.row);
      this.render();
    });
    this.frame();
  }

  // What is constant but for rounding is constant: planes are seen as planes.
  settle() {
    const places = this.items.flatMap((i) => [...i.at, ...(acting.includes(i.kind) ? [] : (i.to ?? []))]);
    const ranges = places.map((c) => c.range()).filter((r) => Number.isFinite(r[0] + r[1]));
    const size = Math.max(0, ...ranges.map((r) => r[1] - r[0]), ...ranges.map((r) => Math.abs(r[0])));
    for (const place of places) place.settle(1e-9 * size);
    const values = this.items.filter((i) => acting.includes(i.kind)).flatMap((i) => i.to);
    const strong = Math.max(0, ...values.flatMap((c) => c.range().map(Math.abs)).filter(Number.isFinite));
    for (const value of values) {
      value.settle(1e-9 * strong);
      if (value.fixed && Math.abs(value.value) < 1e-9 * strong) value.value = 0;
    }
    for (const item of this.items) for (const turn of item.turn ?? []) turn.settle(1e-9);
  }

  // How far an item reaches from its place.
  reach(item) {
    const sizes = item.size?.map((c) => Math.max(...c.range().map(Math.abs))) ?? [];
    if (item.surface) return item.surface.reach ?? 0;
    const half = { sphere: sizes[0], disk: sizes[0], rod: sizes[0] / 2, ellipsoid: Math.max(...sizes, 0), box: Math.hypot(...sizes.slice(0, 3)) / 2, cylinder: Math.hypot(sizes[0], (sizes[1] ?? 0) / 2) };
    return half[item.kind] || 0;
  }

  // The box around what moves, as it stands at one sample.
  boxAt(row) {
    const box = new THREE.Box3();
    for (const item of this.items) {
      if (["force", "couple", "contact", "plate", "path", "dial", "slider", "arrow", ...open].includes(item.kind) || !item.moves) continue;
      const r = this.reach(item);
      for (const p of [item.place(row, scratch.a), ...(item.to ? [item.target(row, scratch.b)] : [])]) {
        if (!Number.isFinite(p.x + p.y + p.z)) continue;
        box.expandByPoint(p.clone().addScalar(r)).expandByPoint(p.clone().addScalar(-r));
      }
    }
    return box;
  }

  // What is seen of a surface that stays where it is.
  surfaceBox(item, box) {
    item.mesh ??= meshOf(item.surface);
    const at = item.place(0, new THREE.Vector3());
    const own = item.mesh.boundingBox;
    if (own && !own.isEmpty()) box.expandByPoint(own.min.clone().add(at)).expandByPoint(own.max.clone().add(at));
  }

  coneBox(item) {
    const [angle, height] = item.size.map((c) => c.at(0));
    const axis = new THREE.Vector3(0, 0, height).applyQuaternion(item.turn ? item.attitude(0, new THREE.Quaternion()) : new THREE.Quaternion());
    const tip = item.place(0, new THREE.Vector3());
    const wide = height * Math.tan(angle) * Math.sqrt(Math.max(0, 1 - (axis.z / height) ** 2) + 1e-12) + height * Math.tan(angle) * Math.abs(axis.z / height);
    const box = new THREE.Box3().expandByPoint(tip);
    const end = tip.clone().add(axis);
    return box.expandByPoint(end.clone().add(new THREE.Vector3(wide, wide, 0))).expandByPoint(end.clone().sub(new THREE.Vector3(wide, wide, 0)));
  }

  // Room for what is followed, as long as it ever is.
  nearBox() {
    const box = this.boxAt(this.row);
    const size = box.getSize(new THREE.Vector3());
    return box.expandByScalar(Math.max(this.near * 0.5, this.near - Math.max(size.x, size.y, size.z) / 2));
  }

  // The box that holds the whole motion, and lengths to draw with.
  measure() {
    const box = new THREE.Box3();
    const add = (list, margin) => {
      const r = list.map((c) => c.range());
      if (r.flat().some((x) => !Number.isFinite(x))) return;
      box.expandByPoint(scratch.a.set(r[0][0] - margin, r[1][0] - margin, r[2][0] - margin));
      box.expandByPoint(scratch.a.set(r[0][1] + margin, r[1][1] + margin, r[2][1] + margin));
    };
    for (const item of this.items) {
      if (["force", "couple", "contact", "plate"].includes(item.kind)) continue;
      if (item.kind === "dial") add(item.at.map((c, k) => (k === 0 ? { range: () => [c.value * 2.2 - 1, c.value * 2.2 + 1] } : c)), 0.35);
      else if (item.kind === "slider") add(item.at.map((c, k) => (k === 0 ? { range: () => [-2.1, 1.7] } : { range: () => [c.value * 0.62, c.value * 0.62] })), 0.3);
      else if (item.surface?.nodes && !item.turn) this.surfaceBox(item, box);
      else if (item.kind === "cone") box.union(this.coneBox(item));
      else if (item.kind === "box" && !item.turn) add(item.at.map((c, k) => ({ range: () => { const half = Math.max(...item.size[k].range()) / 2; const r = c.range(); return [r[0] - half, r[1] + half]; } })), 0);
      else add(item.at, this.reach(item));
      if (item.to) add(item.to, 0);
    }
    // a plate reaches as far as what moves on it
    for (const item of this.items.filter((i) => i.kind === "plate")) {
      const at = item.place(0, new THREE.Vector3());
      const far = box.isEmpty() ? 1 : Math.max(...[0, 1, 2].map((k) => Math.max(Math.abs(box.min.getComponent(k) - at.getComponent(k)), Math.abs(box.max.getComponent(k) - at.getComponent(k)))));
      item.reach = far * 1.08;
      const moved = item.at.map((c) => c.range());
      box.expandByPoint(new THREE.Vector3(moved[0][0] - item.reach, moved[1][0] - item.reach, moved[2][0]));
      box.expandByPoint(new THREE.Vector3(moved[0][1] + item.reach, moved[1][1] + item.reach, moved[2][1]));
    }
    if (box.isEmpty()) box.set(new THREE.Vector3(-1, -1, 0), new THREE.Vector3(1, 1, 0));
    this.box = box;
    const size = box.getSize(new THREE.Vector3());
    this.extent = Math.max(size.x, size.y, size.z, 1e-9);
    if (!(this.extent > 1e-9)) this.extent = 1;
    // What goes much farther than it is long is looked at from near, and the camera goes along; of a single ball, or in the
    // plane, the way is what one wants to see.
    const lengths = [0, 0.25, 0.5, 0.75, 1].map((f) => {
      const own = this.boxAt(Math.round(f * (this.data.rows - 1))).getSize(new THREE.Vector3());
      return Math.max(own.x, own.y, own.z);
    });
    const length = Math.max(...lengths.filter(Number.isFinite), 0);
    const parts = this.items.filter((i) => i.moves && (solids.includes(i.kind) || i.kind === "segment")).length;
    this.near = length > 0 && parts > 1 && this.extent > (this.plane ? 14 : 5) * length ? length : 0;
    this.options.follow = this.near > 0;
    this.size = this.near ? this.near * 3 : this.extent;
    const count = this.items.filter((i) => ["point", "sphere", "segment"].includes(i.kind)).length;
    this.unit = this.size * (count > 60 ? 0.006 : count > 16 ? 0.01 : 0.016); // radius of a point
    this.forceScale = (0.22 * this.size) / this.usual("force");
    this.coupleScale = (1.4 * Math.PI) / this.usual("couple");
  }

  // The largest of the usual values of a kind; single peaks may be larger.
  usual(kind) {
    const sizes = [];
    const stride = Math.max(1, Math.floor(this.data.rows / 400));
    for (const item of this.items.filter((i) => i.kind === kind)) {
      for (let r = 0; r < this.data.rows; r += stride) {
        const size = item.target(r, scratch.a).length();
        if (Number.isFinite(size)) sizes.push(size);
      }
    }
    sizes.sort((a, b) => a - b);
    return sizes[Math.floor(sizes.length * 0.98)] || sizes[sizes.length - 1] || 1;
  }

  makeCamera() {
    const flat = !!this.plane;
    this.camera = flat ? new THREE.OrthographicCamera() : new THREE.PerspectiveCamera(38, 1, this.extent * 0.01, this.extent * 60);
    this.upright = this.data.scene.gravity[1] !== 0 && this.data.scene.gravity[2] === 0 ? "y" : "z";
    this.camera.up.set(0, this.plane === "xy" || this.upright === "y" ? 1 : 0, this.plane === "xy" || this.upright === "y" ? 0 : 1);
    this.controls = new OrbitControls(this.camera, this.renderer.domElement);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.12;
    this.controls.zoomToCursor = true;
    if (flat) {
      this.controls.enableRotate = false;
      this.controls.mouseButtons = { LEFT: THREE.MOUSE.PAN, MIDDLE: THREE.MOUSE.DOLLY, RIGHT: THREE.MOUSE.PAN };
      this.controls.touches = { ONE: THREE.TOUCH.PAN, TWO: THREE.TOUCH.DOLLY_PAN };
    } else {
      this.controls.maxPolarAngle = Math.PI * 0.92;
    }
    this.controls.addEventListener("change", () => (this.dirty = true));
  }

  // Look at the whole motion.
  frame() {
    const box = this.near && this.options.follow ? this.nearBox() : this.box;
    const center = box.getCenter(new THREE.Vector3());
    const size = box.getSize(new THREE.Vector3());
    const aspect = this.aspect || 1.5;
    if (this.plane) {
      const [w, h] = this.plane === "xy" ? [size.x, size.y] : [size.x, size.z];
      const room = (this.near && this.options.follow ? this.near : this.extent) * 0.24;
      this.view = Math.max((h + room) / 2, (w + room) / 2 / aspect);
      const eye = this.plane === "xy" ? new THREE.Vector3(0, 0, 1) : new THREE.Vector3(0, -1, 0);
      this.camera.position.copy(center).addScaledVector(eye, this.extent * 10);
      this.camera.near = 0.01 * this.extent;
      this.camera.far = 40 * this.extent;
      this.camera.zoom = 1;
    } else {
      const direction = this.upright === "z" ? new THREE.Vector3(0.62, -1, 0.5) : new THREE.Vector3(0.62, 0.45, 1);
      const half = size.multiplyScalar(0.5);
      const corners = Array.from({ length: 8 }, (_, i) => [new THREE.Vector3(i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z).add(center), 0]);
      const points = box === this.box ? (this.points ??= this.cloud()) : corners;
      const { target, distance } = this.look(points.length ? points : corners, center, direction.normalize(), aspect);
      center.copy(target);
      this.camera.position.copy(center).addScaledVector(direction, distance);
    }
    this.controls.target.copy(center);
    this.followed = this.options.follow ? this.followedPlace(this.row) : null;
    this.project();
    this.controls.update();
    this.dirty = true;
  }

  // Points of all that is seen along the motion, with how far it reaches around them.
  cloud() {
    const points = [];
    const add = (p, r) => Number.isFinite(p.x + p.y + p.z) && points.push([p.clone(), r]);
    const rows = Array.from({ length: 49 }, (_, i) => Math.round((i * (this.data.rows - 1)) / 48));
    for (const item of this.items) {
      if (["force", "couple", "contact", "dial", "slider"].includes(item.kind)) continue;
      const at = item.place(0, new THREE.Vector3());
      if (item.mesh && !item.turn) {
        const position = item.mesh.attributes.position;
        const step = Math.max(1, Math.floor(position.count / 200));
        for (let i = 0; i < position.count; i += step) add(scratch.a.fromBufferAttribute(position, i).add(at), 0);
        continue;
      }
      if (item.kind === "cone") {
        const box = this.coneBox(item);
        for (let i = 0; i < 8; i++) add(scratch.a.set(i & 1 ? box.max.x : box.min.x, i & 2 ? box.max.y : box.min.y, i & 4 ? box.max.z : box.min.z), 0);
        continue;
      }
      const r = item.kind === "plate" || item.kind === "plane" ? (item.reach ?? item.size[0].at(0)) : this.reach(item);
      for (const row of item.moves ? rows : [0]) {
        add(item.place(row, scratch.a), r);
        if (item.to) add(item.target(row, scratch.a), 0);
      }
    }
    return points;
  }

  // Where to look and from how far, so that all of it is seen from that side, with some room around it.
  look(points, center, direction, aspect) {
    const right = new THREE.Vector3().crossVectors(this.camera.up, direction).normalize();
    const above = new THREE.Vector3().crossVectors(direction, right);
    const tangent = Math.tan((this.camera.fov * Math.PI) / 360);
    const target = center.clone();
    for (const axis of [right, above]) {
      let [low, high] = [Infinity, -Infinity];
      for (const [p, r] of points) {
        const x = scratch.a.copy(p).sub(center).dot(axis);
        [low, high] = [Math.min(low, x - r), Math.max(high, x + r)];
      }
      if (low < high) target.addScaledVector(axis, (low + high) / 2);
    }
    let distance = this.size * 0.2;
    for (const [p, r] of points) {
      scratch.a.copy(p).sub(target);
      const [x, y, z] = [right, above, direction].map((axis) => scratch.a.dot(axis));
      distance = Math.max(distance, z + (1.15 * (Math.abs(y) + r)) / tangent, z + (1.15 * (Math.abs(x) + r)) / (tangent * aspect));
    }
    return { target, distance };
  }

  project() {
    if (this.plane) {
      const w = this.view * (this.aspect || 1);
      Object.assign(this.camera, { left: -w, right: w, top: this.view, bottom: -this.view });
    } else {
      this.camera.aspect = this.aspect || 1;
    }
    this.camera.updateProjectionMatrix();
  }

  resize() {
    const { clientWidth: w, clientHeight: h } = this.host;
    if (!w || !h) return;
    const first = !this.aspect;
    this.aspect = w / h;
    this.renderer.setSize(w, h);
    if (first || !this.touched) this.frame();
    else this.project();
    this.dirty = true;
  }

  // --- objects

  build() {
    const c = this.theme.colors;
    this.scene?.traverse((object) => {
      object.geometry?.dispose();
      object.material?.map?.dispose();
      object.material?.dispose?.();
    });
    this.scene = new THREE.Scene();
    this.scene.background = new THREE.Color(c.paper);
    this.lights();
    this.ground();
    this.updates = [];
    this.labels = [];
    let next = 0;
    for (const item of this.items) {
      const named = item.color && c.names[item.color];
      const base = open.includes(item.kind) && item.open ? c.ground : acting.includes(item.kind) ? (item.role === "applied" ? c.applied : c.force) : item.kind === "segment" || item.kind === "link" ? c.rod : item.kind === "anchor" ? c.anchor : c.bodies[next % c.bodies.length];
      const color = named ?? (item.driven ? c.driven : base);
      if (!named && !item.driven && !(open.includes(item.kind) && item.open) && !["force", "couple", "segment", "contact", "anchor", "link"].includes(item.kind)) next++;
      item.paint = { color, edge: c.edge, line: c.gridStrong, ink: c.ink };
      item.object = this.object(item);
      if (!item.object) continue;
      item.object.userData.item = item;
      this.scene.add(item.object);
    }
    this.trails();
    this.dirty = true;
  }

  lights() {
    const dark = this.theme.name === "dark";
    this.scene.add(new THREE.HemisphereLight(0xffffff, dark ? 0x2a2f38 : 0xd8d2c4, dark ? 1.15 : 1.5));
    const sun = new THREE.DirectionalLight(0xfff4e2, dark ? 1.9 : 1.9);
    const r = this.extent;
    const center = this.box.getCenter(new THREE.Vector3());
    this.sun = sun;
    const offset = this.plane === "xy" ? [-0.5, 0.8, 1.6] : this.upright === "y" ? [0.6, 1.7, 0.5] : [0.6, -0.5, 1.7];
    this.sunAt = new THREE.Vector3(...offset).multiplyScalar(r * 1.5);
    sun.position.copy(center).add(this.sunAt);
    sun.target.position.copy(center);
    if (!this.plane) {
      sun.castShadow = true;
      sun.shadow.mapSize.set(1024, 1024);
      const s = this.near ? this.size : r;
      Object.assign(sun.shadow.camera, { left: -s, right: s, top: s, bottom: -s, near: r * 0.1, far: r * 6 });
      sun.shadow.normalBias = s * 0.004;
      sun.shadow.radius = 4;
    }
    this.scene.add(sun, sun.target);
  }

  // A grid that fades out, and in space a floor that takes shadows.
  ground() {
    const c = this.theme.colors;
    const step = 10 ** Math.floor(Math.log10(this.size / 2));
    const cell = this.size / step > 12 ? step * 2 : step;
    this.cell = cell;
    // what is looked at from near has its grid around it: far out numbers of a shader have too few digits
    const reach = this.near ? this.size * (this.plane ? 12 : 8) : this.extent * (this.plane ? 30 : 3.2);
    const center = this.box.getCenter(new THREE.Vector3());
    const instruments = this.items.some((i) => i.kind === "dial" || i.kind === "slider");
    const grid = new THREE.Mesh(
      new THREE.PlaneGeometry(2 * reach, 2 * reach),
      new THREE.ShaderMaterial({
        transparent: true,
        depthWrite: false,
        side: THREE.DoubleSide,
        uniforms: {
          cell: { value: cell }, color: { value: new THREE.Color(c.grid) }, strong: { value: new THREE.Color(c.gridStrong) },
          shift: { value: new THREE.Vector2() }, origin: { value: new THREE.Vector2() }, fade: { value: this.plane ? 1e9 : reach * 0.8 }, shown: { value: instruments ? 0 : 1 },
        },
        vertexShader: "varying vec2 at; void main() { at = position.xy; gl_Position = projectionMatrix*modelViewMatrix*vec4(position, 1.0); }",
        fragmentShader: `
          varying vec2 at; uniform float cell, fade, shown; uniform vec3 color, strong; uniform vec2 shift, origin;
          float lines(vec2 p, float width) { vec2 w = max(fwidth(p), 1e-12); vec2 d = abs(fract(p - 0.5) - 0.5)/w; vec2 l = 1.0 - min(d/width, 1.0);
            float thick = 1.0 - smoothstep(0.25, 0.9, max(w.x, w.y)); return max(l.x, l.y)*thick; }
          void main() {
            float small = lines((at + shift)/cell, 1.0)*0.5, large = lines((at + shift)/(cell*5.0), 1.2)*0.8;
            vec2 axis = abs(at - origin)/max(fwidth(at), 1e-12); float a = (1.0 - min(min(axis.x, axis.y)/1.4, 1.0))*0.9;
            float far = 1.0 - smoothstep(0.25, 1.0, length(at)/fade);
            float alpha = max(max(small*0.7, large), a)*far*shown;
            gl_FragColor = vec4(mix(color, strong, max(large, a)), alpha*0.75);
            #include <colorspace_fragment>
          }`,
      }),
    );
    grid.renderOrder = -2;
    const { shift, origin } = grid.material.uniforms;
    // the middle of the grid in its own axes: lines stand where the whole has them, the axes where it is 0
    const centreAt = (x, y) => {
      const five = 5 * cell;
      shift.value.set(x - Math.floor(x / five) * five, y - Math.floor(y / five) * five);
      origin.value.set(-x, -y);
    };
    const floor = new THREE.Mesh(new THREE.PlaneGeometry(2 * reach, 2 * reach), new THREE.ShadowMaterial({ opacity: c.shadow, depthWrite: false }));
    floor.receiveShadow = true;
    floor.renderOrder = -1;
    const both = new THREE.Group();
    both.add(grid);
    if (this.plane === "xy") {
      this.groundTo = (p) => {
        both.position.set(p.x, p.y, this.box.min.z - this.extent * 0.2);
        centreAt(p.x, p.y);
      };
    } else if (this.plane === "xz") {
      both.rotation.x = Math.PI / 2;
      this.groundTo = (p) => {
        both.position.set(p.x, this.box.max.y + this.extent * 0.2, p.z);
        centreAt(p.x, p.z);
      };
    } else {
      const y = this.upright === "y";
      const low = y ? this.box.min.y : this.box.min.z;
      // what rolls on the plane through the origin is shown to do so
      const touched = this.items.find((i) => i.kind === "contact" && i.at[y ? 1 : 2].fixed)?.at[y ? 1 : 2].value;
      const level = Number.isFinite(touched) && touched <= low + this.extent * 0.5 ? touched : low >= -0.02 * this.extent ? Math.min(0, low) : low - (this.rests(low) ? 0 : 0.04) * this.extent;
      if (y) both.rotation.x = -Math.PI / 2;
      this.groundTo = (p) => {
        both.position.set(p.x, y ? level : p.y, y ? p.z : level - 1e-4 * this.extent);
        centreAt(p.x, y ? -p.z : p.y);
      };
      both.add(floor);
      this.level = level;
    }
    this.groundTo(center);
    this.scene.add(both);
  }

  // Is the lowest thing one that stays where it is? Then it stands on the floor.
  rests(low) {
    const k = this.upright === "y" ? 1 : 2;
    const half = (item) => (item.kind === "box" && !item.turn ? item.size[k].at(0) / 2 : this.reach(item));
    return this.items.some((i) => solids.includes(i.kind) && !i.moves && i.at[k].value - half(i) < low + 0.02 * this.extent);
  }

  object(item) {
    const u = this.unit;
    const paint = item.paint;
    const solid = (object, scale) => {
      if (open.includes(item.kind) && item.open) shapes.sheet(object);
      else if (item.open || this.encloses(item)) glassy(object);
      const fixed = !item.size || item.size.every((s) => s.fixed);
      const turn = item.turn;
      const rescale = (row) => object.scale.set(...scale(item.size ? item.size.map((s) => Math.abs(s.at(row))) : []));
      rescale(0);
      this.updates.push((row) => {
        item.place(row, object.position);
        if (turn) item.attitude(row, object.quaternion);
        if (!fixed) rescale(row);
        object.visible = Number.isFinite(object.position.x + object.position.y + object.position.z);
      });
      return object;
    };
    switch (item.kind) {
      case "sphere":
        return solid(item.turn ? shapes.make.sphere(paint) : shapes.make.ball(paint), (s) => [s[0], s[0], s[0]]);
      case "box":
        return solid(shapes.make.box(paint), (s) => s);
      case "ellipsoid":
        return solid(shapes.make.sphere(paint), (s) => s);
      case "cylinder":
        // a long one is a rod: its turn about its axis is only hinted at
        return solid(shapes.make.cylinder(paint, item.size[1].at(0) > 3 * item.size[0].at(0) ? 0.16 : 0.55), (s) => [s[0], s[0], s[1]]);
      case "surface":
        return solid(shapes.surface(paint, (item.mesh ??= meshOf(item.surface)), item.open), () => [1, 1, 1]);
      case "cone":
        return solid(shapes.cone(paint), ([angle, height]) => [height * Math.tan(angle), height * Math.tan(angle), height]);
      case "plane":
        return solid(shapes.slab(paint), ([r]) => [r, r, r]);
      case "disk":
        return solid(shapes.make.cylinder(paint), (s) => [s[0], s[0], Math.max(s[0] * 0.04, u * 0.15)]);
      case "rod":
        return solid(shapes.make.rod(paint), (s) => [u * 0.8, u * 0.8, s[0]]);
      case "point":
        return solid(shapes.make.ball(paint), () => [u * 1.35, u * 1.35, u * 1.35]);
      case "anchor":
        return solid(shapes.make.box({ ...paint }), () => [u * 1.8, u * 1.8, u * 1.8]);
      case "contact":
        return solid(shapes.make.ball({ ...paint, color: this.theme.colors.contact }), () => [u * 0.55, u * 0.55, u * 0.55]);
      case "sled":
        return solid(shapes.sled(paint), () => Array(3).fill(this.size * 0.06));
      case "bar":
        return solid(shapes.bar(paint), () => Array(3).fill(this.size * 0.06));
      case "plate":
        return solid(shapes.plate(paint), () => Array(3).fill(item.reach));
      case "link":
        if (this.isCovered(item)) return null;
      // falls through
      case "segment":
        return this.between(item, shapes.make.rod(paint), item.kind === "link" ? u * 0.35 : u * 0.45);
      case "arrow":
      case "force":
        return this.arrow(item);
      case "couple":
        return this.couple(item);
      case "dial": {
        const object = shapes.dial(paint, label(item.name ?? ""));
        object.position.set(item.at[0].value * 2.2, 0, 0);
        const zero = item.size?.[0].value ?? 0;
        this.updates.push((row) => (object.userData.hand.rotation.z = zero + item.value.at(row)));
        return object;
      }
      case "slider": {
        const object = shapes.slider(paint, label(item.name ?? ""));
        object.position.set(0, item.at[1].value * 0.62, 0);
        const [low, high] = item.value.range();
        const most = Math.max(Math.abs(low), Math.abs(high)) || 1;
        this.updates.push((row) => (object.userData.bead.position.x = (1.5 * item.value.at(row)) / most));
        return object;
      }
      default:
        return null;
    }
  }

  // A body around others, not just a mark in its middle: one looks through it.
  encloses(item) {
    if (this.plane || !["sphere", "box", "cylinder", "ellipsoid"].includes(item.kind)) return false;
    const size = this.reach(item);
    const center = new THREE.Vector3();
    const turn = new THREE.Quaternion();
    const inside = (p, row) => {
      const s = item.size.map((c) => c.at(row));
      const r = p.sub(item.place(row, center));
      if (item.turn) r.applyQuaternion(item.attitude(row, turn).invert());
      if (item.kind === "sphere") return r.length() < s[0];
      if (item.kind === "ellipsoid") return Math.hypot(r.x / s[0], r.y / s[1], r.z / s[2]) < 1;
      if (item.kind === "cylinder") return Math.hypot(r.x, r.y) < s[0] && Math.abs(r.z) < s[1] / 2;
      return Math.abs(r.x) < s[0] / 2 && Math.abs(r.y) < s[1] / 2 && Math.abs(r.z) < s[2] / 2;
    };
    const rows = [0, 0.3, 0.6, 0.9].map((f) => Math.floor(f * (this.data.rows - 1)));
    return this.items.some((other) => {
      if (other === item || !solids.includes(other.kind) || !other.moves || this.reach(other) > 0.8 * size) return false;
      // one that is fixed to it is a mark on it
      if (item.moves && !this.wanders(item, other, rows)) return false;
      return rows.filter((row) => inside(other.place(row, new THREE.Vector3()), row)).length >= 3;
    });
  }

  // Does one move about within the other?
  wanders(item, other, rows) {
    const places = rows.map((row) => {
      const p = other.place(row, new THREE.Vector3()).sub(item.place(row, scratch.a));
      return item.turn ? p.applyQuaternion(item.attitude(row, new THREE.Quaternion()).invert()) : p;
    });
    return places.some((p) => p.distanceTo(places[0]) > 0.05 * this.reach(item));
  }

  // A link to a joint is seen where the body does not reach there.
  isCovered(link) {
    const [p, q] = [link.place(0, new THREE.Vector3()), link.target(0, new THREE.Vector3())];
    return this.items.some((i) => solids.includes(i.kind) && i.kind !== "point" && i.place(0, scratch.a).distanceTo(p) < 1e-9 * this.extent && this.reach(i) > 0.9 * p.distanceTo(q));
  }

  // A rod from one place to another.
  between(item, object, radius) {
    const { a, b } = scratch;
    this.updates.push((row) => {
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

  arrow(item) {
    const force = item.kind === "force";
    const object = shapes.arrow(item.paint, item.shared);
    const { a, b } = scratch;
    const width = this.unit * (force ? 0.36 : 0.42);
    object.userData.force = force;
    object.renderOrder = 2;
    this.updates.push((row) => {
      if (force && !this.options.forces) {
        object.visible = false;
        return;
      }
      item.place(row, a);
      item.target(row, b);
      if (force) b.multiplyScalar(this.forceScale * this.longer);
      else b.sub(a);
      const length = Math.min(b.length(), this.extent * 2);
      if (!(length > 0)) {
        object.visible = false;
        return;
      }
      object.position.copy(a);
      this.bringForward(object.position);
      object.quaternion.setFromUnitVectors(up, b.normalize());
      object.userData.set(length, width);
    });
    return object;
  }

  // In the plane arrows are before everything.
  bringForward(position) {
    if (this.plane === "xy") position.z = this.box.max.z + this.extent;
    if (this.plane === "xz") position.y = this.box.min.y - this.extent;
  }

  // A bent arrow about the axis, the longer the stronger.
  couple(item) {
    const radius = Math.max(this.size * 0.055, this.unit * 3);
    const object = shapes.couple(item.paint, item.shared);
    const { a, b } = scratch;
    object.renderOrder = 2;
    this.updates.push((row) => {
      item.place(row, a);
      item.target(row, b);
      const size = b.length();
      const angle = Math.min(size * this.coupleScale * this.longer, 1.85 * Math.PI);
      object.visible = this.options.forces && angle > 0.05 && Number.isFinite(a.x + a.y + a.z);
      if (!object.visible) return;
      object.position.copy(a);
      this.bringForward(object.position);
      object.scale.setScalar(radius);
      object.quaternion.setFromUnitVectors(up, b.divideScalar(size));
      object.userData.set(angle);
    });
    return object;
  }

  // Arrows longer or shorter.
  stretch(by) {
    this.longer = Math.min(16, Math.max(1 / 16, this.longer * by));
    this.update(this.row);
  }

  // The way of a point: all of it faintly, what was gone in full.
  trails() {
    const moving = this.items.filter((i) => i.kind === "path" || i.wantsTrail);
    const shown = moving.length > 40 ? moving.slice(-1) : moving;
    const many = shown.length > 8;
    const points = Math.min(TRAIL_POINTS, TRAILS_POINTS / Math.max(1, shown.length));
    const stride = Math.max(1, Math.ceil(this.data.rows / points));
    this.lines = [];
    for (const item of shown) {
      if (item.at.every((c) => c.fixed)) continue;
      const way = [];
      const rows = [];
      for (let r = 0; r < this.data.rows; r += stride) {
        item.place(r, scratch.a);
        if (!Number.isFinite(scratch.a.x + scratch.a.y + scratch.a.z)) continue;
        way.push(scratch.a.x, scratch.a.y, scratch.a.z - (this.plane === "xy" ? this.extent * 0.05 : 0));
        rows.push(r);
      }
      if (rows.length < 2) continue;
      const color = item.kind === "path" && !item.color ? this.theme.colors.bodies[0] : item.paint.color;
      const faint = many ? null : fatLine(way, color, 1.4, 0.28);
      const past = fatLine(way, color, 2.4, many ? 0.6 : 0.9);
      past.renderOrder = this.plane ? -1 : 2; // in space before what one looks through
      this.scene.add(past);
      if (faint) {
        faint.renderOrder = past.renderOrder;
        this.scene.add(faint);
      }
      this.lines.push({ item, faint, past, stride, count: rows.length });
    }
    this.updates.push((row) => {
      for (const line of this.lines) {
        line.past.visible = this.options.trails;
        if (line.faint) line.faint.visible = this.options.trails;
        line.past.geometry.instanceCount = Math.min(line.count - 1, Math.floor(row / line.stride));
      }
    });
  }

  // --- moving

  update(row) {
    this.row = row;
    for (const update of this.updates) update(row);
    if (this.options.follow) this.track(row);
    this.dirty = true;
  }

  // What is followed: the first thing that moves along.
  followedPlace(row) {
    const goes = (i) => !i.at.every((c) => c.fixed);
    const item = this.items.find((i) => goes(i) && solids.includes(i.kind)) ?? this.items.find((i) => goes(i) && i.kind === "path") ?? this.items.find((i) => goes(i) && !acting.includes(i.kind));
    return item ? item.place(row, new THREE.Vector3()) : null;
  }

  track(row) {
    const now = this.followedPlace(row);
    if (!now) return;
    if (this.followed) {
      const moved = now.clone().sub(this.followed);
      this.camera.position.add(moved);
      this.controls.target.add(moved);
    } else {
      this.camera.position.add(now).sub(this.controls.target);
      this.controls.target.copy(now);
    }
    this.followed = now;
    if (this.near) this.groundTo(now);
    if (this.near && this.sun) {  // shadows are only cast around what is looked at
      this.sun.target.position.copy(now);
      this.sun.position.copy(now).add(this.sunAt);
    }
  }

  set(option, on) {
    this.options[option] = on;
    if (option === "follow") {
      this.followed = null;
      if (this.near && !on) this.groundTo(this.box.getCenter(new THREE.Vector3()));
      if (this.near || !on) this.frame();
    }
    this.update(this.row);
  }

  render() {
    this.controls.update();
    if (!this.dirty) return;
    this.dirty = false;
    this.renderer.render(this.scene, this.camera);
  }

  // For tests: where things are.
  positions() {
    return this.items.map((item) => ({ kind: item.kind, name: item.name ?? null, visible: !!item.object?.visible, position: item.object?.position.toArray() ?? null, quaternion: item.object?.quaternion.toArray() ?? null }));
  }

  // Who acts: role, whether as a force or a couple, and names.
  get acting() {
    const rows = new Map();
    for (const item of this.items.filter((i) => acting.includes(i.kind))) {
      const key = `${item.role ?? "constraint"} ${item.shared}`;
      const row = rows.get(key) ?? { role: item.role ?? "constraint", shared: item.shared, names: new Set(), forces: false, couples: false };
      row.names.add(item.name);
      row[item.kind === "force" ? "forces" : "couples"] = true;
      rows.set(key, row);
    }
    return [...rows.values()];
  }

  get has() {
    return {
      trails: this.lines.length > 0,
      forces: this.items.some((i) => acting.includes(i.kind)),
      follow: this.items.some((i) => !["dial", "slider"].includes(i.kind) && i.at.some((c) => !c.fixed)),
      driven: this.items.some((i) => i.driven && !acting.includes(i.kind)),
    };
  }
}
