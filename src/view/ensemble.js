// The page of an ensemble, behind members.js and stage.js: energies over time, a histogram of a quantity of all members, and that
// quantity over another.
//
// The part of the address behind # sets the beginning: #t=0.5&quantity=energy&over=bodies.tip.mass&yaw=30&play=1

const PEN = { text: "#8a99aa", mark: "#ff7a4d", bar: "#6fb7ff" };
const MARGIN = { left: 78, right: 12, top: 24, bottom: 20 };

const columns = data.columns.map((_, c) => Float64Array.from({ length: members }, (__, k) => values[k * data.columns.length + c]));
const column = (c) => columns[c];
const ended = [...status.keys()].filter((k) => status[k] === 0); // members that came to the end

// Range and mean of those that came to the end and have the quantity.
const found = data.columns.map((_, c) => {
  const all = column(c), there = ended.filter((k) => Number.isFinite(all[k]));
  let least = Infinity, most = -Infinity, sum = 0;
  for (const k of there) {
    least = Math.min(least, all[k]);
    most = Math.max(most, all[k]);
    sum += all[k];
  }
  return { there, least, most, mean: sum / there.length };
});
const chosen = { quantity: 0, over: 0 };
const shareOf = (c, k) => (Number.isFinite(column(c)[k]) && status[k] === 0 ? (found[c].most > found[c].least ? (column(c)[k] - found[c].least) / (found[c].most - found[c].least) : 0.5) : -1);

function paper(id) {
  const canvas2 = element(id);
  canvas2.width = canvas2.clientWidth;
  canvas2.height = canvas2.clientHeight;
  const pen = canvas2.getContext("2d");
  pen.font = "12px system-ui, sans-serif";
  pen.fillStyle = PEN.text;
  const { width, height } = canvas2;
  const inside = { left: MARGIN.left, right: width - MARGIN.right, top: MARGIN.top, bottom: height - MARGIN.bottom };
  return { pen, width, height, inside };
}
// Numbers at the ends of both axes.
function label({ pen, inside }, title, x, y) {
  pen.fillStyle = PEN.text;
  pen.textAlign = "left";
  pen.fillText(title, inside.left, 14);
  pen.fillText(x[0], inside.left, inside.bottom + 14);
  pen.textAlign = "right";
  pen.fillText(x[1], inside.right, inside.bottom + 14);
  pen.fillText(y[0], inside.left - 6, inside.bottom);
  pen.fillText(y[1], inside.left - 6, inside.top + 6);
  pen.strokeStyle = "#3a485a";
  pen.strokeRect(inside.left, inside.top, inside.right - inside.left, inside.bottom - inside.top);
}

const BINS = 40;
function binsOf(c) {
  const bins = new Int32Array(BINS);
  for (const k of found[c].there) bins[Math.min(BINS - 1, Math.floor(BINS * shareOf(c, k)))]++;
  return bins;
}
function histogram() {
  const own = paper("histogram"), { pen, inside } = own, c = chosen.quantity, { there, least, most, mean } = found[c];
  const bins = binsOf(c), tallest = Math.max(1, ...bins);
  const wide = (inside.right - inside.left) / BINS, high = (inside.bottom - inside.top) / tallest;
  pen.fillStyle = PEN.bar;
  bins.forEach((count, i) => pen.fillRect(inside.left + i * wide, inside.bottom - count * high, Math.max(1, wide - 1), count * high));
  label(own, `${data.columns[c]}: ${there.length} members` + (there.length > 0 ? `, mean ${numberText(mean)}` : ""),
    there.length > 0 ? [numberText(least), numberText(most)] : ["", ""], ["0", String(tallest)]);
}
function scatter() {
  const own = paper("scatter"), { pen, inside } = own, { quantity, over } = chosen;
  pen.fillStyle = PEN.bar;
  for (const k of ended) {
    const x = shareOf(over, k), y = shareOf(quantity, k);
    if (x >= 0 && y >= 0) pen.fillRect(inside.left + x * (inside.right - inside.left) - 1.5, inside.bottom - y * (inside.bottom - inside.top) - 1.5, 3, 3);
  }
  const ends = ({ there, least, most }) => (there.length > 0 ? [numberText(least), numberText(most)] : ["", ""]);
  label(own, `${data.columns[quantity]} over ${data.columns[over]}`, ends(found[over]), ends(found[quantity]));
}

// ---- energies over time: drawn once, a line of the present time over it ----------------------------

