// Solids, rods, arrows, dials: what the items of a scene look like.
// Sizes are set by scaling, so that they may change.
import * as THREE from "three";

const white = new THREE.Color(0xffffff);

export function shade(color, by) {
  const c = new THREE.Color(color);
  return by > 0 ? c.lerp(white, by) : c.multiplyScalar(1 + by);
}

function material(color, extra = {}) {
  return new THREE.MeshStandardMaterial({ color, roughness: 0.52, metalness: 0.04, ...extra });
}

// Two tones by a rule of the place on the surface: rotations are seen.
function twoTone(geometry, color, rule, contrast = 0.55) {
  const index = geometry.index;
  const flat = index ? geometry.toNonIndexed() : geometry;
  const p = flat.attributes.position;
  const colors = new Float32Array(p.count * 3);
  const [a, b] = [new THREE.Color(color), shade(color, contrast)];
  const middle = new THREE.Vector3();
  for (let i = 0; i < p.count; i += 3) {
    middle.set(0, 0, 0);
    for (let k = 0; k < 3; k++) middle.add(new THREE.Vector3().fromBufferAttribute(p, i + k));
    const c = rule(middle.divideScalar(3)) ? a : b;
    for (let k = 0; k < 3; k++) c.toArray(colors, (i + k) * 3);
  }
  flat.setAttribute("color", new THREE.BufferAttribute(colors, 3));
  return flat;
}

function solid(geometry, color, patterned) {
  const mesh = new THREE.Mesh(geometry, patterned ? material(0xffffff, { vertexColors: true }) : material(color));
  mesh.castShadow = true;
  mesh.receiveShadow = true;
  return mesh;
}

function edges(mesh, color, angle = 25) {
  const line = new THREE.LineSegments(new THREE.EdgesGeometry(mesh.geometry, angle), new THREE.LineBasicMaterial({ color, transparent: true, opacity: 0.35 }));
  mesh.add(line);
  return mesh;
}

// What is behind others is seen through them, paler;
// `rim` is a larger one in the colour of the paper,
// so that it stands out from what has its own colour.
export function seenThrough(mesh, rim, paper) {
  const over = (geometry, material, order) => {
    const copy = new THREE.Mesh(geometry, material);
    Object.assign(material, { transparent: true, depthTest: false, depthWrite: false });
    copy.renderOrder = order;
    mesh.add(copy);
    return copy;
  };
  const opacity = mesh.material.opacity;
  if (rim) mesh.userData.rim = over(rim, new THREE.MeshBasicMaterial({ color: paper, opacity: 0.45 * opacity }), 19);
  over(mesh.geometry, Object.assign(mesh.material.clone(), { opacity: 0.7 * opacity }), 20);
  return mesh;
}

const checker = (v) => (v.x > 0) === (v.y > 0) === v.z > 0;
const sectors = (v) => Math.floor(((Math.atan2(v.y, v.x) / (2 * Math.PI)) * 8 + 16) % 8) % 2 === 0;

// Unit solids: radius 1, edges 1, height 1 along z.
export const make = {
  sphere: (c) => solid(twoTone(new THREE.SphereGeometry(1, 48, 32).rotateX(Math.PI / 2), c.color, checker), c.color, true),
  box: (c) => edges(solid(new THREE.BoxGeometry(1, 1, 1), c.color), c.edge),
  cylinder: (c, contrast) => edges(solid(twoTone(new THREE.CylinderGeometry(1, 1, 1, 64, 1).rotateX(Math.PI / 2), c.color, sectors, contrast), c.color, true), c.edge, 40),
  ball: (c) => solid(new THREE.SphereGeometry(1, 40, 28), c.color),
  rod: (c) => solid(new THREE.CylinderGeometry(1, 1, 1, 20, 1).rotateX(Math.PI / 2), c.color),
};

