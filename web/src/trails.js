// The ways of points.
import * as THREE from "three";
import { Line2 } from "three/examples/jsm/lines/Line2.js";
import { LineGeometry } from "three/examples/jsm/lines/LineGeometry.js";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";

const TRAIL_POINTS = 2500; // of one trail ...
const TRAILS_POINTS = 20000; // ... and of all
const here = new THREE.Vector3();

function fatLine(points, color, width, opacity) {
  const geometry = new LineGeometry();
  geometry.setPositions(points);
  const line = new Line2(geometry, new LineMaterial({ color, linewidth: width, transparent: true, opacity, depthWrite: false }));
  line.frustumCulled = false;
  return line;
}

// The way of a point: all of it faintly, what was gone in full.
export function trails(scene) {
  const moving = scene.items.filter((i) => i.kind === "path" || i.wantsTrail);
  const shown = moving.length > 40 ? moving.slice(-1) : moving;
  const many = shown.length > 8;
  const points = Math.min(TRAIL_POINTS, TRAILS_POINTS / Math.max(1, shown.length));
  const stride = Math.max(1, Math.ceil(scene.data.rows / points));
  scene.lines = [];
  for (const item of shown) {
    if (item.at.every((c) => c.fixed)) continue;
    const way = [];
    const rows = [];
    for (let r = 0; r < scene.data.rows; r += stride) {
      item.place(r, here);
      if (!Number.isFinite(here.x + here.y + here.z)) continue;
      way.push(here.x, here.y, here.z - (scene.plane === "xy" ? scene.extent * 0.05 : 0));
      rows.push(r);
    }
    if (rows.length < 2) continue;
    const color = item.kind === "path" && !item.color ? scene.theme.colors.bodies[0] : item.paint.color;
    const faint = many ? null : fatLine(way, color, 1.4, 0.28);
    const past = fatLine(way, color, 2.4, many ? 0.6 : 0.9);
    past.renderOrder = scene.plane ? -1 : 2; // in space before what one looks through
    scene.world.add(past);
    if (faint) {
      faint.renderOrder = past.renderOrder;
      scene.world.add(faint);
    }
    // bodies do not hide it: it is seen through them, paler
    const through = new Line2(past.geometry, new LineMaterial({ color, linewidth: 1.6, transparent: true, opacity: 0.3, depthTest: false, depthWrite: false }));
    through.frustumCulled = false;
    through.renderOrder = 10;
    scene.world.add(through);
    scene.lines.push({ item, faint, past, through, stride, count: rows.length });
  }
  scene.updates.push((row) => {
    for (const line of scene.lines) {
      line.past.visible = line.through.visible = scene.options.trails;
      if (line.faint) line.faint.visible = scene.options.trails;
      line.past.geometry.instanceCount = Math.min(line.count - 1, Math.floor(row / line.stride));
    }
  });
}
