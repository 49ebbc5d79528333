// The model text with its words in colour, line by line.

const keywords = new Set(
  ("model parameter let function coordinate control lagrangian kinetic potential body gravity force moment dissipation constraint operator " +
    "contact joint symmetry event observe start run plot draw place rolling").split(" "),
);
const clauses = new Set(
  ("in by force chetaev rising falling stop tolerance samples every step most mass inertia position attitude free on at axis direction moment color colour " +
    "restitution slip friction static rolling pivoting about line circle space sphere rotation and or not normal").split(" "),
);
const functions = new Set(
  ("sin cos tan asin acos atan atan2 sinh cosh tanh exp log sqrt abs sign min max hypot wrap dot norm unit cross transpose diag rotx roty rotz " +
    "quaternion omega Omega euler velocity point axis if sum d virtual p momentum force power work sphere box cylinder disk segment arrow path").split(" "),
);

const token = /(#.*$)|("[^"]*")|(\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)|([\p{L}_][\p{L}\p{N}_₀-₉]*)|(\s+)|(.)/gu;

export function highlight(text) {
  const lines = text.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n").replace(/\n+$/, "").split("\n");
  const list = document.createElement("ol");
  list.className = "code";
  for (const line of lines) {
    const item = document.createElement("li");
    const code = document.createElement("code");
    for (const match of line.matchAll(token)) {
      const [word, comment, string, number, name] = match;
      const next = line.slice(match.index + word.length).match(/^\s*(.)/)?.[1];
      const kind = comment
        ? "comment"
        : string
          ? "string"
          : number
            ? "number"
            : name && match.index === 0 && keywords.has(name)
              ? "keyword"
              : name && next === "(" && functions.has(name)
                ? "function"
                : name && match.index > 0 && clauses.has(name)
                  ? "clause"
                  : null;
      if (kind) {
        const span = document.createElement("span");
        span.className = kind;
        span.textContent = word;
        code.append(span);
      } else {
        code.append(word);
      }
    }
    item.append(code);
    list.append(item);
  }
  return list;
}
