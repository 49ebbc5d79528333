// The modes of contacts along the motion: which hold at a time, and the bar under the time line.

export const modes = ["open", "closed", "sticks", "slides"];
const ROWS_MOST = 6; // of the bar

export class Contacts {
  constructor(data) {
    this.data = data;
    this.list = (data.contacts ?? []).map(({ name, modes }) => ({ name, times: modes.map((m) => m[0]), words: modes.map((m) => m[1]) }));
    this.named = new Map(this.list.map((c) => [c.name, c]));
  }
  // What a contact does at a time; one that is not listed is never closed.
  mode(name, t) {
    const contact = this.named.get(name);
    if (!contact) return "open";
    const { times, words } = contact;
    let low = 0;
    let high = times.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((times[middle] - t) * this.data.sign <= 0) low = middle;
      else high = middle;
    }
    return words[low];
  }
  closed(name, t) {
    return this.mode(name, t) !== "open";
  }
  // The intervals of the run, one after the other, each with its mode.
  spans({ times, words }) {
    const ends = [...times.slice(1), this.data.last];
    return words.map((mode, i) => ({ from: i === 0 ? this.data.first : times[i], to: ends[i], mode }));
  }
  // Those with the longest time in other modes than open, in the order of the model.
  get shown() {
    if (this.list.length <= ROWS_MOST) return this.list;
    const time = (c) => this.spans(c).reduce((sum, s) => sum + (s.mode === "open" ? 0 : Math.abs(s.to - s.from)), 0);
    const most = new Set([...this.list].sort((a, b) => time(b) - time(a)).slice(0, ROWS_MOST));
    return this.list.filter((c) => most.has(c));
  }
}

// One path for each mode: a run may change its mode thousands of times.
function pathOf(spans, data, mode) {
  const share = (t) => (1000 * Math.abs(t - data.first)) / data.length;
  return spans.filter((s) => s.mode === mode).map((s) => `M${share(s.from).toFixed(3)} 0H${share(s.to).toFixed(3)}V1H${share(s.from).toFixed(3)}z`).join("");
}

function rowOf(contacts, contact, player) {
  const { data } = contacts;
  const svg = (tag) => document.createElementNS("http://www.w3.org/2000/svg", tag);
  const row = document.createElement("div");
  const name = document.createElement("span");
  const bar = svg("svg");
  row.className = "course";
  name.textContent = contact.name;
  bar.setAttribute("viewBox", "0 0 1000 1");
  bar.setAttribute("preserveAspectRatio", "none");
  for (const mode of modes) {
    const path = svg("path");
    path.setAttribute("class", mode);
    path.setAttribute("d", pathOf(contacts.spans(contact), data, mode));
    bar.append(path);
  }
  row.append(bar, name);
  const time = (event) => {
    const box = row.getBoundingClientRect();
    return data.first + (data.sign * data.length * (event.clientX - box.left)) / box.width;
  };
  row.addEventListener("pointermove", (event) => (row.title = `${contact.name} ${contacts.mode(contact.name, time(event))}`));
  row.addEventListener("click", (event) => player.seek(time(event)));
  return row;
}

// The bar: a row for each contact, and what the colours mean.
export function modeBar(contacts, player, host) {
  const { data } = contacts;
  if (contacts.list.length === 0 || !(data.length > 0)) return;
  host.append(...contacts.shown.map((contact) => rowOf(contacts, contact, player)));
  const words = document.createElement("div");
  words.className = "modes";
  const met = new Set(contacts.list.flatMap((c) => c.words));
  for (const mode of modes.filter((m) => met.has(m))) {
    const span = document.createElement("span");
    const mark = document.createElement("i");
    mark.className = mode;
    span.append(mark, mode);
    words.append(span);
  }
  const more = contacts.list.length - contacts.shown.length;
  if (more > 0) words.append(`and ${more} more contact${more > 1 ? "s" : ""}`);
  host.append(words);
}
