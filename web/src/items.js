// What is seen of a motion: items of the data, where they are at a time,
// what kind of thing they are.
import * as THREE from "three";
import { Channel } from "./data.js";

export const acting = ["force", "couple"]; // what has a value where others have an end
export const open = ["surface", "cone", "plane"]; // what things move on
export const solids = ["sphere", "ellipsoid", "box", "cylinder", "disk", "ring", "rod", "point", "cart", "sled"];
const between = new THREE.Quaternion();

export class Item {
  constructor(data, json) {
    Object.assign(this, { kind: json.kind, name: json.name, color: json.color, driven: !!json.driven, wantsTrail: !!json.trail, open: !!json.open, surface: json.surface, role: json.role, shared: !!json.shared, part: !!json.part, contact: json.contact });
    const channels = (list) => list?.map((value) => new Channel(data, value));
    this.size = channels(json.size);
    this.at = channels(json.at);
    this.to = channels(json.to);
    this.turn = channels(json.turn);
    this.slide = channels(json.slide);
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
      between.set(t[1].at(i + 1), t[2].at(i + 1), t[3].at(i + 1), t[0].at(i + 1));
      out.slerp(between, f);
    }
    return out.normalize();
  }
  get moves() {
    return !this.at.every((c) => c.fixed) || !!this.turn?.some((c) => !c.fixed) || !!this.to?.some((c) => !c.fixed);
  }
}

// All of it lies in one plane, and turns about its normal only:
// x y, or x z for what stands upright.
export function planeOf(items) {
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

// What is constant but for rounding is constant: planes are seen as planes.
export function settle(items) {
  const places = items.flatMap((i) => [...i.at, ...(acting.includes(i.kind) ? [] : (i.to ?? []))]);
  const ranges = places.map((c) => c.range()).filter((r) => Number.isFinite(r[0] + r[1]));
  const size = Math.max(0, ...ranges.map((r) => r[1] - r[0]), ...ranges.map((r) => Math.abs(r[0])));
  for (const place of places) place.settle(1e-9 * size);
  const values = items.filter((i) => acting.includes(i.kind)).flatMap((i) => i.to);
  const strong = Math.max(0, ...values.flatMap((c) => c.range().map(Math.abs)).filter(Number.isFinite));
  for (const value of values) {
    value.settle(1e-9 * strong);
    if (value.fixed && Math.abs(value.value) < 1e-9 * strong) value.value = 0;
  }
  for (const item of items) for (const turn of item.turn ?? []) turn.settle(1e-9);
}

// How far an item reaches from its place.
export function reachOf(item) {
  const sizes = item.size?.map((c) => Math.max(...c.range().map(Math.abs))) ?? [];
  if (item.surface) return item.surface.reach ?? 0;
  const half = { sphere: sizes[0], disk: sizes[0], ring: sizes[0], rod: sizes[0] / 2, ellipsoid: Math.max(...sizes, 0), box: Math.hypot(...sizes.slice(0, 3)) / 2, cylinder: Math.hypot(sizes[0], (sizes[1] ?? 0) / 2) };
  return half[item.kind] || 0;
}