// A surface by its mesh; where it is a body, in two tones.
export function surface(c, geometry, open) {
  if (open) return solid(geometry.clone(), c.color);
  const flat = twoTone(geometry.clone(), c.color, checker);
  return solid(flat, c.color, true);
}

// What things move on and in: one looks through it, and both of its sides are lit.
export function sheet(object) {
  object.castShadow = false;
  object.receiveShadow = false;
  Object.assign(object.material, { transparent: true, opacity: 0.42, side: THREE.DoubleSide, depthWrite: false, roughness: 0.75 });
  object.renderOrder = 1;
}

// Tip at the origin, opening along z.
export const cone = (c) => solid(new THREE.ConeGeometry(1, 1, 72, 1, true).rotateX(-Math.PI / 2).translate(0, 0, 0.5), c.color);

// About z, as wide as a ring of a gyroscope: marked, so that its turning is seen.
export const ring = (c) => solid(twoTone(new THREE.TorusGeometry(1, 0.045, 16, 96), c.color, sectors, 0.4), c.color, true);

// A length of which some are in r: 1, 2 or 5 times a power of ten.
function niceStep(r) {
  const raw = r / 5;
  const power = 10 ** Math.floor(Math.log10(raw));
  return power * (raw / power < 2 ? 1 : raw / power < 5 ? 2 : 5);
}

// The points of a spring of length 1 along z: straight ends, and coils of radius 1;
// and a rod from each to the next.
export function spring(c) {
  const [coils, around, end] = [7, 6, 0.12];
  const points = [new THREE.Vector3(0, 0, 0), new THREE.Vector3(0, 0, end)];
  for (let i = 1; i < coils * around; i++) {
    const turn = (2 * Math.PI * i) / around;
    points.push(new THREE.Vector3(Math.sin(turn), -Math.cos(turn), end + ((1 - 2 * end) * i) / (coils * around)));
  }
  points.push(new THREE.Vector3(0, 0, 1 - end), new THREE.Vector3(0, 0, 1));
  const mesh = make.rod(c);
  const rods = new THREE.InstancedMesh(mesh.geometry, mesh.material, points.length - 1);
  rods.frustumCulled = false;
  rods.castShadow = true;
  const group = new THREE.Group();
  group.add(rods);
  group.userData = { points, rods };
  return group;
}

// A part of a plane: a disc of radius 1 with the lines of a grid, which is seen to move.
// It will be r times as large.
export function slab(c, r) {
  const disc = solid(new THREE.CircleGeometry(1, 96), c.color);
  const step = niceStep(r) / r;
  const rim = Array.from({ length: 97 }, (_, i) => [Math.cos((i * Math.PI) / 48), Math.sin((i * Math.PI) / 48)]);
  const geometry = new THREE.BufferGeometry();
  const most = Math.ceil(2 / step) + 2; // lines of each direction
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(new Float32Array(6 * (2 * most + 96)), 3));
  // Lines stand where those of a grid about (u, v) are.
  disc.userData.slide = (u, v) => {
    const lines = [];
    for (const [from, line] of [[u, (x, y) => lines.push(x, -y, 0, x, y, 0)], [v, (x, y) => lines.push(-y, x, 0, y, x, 0)]]) {
      const begin = from - step * Math.floor((from + 1) / step);
      for (let i = 0; begin + i * step <= 1; i++) line(begin + i * step, Math.sqrt(Math.max(0, 1 - (begin + i * step) ** 2)));
    }
    for (let i = 0; i < 96; i++) lines.push(...rim[i], 0, ...rim[i + 1], 0);
    geometry.attributes.position.array.set(lines);
    geometry.attributes.position.needsUpdate = true;
    geometry.setDrawRange(0, lines.length / 3);
  };
  disc.userData.slide(0, 0);
  const grid = new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({ color: shade(c.color, -0.3), transparent: true, opacity: 0.55, depthWrite: false }));
  grid.renderOrder = 1;
  disc.add(grid);
  sheet(disc);
  disc.material.opacity = 0.2;
  return disc;
}

