// The clock of the page: where the motion is, and how fast it goes on.

const speeds = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];

export class Player {
  constructor(data) {
    this.data = data;
    this.s = 0; // time since the start of the motion
    this.playing = false;
    this.listeners = [];
    this.loop = true;
    // as it is, where that is watchable; else so that it takes about twelve seconds
    const length = data.length || 1;
    this.speed = length >= 3 && length <= 40 ? 1 : speeds.reduce((a, b) => (Math.abs(Math.log((length / b) / 12)) < Math.abs(Math.log((length / a) / 12)) ? b : a));
    this.still = data.rows < 2 || !(data.length > 0);
  }
  get t() {
    return this.s >= this.data.length ? this.data.last : this.data.first + this.data.sign * this.s;
  }
  on(listener) {
    this.listeners.push(listener);
  }
  tell(what) {
    for (const listener of this.listeners) listener(what, this);
  }
  seek(t) {
    const s = (t - this.data.first) * this.data.sign;
    this.s = Math.min(Math.max(s, 0), this.data.length);
    this.tell("time");
  }
  play(on = !this.playing) {
    if (this.still) on = false;
    if (on && this.s >= this.data.length) this.s = 0;
    this.playing = on;
    this.tell("state");
  }
  faster(by) {
    let i = speeds.findIndex((x) => x >= this.speed * 0.999);
    if (i < 0) i = speeds.length - 1;
    this.speed = speeds[Math.min(speeds.length - 1, Math.max(0, i + by))];
    this.tell("state");
  }
  // one step of the samples, or a part of the whole
  nudge(by) {
    this.play(false);
    this.seek(this.t + this.data.sign * by * (this.data.length / 200));
  }
  tick(seconds) {
    if (!this.playing) return false;
    // a frame may be stamped before the script began: time does not go back
    this.s += Math.max(0, Math.min(seconds, 0.1)) * this.speed;
    if (this.s >= this.data.length) {
      if (this.loop) {
        this.s = 0;
      } else {
        this.s = this.data.length;
        this.playing = false;
        this.tell("state");
      }
    }
    this.tell("time");
    return true;
  }
}
