// Field pictures: what stands behind a motion, painted under its path.
// The data are those of src/output/page/field_data.h.
import { bytesOf, unpack } from "./data.js";
import { label } from "./equations.js";

const GRID = 4095; // points of curves over the box
const CONTOURS = 12;
const SAME = 1e-10; // of its size: what differs by less is the same everywhere

const css = (n) => `#${n.toString(16).padStart(6, "0")}`;

// --- words

const names = { distribution: "Constraint distribution", portrait: "Phase portrait", curvature: "Curvature of the kinetic connection" };

export function titleOf(field) {
  return names[field.kind];
}

export function aboutOf(field) {
  if (field.left_out) return `would take longer than the run: ${field.left_out} draws it`;
  if (field.planes) return "squares: the directions that the constraints leave";
  if (field.kind === "distribution") return "strokes: the directions that the constraints leave";
  if (field.kind === "portrait") return "thin: motions from other starts";
  return `F of ${label(field.of)}: a small loop leaves −F times its area behind`;
}

// --- layers, each with (u, pen, ratio): a plot of uPlot, its canvas,
// pixels of the canvas per pixel of the page

function strokes(field, x, y, colors) {
  return (u, pen, ratio) => {
    const perX = u.bbox.width / (u.scales.x.max - u.scales.x.min);
    const perY = u.bbox.height / (u.scales.y.max - u.scales.y.min);
    pen.strokeStyle = colors.curves[1];
    pen.globalAlpha = 0.5;
    pen.lineWidth = 4 * ratio;
    pen.lineCap = "round";
    pen.beginPath();
    for (let i = 0; i < field.strokes.length; i += 3) {
      const [row, dx, dy] = [field.strokes[i], field.strokes[i + 1] * perX, -field.strokes[i + 2] * perY];
      const a = u.valToPos(x[row], "x", true);
      const b = u.valToPos(y[row], "y", true);
      const f = (12 * ratio) / Math.hypot(dx, dy);
      pen.moveTo(a - f * dx, b - f * dy);
      pen.lineTo(a + f * dx, b + f * dy);
    }
    pen.stroke();
  };
}

function family(field, colors) {
  const [x0, x1, y0, y1] = field.box;
  return (u, pen, ratio) => {
    const place = (curve, i) => [u.valToPos(x0 + ((x1 - x0) * curve[i]) / GRID, "x", true), u.valToPos(y0 + ((y1 - y0) * curve[i + 1]) / GRID, "y", true)];
    pen.strokeStyle = pen.fillStyle = colors.faint;
    pen.globalAlpha = 0.7;
    pen.lineWidth = ratio;
    for (const curve of field.curves) {
      pen.beginPath();
      for (let i = 0; i < curve.length; i += 2) pen.lineTo(...place(curve, i));
      pen.stroke();
    }
    // where it goes: a small head at the start of each
    for (const curve of field.curves) {
      const [a, b] = place(curve, 0);
      const [c, d] = place(curve, 2);
      const length = Math.hypot(c - a, d - b);
      // to the right above the axis, to the left below it:
      // a curve that goes back in time has no head
      const forward = (c - a) * (curve[1] / GRID - 0.5) > 0;
      if (!(length > 0.1) || !forward) continue;
      const [ex, ey] = [((c - a) / length) * 4.5 * ratio, ((d - b) / length) * 4.5 * ratio];
      pen.beginPath();
      pen.moveTo(a + ex, b + ey);
      pen.lineTo(a - ex - 0.7 * ey, b - ey + 0.7 * ex);
      pen.lineTo(a - ex + 0.7 * ey, b - ey - 0.7 * ex);
      pen.fill();
    }
  };
}

// Green below zero, orange above, the paper itself at zero.
const shade = (colors, f) => [f > 0 ? colors.names.orange : colors.names.teal, Math.min(1, Math.abs(f)) * 0.8];

function picture(field, F, colors) {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [field.across, field.up];
  const pen = canvas.getContext("2d");
  const image = pen.createImageData(field.across, field.up);
  const most = Math.max(Math.abs(field.low), Math.abs(field.high)) || 1;
  for (let j = 0; j < field.up; j++) {
    for (let i = 0; i < field.across; i++) {
      const value = F[j * field.across + i];
      const [color, alpha] = shade(colors, Number.isFinite(value) ? value / most : 0);
      image.data.set([color >> 16, (color >> 8) & 255, color & 255, 255 * alpha], 4 * ((field.up - 1 - j) * field.across + i));
    }
  }
  pen.putImageData(image, 0, 0);
  return canvas;
}