// A point seen from above in the plane, with where it looks to: a blade.
export function sled(c) {
  const shape = new THREE.Shape();
  shape.moveTo(1.25, 0);
  shape.quadraticCurveTo(0.35, 0.42, -0.95, 0.5);
  shape.quadraticCurveTo(-0.62, 0, -0.95, -0.5);
  shape.quadraticCurveTo(0.35, -0.42, 1.25, 0);
  const geometry = new THREE.ExtrudeGeometry(shape, { depth: 0.16, bevelEnabled: true, bevelSize: 0.05, bevelThickness: 0.05, bevelSegments: 3, curveSegments: 24 });
  return edges(solid(geometry, c.color), c.edge, 40);
}

export function bar(c) {
  const group = new THREE.Group();
  const beam = solid(new THREE.CapsuleGeometry(0.11, 1.5, 8, 20), c.color);
  beam.position.z = 0.42;
  beam.rotation.z = 0; // a capsule lies along y: across the heading
  const hub = solid(new THREE.SphereGeometry(0.24, 32, 20), shade(c.color, -0.15));
  hub.position.z = 0.42;
  group.add(beam, hub);
  return group;
}

// From the origin along z, length 1; the head keeps its proportions.
const arrowPaint = (c, faint) => new THREE.MeshStandardMaterial({ color: c.color, roughness: 0.5, emissive: c.color, emissiveIntensity: 0.25, transparent: !!faint, opacity: faint ? 0.42 : 1 });

// `faint`: one of many that could stand there.
export function arrow(c, faint) {
  const group = new THREE.Group();
  const paint = arrowPaint(c, faint);
  const shaft = new THREE.Mesh(new THREE.CylinderGeometry(1, 1, 1, 16).rotateX(Math.PI / 2).translate(0, 0, 0.5), paint);
  const head = new THREE.Mesh(new THREE.ConeGeometry(1, 1, 24).rotateX(Math.PI / 2).translate(0, 0, -0.5), paint);
  const rims = [new THREE.CylinderGeometry(1.7, 1.7, 1, 16).rotateX(Math.PI / 2).translate(0, 0, 0.5), new THREE.ConeGeometry(1.35, 1.3, 24).rotateX(Math.PI / 2).translate(0, 0, -0.47)];
  group.add(seenThrough(shaft, rims[0], c.paper), seenThrough(head, rims[1], c.paper));
  group.userData.set = (length, width) => {
    const tip = Math.min(length * 0.6, width * 5.2);
    const shown = length > width * 0.2;
    group.visible = shown;
    group.userData.length = length;
    if (!shown) return;
    shaft.scale.set(width, width, Math.max(length - tip * 0.9, 1e-9));
    head.scale.set(tip * 0.42, tip * 0.42, tip);
    head.position.z = length;
  };
  return group;
}

// About z, radius 1, from the x axis on; its length is set by how much of the ring is drawn.
export function couple(c, faint) {
  const group = new THREE.Group();
  const paint = arrowPaint(c, faint);
  const [sides, steps] = [10, 96];
  const torus = (tube) => {
    const geometry = new THREE.TorusGeometry(1, tube, sides, steps);
    // its faces go round segment by segment within each side: sort them by segment
    const index = [...geometry.index.array];
    const sorted = [];
    for (let i = 0; i < steps; i++) for (let j = 0; j < sides; j++) sorted.push(...index.slice((j * steps + i) * 6, (j * steps + i) * 6 + 6));
    return geometry.setIndex(sorted);
  };
  const ring = new THREE.Mesh(torus(0.07), paint);
  const head = new THREE.Mesh(new THREE.ConeGeometry(0.24, 0.5, 20), paint);
  group.add(seenThrough(ring, torus(0.13), c.paper), seenThrough(head, new THREE.ConeGeometry(0.32, 0.64, 20), c.paper));
  group.userData.set = (angle) => {
    const shown = Math.max(1, Math.floor((angle / (2 * Math.PI)) * steps));
    for (const geometry of [ring.geometry, ring.userData.rim.geometry]) geometry.setDrawRange(0, shown * sides * 6);
    head.position.set(Math.cos(angle), Math.sin(angle), 0);
    head.rotation.z = angle; // a cone points along y
    head.scale.setScalar(Math.min(1, angle / 0.8));
  };
  return group;
}