const plots = [["energies", (k, f) => energies[k * frames + f]], ["energies less the first", (k, f) => energies[k * frames + f] - energies[k * frames]]];
const curves = document.createElement("canvas");
const across = (time, { left, right }) => left + (time - begin) / span * (right - left);
function drawCurves(own) {
  const { width, height, inside } = own, read = plots[element("what").selectedIndex][1];
  curves.width = width;
  curves.height = height;
  const pen = curves.getContext("2d");
  pen.font = own.pen.font;
  let least = Infinity, most = -Infinity;
  for (let k = 0; k < members; k++) {
    for (let f = 0; f < frames; f++) {
      const e = read(k, f);
      if (Number.isFinite(e)) {
        least = Math.min(least, e);
        most = Math.max(most, e);
      }
    }
  }
  const range = most > least ? most - least : 1;
  pen.globalAlpha = Math.max(0.05, Math.min(0.8, 30 / members));
  for (let k = 0; k < members; k++) {
    pen.strokeStyle = status[k] > 0 ? PEN.mark : PEN.bar;
    pen.beginPath();
    for (let f = 0; f < frames && Number.isFinite(read(k, f)); f++) pen.lineTo(across(times[f], inside), inside.bottom - (read(k, f) - least) / range * (inside.bottom - inside.top));
    pen.stroke();
  }
  pen.globalAlpha = 1;
  label({ pen, inside }, plots[element("what").selectedIndex][0] + " of members, J", [numberText(begin) + " s", numberText(end) + " s"],
    most >= least ? [numberText(least), numberText(most)] : ["", ""]);
}
function plot() {
  const was = [curves.width, curves.height];
  const own = paper("plot");
  if (own.width === 0) return;
  if (state.dirty || was[0] !== own.width || was[1] !== own.height) drawCurves(own);
  own.pen.drawImage(curves, 0, 0);
  own.pen.fillStyle = PEN.mark;
  own.pen.fillRect(across(state.time, own.inside) - 0.5, own.inside.top, 1, own.inside.bottom - own.inside.top);
}

// ---- all of it ----------------------------------------------------------------------------------

const TRAILS = [["all", 1], ["a quarter", 0.25], ["short", 0.05], ["none", 0]];
function draw() {
  const started = performance.now();
  if (drawn) {
    const pair = pairAt(state.time), now = pair.first + pair.between;
    const length = TRAILS[element("trails").selectedIndex][1] * (frames - 1);
    drawMembers(sight(low).seen, now, Math.max(0, Math.floor(now - length)));
  }
  if (state.dirty) {
    histogram();
    scatter();
  }
  if (frames > 1) {
    plot();
    showClock();
  }
  state.dirty = false;
  state.drawn++;
  state.script += performance.now() - started;
}
function dirty() {
  state.dirty = true;
  again();
}
function choose(which, c) {
  chosen[which] = c;
  element(which).selectedIndex = c;
  if (which === "quantity") paintMembers((k) => shareOf(c, k));
  dirty();
}
function plotSeek(event) {
  const { left, right } = { left: MARGIN.left, right: element("plot").clientWidth - MARGIN.right };
  seek(begin + (event.offsetX - left) / (right - left) * span);
}
element("plot").addEventListener("pointerdown", plotSeek);
element("plot").addEventListener("pointermove", (event) => event.buttons > 0 && plotSeek(event));
element("quantity").onchange = (event) => choose("quantity", event.target.selectedIndex);
element("over").onchange = (event) => choose("over", event.target.selectedIndex);
element("what").onchange = dirty;
element("trails").onchange = again;
element("home").onclick = () => {
  camera.zoom = 1;
  camera.target = middle;
  again();
};
window.addEventListener("resize", dirty);

// How many ended how, and why.
function tellFailures() {
  const counts = new Map();
  for (const s of status) if (s !== 0) counts.set(s, (counts.get(s) || 0) + 1);
  element("trouble").textContent = [...counts].map(([s, n]) => (s < 0 ? `${n} pending` : `${n} failed: ${data.words[s]}`)).join(", ");
  element("failed").style.display = counts.size > 0 ? "block" : "none";
  for (const [member, text] of data.failures) {
    const line = document.createElement("div");
    line.textContent = `member ${member}: ${text}`;
    element("failed").append(line);
  }
}

(function begin_() {
  const motion = data.track.length === 0 ? "no body tracked" : `tracked: ${data.track.slice(0, 3).join(", ")}${data.track.length > 3 ? ", ..." : ""}`;
  const asks = putStage(data.model, shownOf(members, data.members, "members") + (data.frames > 0 ? ", " + shownOf(frames, data.frames, "frames") : ", no series") +
    `, ${motion}` + (data.complete ? "" : ", not complete") + (drawn ? `; positions to ${numberText(Math.max(...step) / 2)} m` : ""));
  if (!drawn) document.body.classList.add("nomotion");
  fillSelect("quantity", data.columns, 0);
  fillSelect("over", data.columns, 0);
  fillSelect("trails", TRAILS.map(([name]) => name), 0);
  fillSelect("what", plots.map(([name]) => name), 0);
  tellFailures();
  const asked = (key, otherwise) => Math.max(data.columns.indexOf(asks.get(key)), -1) >= 0 ? data.columns.indexOf(asks.get(key)) : otherwise;
  choose("quantity", asked("quantity", data.columns.indexOf("energy")));
  choose("over", asked("over", 0));
  play(asks.get("play") === "1" || !asks.has("t"));
})();