const nice = (span, count) => {
  const raw = span / count;
  const power = 10 ** Math.floor(Math.log10(raw));
  return [1, 2, 5, 10].map((k) => k * power).find((step) => step >= raw);
};

// Level lines: each cell is two triangles, so that no saddle is ambiguous.
function contours(field, F, level, segment) {
  const at = (i, j) => F[j * field.across + i];
  const triangles = [[[0, 0], [1, 0], [1, 1]], [[0, 0], [1, 1], [0, 1]]];
  for (let j = 0; j + 1 < field.up; j++) {
    for (let i = 0; i + 1 < field.across; i++) {
      for (const triangle of triangles) {
        const met = [];
        for (let k = 0; k < 3; k++) {
          const [p, q] = [triangle[k], triangle[(k + 1) % 3]];
          const [a, b] = [at(i + p[0], j + p[1]), at(i + q[0], j + q[1])];
          if (a < level === b < level || !Number.isFinite(a + b)) continue;
          const f = (level - a) / (b - a);
          met.push(i + p[0] + f * (q[0] - p[0]), j + p[1] + f * (q[1] - p[1]));
        }
        if (met.length === 4) segment(...met);
      }
    }
  }
}

function heights(field, colors) {
  const F = unpack(field.packed, bytesOf(field.data), field.across * field.up);
  const image = picture(field, F, colors);
  const [x0, x1, y0, y1] = field.box;
  const size = Math.max(Math.abs(field.low), Math.abs(field.high));
  const step = field.high - field.low > SAME * size ? nice(field.high - field.low, CONTOURS) : 0;
  const lines = [];
  for (let k = Math.ceil(field.low / step); step && k * step <= field.high; k++) {
    const list = [];
    contours(field, F, k * step, (...segment) => list.push(segment));
    lines.push({ zero: k === 0, list });
  }
  return (u, pen, ratio) => {
    const X = (i) => u.valToPos(x0 + ((x1 - x0) * i) / (field.across - 1), "x", true);
    const Y = (j) => u.valToPos(y0 + ((y1 - y0) * j) / (field.up - 1), "y", true);
    pen.imageSmoothingEnabled = true;
    pen.imageSmoothingQuality = "high";
    // a pixel of the picture is a node: half of one stands out on each side
    pen.drawImage(image, X(-0.5), Y(field.up - 0.5), X(field.across - 0.5) - X(-0.5), Y(-0.5) - Y(field.up - 0.5));
    pen.strokeStyle = colors.ink;
    for (const { zero, list } of lines) {
      pen.globalAlpha = zero ? 0.6 : 0.22;
      pen.lineWidth = (zero ? 1.3 : 0.8) * ratio;
      pen.beginPath();
      for (const [a, b, c, d] of list) {
        pen.moveTo(X(a), Y(b));
        pen.lineTo(X(c), Y(d));
      }
      pen.stroke();
    }
  };
}

// What is painted under the path of y over x.
export function layerOf(field, x, y, colors) {
  const layer = field.kind === "distribution" ? strokes(field, x, y, colors) : field.kind === "portrait" ? family(field, colors) : heights(field, colors);
  return (u) => {
    const pen = u.ctx;
    pen.save();
    pen.beginPath();
    pen.rect(u.bbox.left, u.bbox.top, u.bbox.width, u.bbox.height);
    pen.clip();
    layer(u, pen, devicePixelRatio || 1);
    pen.restore();
  };
}

// --- in the space of three coordinates: the path, and squares in the planes that are left.
// Dragging turns it.

const PATH_POINTS = 900;
const SQUARE = 0.055; // half a side, of the whole

const axisOf = (x) => {
  let [low, high] = [Infinity, -Infinity];
  for (const v of x) [low, high] = [Math.min(low, v), Math.max(high, v)];
  return high > low ? { low, high } : { low: low - 0.5, high: high + 0.5 };
};