function text(words, color) {
  const canvas = document.createElement("canvas");
  const size = 64;
  const pen = canvas.getContext("2d");
  pen.font = `500 ${size}px system-ui, sans-serif`;
  canvas.width = Math.ceil(pen.measureText(words).width) + 16;
  canvas.height = size * 1.4;
  pen.font = `500 ${size}px system-ui, sans-serif`;
  pen.fillStyle = color;
  pen.textBaseline = "middle";
  pen.fillText(words, 8, canvas.height / 2);
  const texture = new THREE.CanvasTexture(canvas);
  texture.colorSpace = THREE.SRGBColorSpace;
  const sprite = new THREE.Sprite(new THREE.SpriteMaterial({ map: texture, transparent: true, depthTest: false }));
  sprite.scale.set((canvas.width / canvas.height) * 0.24, 0.24, 1);
  return sprite;
}

export function dial(c, name) {
  const group = new THREE.Group();
  const face = new THREE.Mesh(new THREE.CircleGeometry(0.86, 96), new THREE.MeshBasicMaterial({ color: c.color, transparent: true, opacity: 0.1 }));
  const rim = new THREE.Mesh(new THREE.TorusGeometry(0.86, 0.022, 12, 120), material(shade(c.color, -0.1)));
  group.add(face, rim);
  for (let i = 0; i < 24; i++) {
    const tick = new THREE.Mesh(new THREE.PlaneGeometry(i % 6 ? 0.05 : 0.11, i % 6 ? 0.012 : 0.022), new THREE.MeshBasicMaterial({ color: c.line }));
    const a = (i * Math.PI) / 12;
    tick.position.set(Math.cos(a) * 0.76, Math.sin(a) * 0.76, 0.01);
    tick.rotation.z = a;
    group.add(tick);
  }
  const hand = new THREE.Group();
  const beam = solid(new THREE.CylinderGeometry(0.03, 0.03, 0.7, 16).rotateZ(Math.PI / 2).translate(0.35, 0, 0.06), c.color);
  const bob = solid(new THREE.SphereGeometry(0.1, 32, 20).translate(0.7, 0, 0.06), c.color);
  const hub = solid(new THREE.SphereGeometry(0.055, 24, 16).translate(0, 0, 0.06), shade(c.color, -0.25));
  hand.add(beam, bob, hub);
  group.add(hand);
  const caption = text(name, c.ink);
  caption.position.set(0, -1.1, 0);
  group.add(caption);
  group.userData.hand = hand;
  return group;
}

export function slider(c, name) {
  const group = new THREE.Group();
  const rail = new THREE.Mesh(new THREE.CylinderGeometry(0.018, 0.018, 3.1, 12).rotateZ(Math.PI / 2), material(c.line));
  group.add(rail);
  for (let i = -5; i <= 5; i++) {
    const tick = new THREE.Mesh(new THREE.PlaneGeometry(0.012, i % 5 ? 0.09 : 0.2), new THREE.MeshBasicMaterial({ color: c.line }));
    tick.position.set(i * 0.3, 0, -0.02);
    group.add(tick);
  }
  const bead = solid(new THREE.SphereGeometry(0.13, 32, 20), c.color);
  group.add(bead);
  const caption = text(name, c.ink);
  caption.position.set(-1.85, 0, 0);
  group.add(caption);
  group.userData.bead = bead;
  return group;
}
