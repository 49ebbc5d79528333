// The numbers of a page: columns are unpacked when they are first asked for.
// The code is that of src/output/page/packed.h.

const BLOCK = 64;
const ESCAPE = 24;

export function bytesOf(base64) {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length + 8);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

// Bits from the top of each byte.
class Bits {
  constructor(bytes, at) {
    this.bytes = bytes;
    this.bit = at * 8;
  }
  // the next 24 bits, without going on
  peek() {
    const at = this.bit >> 3;
    const b = this.bytes;
    const word = ((b[at] << 24) | (b[at + 1] << 16) | (b[at + 2] << 8) | b[at + 3]) >>> 0;
    return ((word << (this.bit & 7)) >>> 8) & 0xffffff;
  }
  take(count) {
    if (count > 16) return this.take(count - 16) * 65536 + this.take(16);
    const value = count ? this.peek() >>> (24 - count) : 0;
    this.bit += count;
    return value;
  }
  // ones before a zero, ESCAPE at most; a full count has no zero behind it
  ones() {
    const zeros = ~this.peek() & 0xffffff;
    const count = zeros ? Math.clz32(zeros) - 8 : ESCAPE;
    this.bit += count < ESCAPE ? count + 1 : ESCAPE;
    return count;
  }
}

export function unpack(column, bytes, rows) {
  const x = new Float64Array(rows);
  if (!column.step) {
    x.fill(column.low ?? 0);
  } else {
    const bits = new Bits(bytes, column.at);
    const q = new Int32Array(rows);
    for (let i = 0; i < rows; ) {
      const k = bits.take(5);
      for (const end = Math.min(rows, i + BLOCK); i < end; i++) {
        const ones = bits.ones();
        const z = ones === ESCAPE ? bits.take(32) : ones * 2 ** k + bits.take(k);
        q[i] = z % 2 ? -(z + 1) / 2 : z / 2;
      }
    }
    for (let p = column.order; p > 0; p--) for (let i = p; i < rows; i++) q[i] += q[i - 1];
    for (let i = 0; i < rows; i++) x[i] = column.low + column.step * q[i];
  }
  const holes = column.holes ?? [];
  for (let i = 0; i < holes.length; i += 2) x.fill(NaN, holes[i], holes[i] + holes[i + 1]);
  return x;
}

export class Data {
  constructor(json) {
    Object.assign(this, json);
    this.bytes = bytesOf(json.data);
    this.data = null;
    this.cache = new Map();
    const [first, last] = [json.t[0] ?? 0, json.t[json.t.length - 1] ?? 0];
    this.even = json.t.length === 2 && json.rows !== 2;
    this.first = first;
    this.last = last;
    this.sign = last < first ? -1 : 1;
    this.length = Math.abs(last - first);
  }
  column(i) {
    if (!this.cache.has(i)) this.cache.set(i, i === 0 ? this.times() : unpack(this.columns[i], this.bytes, this.rows));
    return this.cache.get(i);
  }
  times() {
    if (!this.even) return Float64Array.from(this.t);
    const n = Math.max(1, this.rows - 1);
    return Float64Array.from({ length: this.rows }, (_, i) => (i === n ? this.last : this.first + ((this.last - this.first) * i) / n));
  }
  index(name) {
    return this.columns.findIndex((c) => c.name === name && c.kind !== "scene");
  }
  of(kind) {
    return this.columns.flatMap((c, i) => (c.kind === kind ? [i] : []));
  }
  timeAt(row) {
    const times = this.column(0);
    const i = row | 0;
    return i + 1 < times.length ? times[i] + (row - i) * (times[i + 1] - times[i]) : (times[i] ?? 0);
  }
  // The place of a time among the samples: a whole number where there is a sample.
  row(t) {
    const n = this.rows - 1;
    if (n < 1 || !(this.length > 0)) return 0;
    const s = (t - this.first) * this.sign;
    if (s <= 0) return 0;
    if (s >= this.length) return n;
    if (this.even) return (s / this.length) * n;
    const times = this.column(0);
    let low = 0;
    let high = n;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((times[middle] - this.first) * this.sign <= s) low = middle;
      else high = middle;
    }
    const span = times[high] - times[low];
    return low + (span ? (t - times[low]) / span : 0);
  }
}

// A number of the scene: constant, or a column.
export class Channel {
  constructor(data, value) {
    this.fixed = typeof value !== "string";
    this.value = this.fixed ? (value ?? NaN) : NaN;
    this.x = this.fixed ? null : data.column(Number(value.slice(1)));
  }
  at(row) {
    if (this.fixed) return this.value;
    const i = row | 0;
    const f = row - i;
    const a = this.x[i];
    return f === 0 ? a : a + f * (this.x[i + 1] - a);
  }
  // Changes this small are rounding: it stays where it is.
  settle(least) {
    const [low, high] = this.range();
    if (this.fixed || !(high - low < least)) return;
    this.fixed = true;
    this.value = this.x[0];
  }
  range() {
    if (this.fixed) return [this.value, this.value];
    let low = Infinity;
    let high = -Infinity;
    for (const v of this.x) {
      if (v < low) low = v;
      if (v > high) high = v;
    }
    return [low, high];
  }
}
