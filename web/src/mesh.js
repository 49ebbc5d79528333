// Meshes of surfaces from the numbers of src/output/page/surface.c:
// f = 0 on a grid, or points over the sphere of normals.
import * as THREE from "three";
import { bytesOf, unpack } from "./data.js";

const numbers = (packed, count) => unpack(packed, bytesOf(packed.data), count);

// The six tetrahedra of a cube, by the corners x + 2 y + 4 z; neighbours share their faces.
const tetrahedra = [[0, 1, 3, 7], [0, 3, 2, 7], [0, 2, 6, 7], [0, 6, 4, 7], [0, 4, 5, 7], [0, 5, 1, 7]];

// The triangle with the corners in the order that is seen from outside.
function facing(t, inside, outside) {
  const [u, v] = [1, 2].map((k) => t[k].map((x, i) => x - t[0][i]));
  const normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
  const along = normal.reduce((sum, x, i) => sum + x * (outside[i] - inside[i]), 0);
  return along < 0 ? [t[0], t[2], t[1]] : t;
}

// Triangles of f = 0, as lists of three points.
function level(surface) {
  const [nx, ny, nz] = surface.nodes;
  const f = numbers(surface.f, nx * ny * nz);
  const { low, high } = surface;
  const place = (i) => [i % nx, Math.floor(i / nx) % ny, Math.floor(i / (nx * ny))].map((k, a) => low[a] + ((high[a] - low[a]) * k) / (surface.nodes[a] - 1));
  const between = (i, j) => {
    const [p, q] = [place(i), place(j)];
    const s = f[i] / (f[i] - f[j]);
    return p.map((x, k) => x + s * (q[k] - x));
  };
  const triangles = [];
  for (let z = 0; z + 1 < nz; z++) {
    for (let y = 0; y + 1 < ny; y++) {
      for (let x = 0; x + 1 < nx; x++) {
        const node = (c) => x + (c & 1) + nx * (y + ((c >> 1) & 1) + ny * (z + (c >> 2)));
        const corners = [0, 1, 2, 3, 4, 5, 6, 7].map(node);
        if (corners.every((i) => f[i] < 0) || corners.every((i) => f[i] >= 0) || corners.some((i) => !Number.isFinite(f[i]))) continue;
        for (const tetrahedron of tetrahedra) {
          const inside = tetrahedron.map((c) => corners[c]).filter((i) => f[i] < 0);
          const outside = tetrahedron.map((c) => corners[c]).filter((i) => !(f[i] < 0));
          if (!inside.length || !outside.length) continue;
          const add = (...t) => triangles.push(facing(t, place(inside[0]), place(outside[0])));
          if (inside.length === 1) add(...outside.map((j) => between(inside[0], j)));
          if (inside.length === 3) add(...inside.map((i) => between(i, outside[0])));
          if (inside.length === 2) {
            const [a, b, c, d] = [between(inside[0], outside[0]), between(inside[0], outside[1]), between(inside[1], outside[1]), between(inside[1], outside[0])];
            add(a, b, c);
            add(a, c, d);
          }
        }
      }
    }
  }
  return triangles;
}

// What of a triangle is where g <= 0, g straight between the corners.
function cut(triangle, g) {
  const values = triangle.map(g);
  const kept = [];
  for (let k = 0; k < 3; k++) {
    const [a, b] = [triangle[k], triangle[(k + 1) % 3]];
    const [u, v] = [values[k], values[(k + 1) % 3]];
    if (u <= 0) kept.push(a);
    if (u <= 0 !== v <= 0) kept.push(a.map((x, i) => x + (u / (u - v)) * (b[i] - x)));
  }
  return kept.length < 3 ? [] : kept.slice(2).map((p, i) => [kept[0], kept[i + 1], p]);
}

function geometryOf(triangles) {
  const places = [];
  const index = [];
  const known = new Map();
  for (const triangle of triangles) {
    const corners = triangle.map((p) => {
      const key = p.map((x) => x.toPrecision(7)).join();
      if (!known.has(key)) {
        known.set(key, places.length / 3);
        places.push(...p);
      }
      return known.get(key);
    });
    if (new Set(corners).size === 3) index.push(...corners);
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(places, 3));
  geometry.setIndex(index);
  return geometry;
}

function implicit(surface) {
  let triangles = level(surface);
  if (surface.axis !== undefined) {
    const [a, b] = [(surface.axis + 1) % 3, (surface.axis + 2) % 3];
    triangles = triangles.flatMap((t) => cut(t, (p) => Math.hypot(p[a] - surface.middle[a], p[b] - surface.middle[b]) - surface.radius));
  }
  return geometryOf(triangles);
}

function convex(surface) {
  const geometry = new THREE.SphereGeometry(1, surface.round, surface.half);
  const count = (surface.round + 1) * (surface.half + 1);
  const [x, y, z] = ["x", "y", "z"].map((key) => numbers(surface[key], count));
  const position = geometry.attributes.position;
  for (let i = 0; i < count; i++) position.setXYZ(i, x[i], y[i], z[i]);
  return geometry;
}

export function meshOf(surface) {
  const geometry = surface.nodes ? implicit(surface) : convex(surface);
  geometry.computeVertexNormals();
  geometry.computeBoundingBox();
  return geometry;
}