export class Space {
  constructor(field, columns, curves, colors, card, width) {
    Object.assign(this, { field, columns, curves, colors, card, width, height: Math.min(400, width * 0.78), turn: -0.9, tilt: 0.42 });
    this.canvas = document.createElement("canvas");
    this.canvas.className = "space";
    this.dot = document.createElement("div");
    this.dot.className = "dot";
    this.dot.style.background = colors.curves[0];
    card.append(this.canvas, this.dot);
    this.measure();
    this.resize(width);
    let from = null;
    this.canvas.addEventListener("pointerdown", (e) => {
      from = [e.clientX, e.clientY, this.turn, this.tilt];
      this.canvas.setPointerCapture(e.pointerId);
    });
    this.canvas.addEventListener("pointermove", (e) => {
      if (!from) return;
      this.turn = from[2] - (e.clientX - from[0]) / 120;
      this.tilt = Math.max(-1.5, Math.min(1.5, from[3] + (e.clientY - from[1]) / 160));
      this.draw();
    });
    for (const end of ["pointerup", "pointercancel"]) this.canvas.addEventListener(end, () => (from = null));
  }

  // Each coordinate over its range; x and y to the same scale where they are of one kind.
  measure() {
    this.axes = this.columns.map(axisOf);
    const [x, y] = this.axes;
    const [a, b] = [x.high - x.low, y.high - y.low];
    if (this.curves[0].unit === this.curves[1].unit && a / b < 4 && b / a < 4) {
      const half = Math.max(a, b) / 2;
      for (const axis of [x, y]) {
        const middle = (axis.low + axis.high) / 2;
        [axis.low, axis.high] = [middle - half, middle + half];
      }
    }
    const rows = this.columns[0].length;
    const stride = Math.max(1, Math.ceil(rows / PATH_POINTS));
    this.path = [];
    for (let r = 0; r < rows; r += stride) this.path.push(this.normal(r));
    this.squares = [];
    const list = this.field.planes;
    for (let i = 0; i < list.length; i += 7) {
      const vectors = [0, 3].map((k) => [0, 1, 2].map((j) => list[i + 1 + k + j] / (this.axes[j].high - this.axes[j].low)));
      const unit = (v) => v.map((x) => x / Math.hypot(...v));
      const u = unit(vectors[0]);
      const along = u[0] * vectors[1][0] + u[1] * vectors[1][1] + u[2] * vectors[1][2];
      const v = unit(vectors[1].map((x, k) => x - along * u[k]));
      const at = this.normal(list[i]);
      const corner = (s, t) => at.map((x, k) => x + SQUARE * (s * u[k] + t * v[k]));
      this.squares.push({ at, corners: [corner(1, 1), corner(-1, 1), corner(-1, -1), corner(1, -1)], facing: [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]] });
    }
  }

  // A row as a point of the cube from -1/2 to 1/2.
  normal(row) {
    const i = row | 0;
    const f = row - i;
    return this.columns.map((x, k) => {
      const value = f ? x[i] + f * (x[i + 1] - x[i]) : x[i];
      return (value - this.axes[k].low) / (this.axes[k].high - this.axes[k].low) - 0.5;
    });
  }

  // Across, up and towards the eye.
  view([x, y, z]) {
    const [c, s] = [Math.cos(this.turn), Math.sin(this.turn)];
    const [a, b] = [c * x - s * y, s * x + c * y];
    const [ct, st] = [Math.cos(this.tilt), Math.sin(this.tilt)];
    return [a, st * b + ct * z, ct * -b + st * z];
  }

  pixel(point) {
    const [a, b] = this.view(point);
    const size = Math.min(this.width / 1.75, this.height / 1.74);
    return [this.width / 2 + a * size, this.height / 2 - b * size];
  }

  resize(width) {
    this.width = width;
    this.height = Math.min(400, width * 0.78);
    const ratio = devicePixelRatio || 1;
    Object.assign(this.canvas, { width: width * ratio, height: this.height * ratio });
    Object.assign(this.canvas.style, { width: `${width}px`, height: `${this.height}px` });
    this.draw();
  }

  draw() {
    const pen = this.canvas.getContext("2d");
    const ratio = devicePixelRatio || 1;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, this.width, this.height);
    this.frame(pen);
    const parts = this.squares.map((square) => ({ depth: this.view(square.at)[2], square }));
    for (let i = 1; i < this.path.length; i++) {
      const [a, b] = [this.path[i - 1], this.path[i]];
      if (a.concat(b).every(Number.isFinite)) parts.push({ depth: this.view(a)[2] + 0.01, a, b });
    }
    parts.sort((p, q) => p.depth - q.depth);
    pen.lineCap = pen.lineJoin = "round";
    for (const part of parts) {
      pen.beginPath();
      if (part.square) {
        const light = Math.abs(this.view(part.square.facing)[2]);
        for (const corner of part.square.corners) pen.lineTo(...this.pixel(corner));
        pen.closePath();
        pen.fillStyle = pen.strokeStyle = this.colors.curves[3];
        pen.globalAlpha = 0.16 + 0.3 * light;
        pen.fill();
        pen.globalAlpha = 0.7;
        pen.lineWidth = 0.8;
      } else {
        pen.moveTo(...this.pixel(part.a));
        pen.lineTo(...this.pixel(part.b));
        pen.globalAlpha = 1;
        pen.strokeStyle = this.colors.curves[0];
        pen.lineWidth = 2;
      }
      pen.stroke();
    }
    if (this.row !== undefined) this.now(0, this.row);
  }

  // The edges of the cube that are behind, and the names of the coordinates
  // at those of them that are seen.
  frame(pen) {
    pen.strokeStyle = this.colors.line;
    pen.globalAlpha = 1;
    pen.lineWidth = 1;
    pen.font = "12px system-ui, sans-serif";
    pen.fillStyle = this.colors.faint;
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    const ends = (k, s, t) => [-0.5, 0.5].map((e) => { const p = [0, 0, 0]; p[k] = e; p[(k + 1) % 3] = s; p[(k + 2) % 3] = t; return p; });
    for (let k = 0; k < 3; k++) {
      let best = null;
      for (const s of [-0.5, 0.5]) {
        for (const t of [-0.5, 0.5]) {
          const edge = ends(k, s, t);
          const middle = edge[0].map((x, i) => (x + edge[1][i]) / 2);
          pen.beginPath();
          pen.moveTo(...this.pixel(edge[0]));
          pen.lineTo(...this.pixel(edge[1]));
          pen.stroke();
          // of x and y the lowest edge has the name, of z the leftmost
          const [a, b] = this.pixel(middle);
          const score = k < 2 ? b : -a;
          if (!best || score > best.score) best = { score, edge, middle };
        }
      }
      const { name, unit } = this.curves[k];
      const number = (x) => String(Number(x.toPrecision(3)));
      const away = (p, by) => this.pixel(p.map((x, i) => (i === k ? x : x * by)));
      pen.fillText(unit ? `${name} in ${unit}` : name, ...away(best.middle, 1.2));
      pen.fillText(number(this.axes[k].low), ...away(best.edge[0].map((x, i) => (i === k ? x * 0.92 : x)), 1.12));
      pen.fillText(number(this.axes[k].high), ...away(best.edge[1].map((x, i) => (i === k ? x * 0.92 : x)), 1.12));
    }
  }

  // What plots do.
  now(t, row) {
    this.row = row;
    const [a, b] = this.pixel(this.normal(row));
    this.dot.style.transform = `translate(${a}px, ${b}px)`;
    this.dot.style.visibility = Number.isFinite(a + b) ? "visible" : "hidden";
  }
  destroy() {
    this.canvas.remove();
    this.dot.remove();
  }
}

// The scale of colours of a height map.
export function scaleOf(field, colors, short) {
  if (field.kind !== "curvature" || field.left_out) return null;
  const [low, high] = [Math.min(field.low, 0), Math.max(field.high, 0)];
  const most = Math.max(-low, high) || 1;
  const stops = Array.from({ length: 21 }, (_, i) => {
    const value = low + ((high - low) * i) / 20;
    const [color, alpha] = shade(colors, value / most);
    return `${css(color)}${Math.round(alpha * 255).toString(16).padStart(2, "0")}`;
  });
  const bar = document.createElement("div");
  bar.className = "heights";
  const strip = document.createElement("i");
  strip.style.background = `linear-gradient(90deg, ${stops.join(", ")})`;
  bar.append(short(low), strip, short(high));
  if (Number.isFinite(field.inside)) {
    const inside = document.createElement("span");
    inside.textContent = `this loop leaves ${short(field.inside)}`;
    inside.title = `minus the integral of F inside the loop: ${field.inside}`;
    bar.append(inside);
  }
  return bar;
}
