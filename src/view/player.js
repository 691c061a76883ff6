// The player of riccatree view, behind scene.js: time, camera, plot and panel.
//
// The part of the address behind # sets the beginning: #t=0.5&colour=speed&follow=body3&yaw=30&pitch=20&zoom=1.5&play=1

// ---- what is shown -------------------------------------------------------------------------------

const begin = times[0] || 0, end = times[frames - 1] || 0;
const gravity = Math.hypot(...data.gravity);
const upward = gravity > 0 ? scaled(data.gravity, -1 / gravity) : [0, 0, 1];
const aside = unit(cross(Math.abs(upward[1]) < 0.9 ? [0, 1, 0] : [0, 0, -1], upward)); // x, of what stands upright
const ahead = cross(upward, aside);
let reach = 0; // of the largest shape
for (let s = 0; s < shapes.length; s += SHAPE) {
  const [type, a, b, c, ...centre] = shapes.subarray(s, s + 7);
  reach = Math.max(reach, Math.hypot(...centre) + (type === 1 ? Math.hypot(a, b, c) / 2 : a + (type === 2 ? 0 : b / 2)));
}
const radius = Math.max(1e-9, Math.hypot(...extent) / 2 + reach);
const middle = add(low, scaled(extent, 0.5));
const camera = { yaw: 35, pitch: 12, zoom: 1, target: middle };
const state = { time: begin, playing: false, rate: 1, follow: -1, colour: 0, script: 0, drawn: 0, dirty: true };

// The pair of frames about a time, and how far it is from the first to the second.
function pairAt(time) {
  let first = 0, last = frames - 1;
  while (last - first > 1) {
    const half = (first + last) >> 1;
    if (times[half] <= time) first = half;
    else last = half;
  }
  const span = times[last] - times[first];
  return { first, last, between: span > 0 ? Math.min(1, Math.max(0, (time - times[first]) / span)) : 0 };
}
function placeOf(body, pair) {
  const at = [0, 0, 0];
  for (const [frame, share] of [[pair.first, 1 - pair.between], [pair.last, pair.between]]) {
    const i = POSE * (count * frame + body);
    for (let k = 0; k < 3; k++) at[k] += share * (low[k] + step[k] * (pose[i + k] & STEPS));
  }
  return at;
}

function look() {
  const yaw = camera.yaw * Math.PI / 180, pitch = camera.pitch * Math.PI / 180;
  const level = add(scaled(ahead, -Math.cos(yaw)), scaled(aside, Math.sin(yaw)));
  const back = add(scaled(level, Math.cos(pitch)), scaled(upward, Math.sin(pitch)));
  const right = unit(cross(upward, level));
  return { back, right, up: cross(back, right) };
}

function draw() {
  const started = performance.now();
  const ratio = window.devicePixelRatio || 1;
  const width = Math.max(1, Math.round(canvas.clientWidth * ratio)), height = Math.max(1, Math.round(canvas.clientHeight * ratio));
  if (canvas.width !== width || canvas.height !== height) {
    canvas.width = width;
    canvas.height = height;
  }
  const pair = pairAt(state.time);
  if (state.follow >= 0) camera.target = placeOf(state.follow, pair);
  const { back, right, up } = look();
  const slope = 0.45, distance = radius * Math.hypot(1, slope) / slope / camera.zoom; // the ball about all fits
  const origin = camera.target.map((x, k) => (step[k] > 0 ? Math.min(STEPS, Math.max(0, Math.round((x - low[k]) / step[k]))) : 0));
  const eye = add(scaled(back, distance), camera.target.map((x, k) => x - low[k] - origin[k] * step[k]));
  const far = distance + 4 * radius, near = Math.max(distance / 100, distance - 4 * radius, far / 1e5);
  const seen = product(perspective(slope, width / height, near, far), viewing(eye, right, up, back));
  gl.viewport(0, 0, width, height);
  gl.clearColor(0.063, 0.082, 0.11, 1);
  gl.enable(gl.DEPTH_TEST);
  gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
  loadPair(pair.first, pair.last);
  for (const { made, uniform } of [lineProgram, bodyProgram]) {
    gl.useProgram(made);
    gl.uniform1i(uniform.before, 0);
    gl.uniform1i(uniform.after, 1);
    gl.uniform1f(uniform.between, pair.between);
    gl.uniform3iv(uniform.origin, origin);
    gl.uniform3fv(uniform.step_of, step);
    gl.uniformMatrix4fv(uniform.seen, false, seen);
    gl.uniform1f(uniform.pixel, slope / height * 2);
    gl.uniform1i(uniform.colour, state.colour);
    if (made === lineProgram.made) {
      if (element("lines").checked && hung.length > 0) {
        gl.bindVertexArray(lineArray);
        gl.drawArraysInstanced(gl.LINES, 0, 2, hung.length / 2);
      }
      continue;
    }
    gl.uniform1i(uniform.shapes, 2);
    gl.uniform1i(uniform.chosen, state.follow);
    gl.uniform3fv(uniform.light, unit(add(add(back, scaled(up, 0.8)), scaled(right, -0.4))));
    for (const group of groups) {
      gl.bindVertexArray(group.vertexArray);
      gl.drawElementsInstanced(gl.TRIANGLES, group.faces, gl.UNSIGNED_SHORT, 0, group.members);
    }
  }
  gl.bindVertexArray(null);
  plot();
  element("time").value = state.time;
  element("clock").textContent = numberText(state.time) + " s of " + numberText(end) + " s";
  state.drawn++;
  state.script += performance.now() - started;
}

// ---- the plot -----------------------------------------------------------------------------------

const plots = [
  { name: "energies", unit: "J", lines: [["kinetic", (s) => s[1]], ["potential", (s) => s[2]], ["total", (s) => s[1] + s[2]]] },
  { name: "energy less the first", unit: "J", lines: [["drift", (s, first) => s[1] + s[2] - first[1] - first[2]]] },
  { name: "momentum", unit: "kg m/s", lines: [["x", (s) => s[3]], ["y", (s) => s[4]], ["z", (s) => s[5]]] },
  { name: "angular momentum", unit: "kg m²/s", lines: [["x", (s) => s[6]], ["y", (s) => s[7]], ["z", (s) => s[8]]] },
];
const INK = ["#6fb7ff", "#ffb454", "#e8eef5"];
const plotCanvas = element("plot");
const curves = document.createElement("canvas"); // they stay; only the line of the present time moves
const MARGIN = { left: 78, right: 12, top: 18, bottom: 8 };

const span = end > begin ? end - begin : 1;
const across = (time, width) => MARGIN.left + (time - begin) / span * (width - MARGIN.left - MARGIN.right);

function drawCurves(width, height) {
  curves.width = width;
  curves.height = height;
  const pen = curves.getContext("2d"), chosen = plots[element("what").selectedIndex] || plots[0];
  const first = sums.subarray(0, SUMS), rows = sums.length / SUMS;
  let least = Infinity, most = -Infinity;
  const values = chosen.lines.map(([, read]) => {
    const line = new Float64Array(rows);
    for (let i = 0; i < rows; i++) {
      line[i] = read(sums.subarray(SUMS * i, SUMS * (i + 1)), first);
      least = Math.min(least, line[i]);
      most = Math.max(most, line[i]);
    }
    return line;
  });
  const range = most > least ? most - least : Math.abs(most) || 1, floor = most > least ? least : least - range / 2;
  const high = (x) => height - MARGIN.bottom - (x - floor) / range * (height - MARGIN.top - MARGIN.bottom);
  pen.font = "12px system-ui, sans-serif";
  pen.fillStyle = "#8a99aa";
  pen.textAlign = "right";
  pen.fillText(numberText(floor + range) + " " + chosen.unit, MARGIN.left - 6, MARGIN.top + 4);
  pen.fillText(numberText(floor) + " " + chosen.unit, MARGIN.left - 6, height - MARGIN.bottom);
  pen.textAlign = "left";
  values.forEach((line, k) => {
    pen.strokeStyle = pen.fillStyle = INK[k];
    pen.fillText(chosen.lines[k][0], MARGIN.left + 8 + 80 * k, 13);
    pen.beginPath();
    for (let i = 0; i < rows; i++) pen.lineTo(across(sums[SUMS * i], width), high(line[i]));
    pen.stroke();
  });
}
function plot() {
  const width = plotCanvas.clientWidth, height = plotCanvas.clientHeight;
  if (sums.length === 0 || width === 0) return;
  if (curves.width !== width || curves.height !== height || state.dirty) drawCurves(width, height);
  state.dirty = false;
  plotCanvas.width = width;
  plotCanvas.height = height;
  const pen = plotCanvas.getContext("2d");
  pen.drawImage(curves, 0, 0);
  pen.fillStyle = "#ff7a4d";
  pen.fillRect(across(state.time, width) - 0.5, MARGIN.top, 1, height - MARGIN.top);
}

// ---- time, mouse and panel ---------------------------------------------------------------------

let last = 0, asked = false;
function tick(now) {
  asked = false;
  if (state.playing) {
    state.time += Math.min(0.1, Math.max(0, (now - last) / 1000)) * state.rate;
    if (state.time > end) state.time = begin;
  }
  last = now;
  draw();
  if (state.playing) again();
}
function again() {
  if (!asked) requestAnimationFrame(tick);
  asked = true;
}
function play(on) {
  state.playing = on && end > begin;
  element("play").textContent = state.playing ? "Pause" : "Play";
  last = performance.now();
  again();
}
function seek(time) {
  state.time = Math.min(end, Math.max(begin, time));
  again();
}
function follow(name) {
  let found = -1;
  for (let k = 0; k < count && name !== ""; k++) if (nameOf(k) === name) found = k;
  state.follow = found;
  element("follow").style.borderColor = name !== "" && found < 0 ? "#d0533a" : "";
  again();
}
function home() {
  camera.zoom = 1;
  camera.target = middle;
  element("follow").value = "";
  follow("");
}

const COLOURS = [["plain"], ["speed", data.speed, "m/s"], ["angular speed", data.spin, "rad/s"], ["depth in the tree", deepest, "bodies"]];
function colour(wanted) {
  const number = COLOURS[wanted][1] > 0 ? wanted : 0; // plain where there is nothing to tell apart
  const [, most, unitName] = COLOURS[number];
  element("colour").selectedIndex = number;
  state.colour = number;
  element("scale").style.display = number > 0 ? "block" : "none";
  element("low").textContent = "0";
  element("high").textContent = number > 0 ? numberText(most) + " " + unitName : "";
  again();
}

function fillSelect(id, names, chosen) {
  names.forEach((name, i) => element(id).add(new Option(name, i, false, i === chosen)));
}

// So that a run takes some ten seconds to see, rounded to 1, 2 or 5 of a power of ten.
function usualRate() {
  const wanted = span / 10, power = 10 ** Math.floor(Math.log10(wanted));
  return power * [1, 2, 5].reduce((best, d) => (d * power <= wanted * 1.2 ? d : best), 1);
}
const usual = usualRate();
const rates = [...new Set([usual / 10, usual / 5, usual / 2, usual, 2 * usual, 5 * usual, 10 * usual, 1])].sort((a, b) => a - b);

canvas.addEventListener("pointerdown", (event) => canvas.setPointerCapture(event.pointerId));
canvas.addEventListener("contextmenu", (event) => event.preventDefault());
canvas.addEventListener("pointermove", (event) => {
  if (event.buttons === 0) return;
  if (event.buttons > 1 || event.shiftKey) {
    const { right, up } = look(), pixel = 2.1 * radius / camera.zoom / canvas.clientHeight;
    camera.target = add(camera.target, add(scaled(right, -pixel * event.movementX), scaled(up, pixel * event.movementY)));
  } else {
    camera.yaw -= 0.4 * event.movementX;
    camera.pitch = Math.min(89, Math.max(-89, camera.pitch + 0.4 * event.movementY));
  }
  again();
});
canvas.addEventListener("wheel", (event) => {
  event.preventDefault();
  camera.zoom = Math.min(1e4, Math.max(0.05, camera.zoom * Math.exp(-0.0015 * event.deltaY)));
  again();
}, { passive: false });
plotCanvas.addEventListener("pointerdown", (event) => plotSeek(event));
plotCanvas.addEventListener("pointermove", (event) => event.buttons > 0 && plotSeek(event));
function plotSeek(event) {
  const share = (event.offsetX - MARGIN.left) / (plotCanvas.clientWidth - MARGIN.left - MARGIN.right);
  seek(begin + share * span);
}
document.addEventListener("keydown", (event) => {
  if (event.target.tagName === "INPUT" && event.target.type !== "range") return;
  if (event.key === " ") {
    event.preventDefault();
    play(!state.playing);
  }
});
element("play").onclick = () => play(!state.playing);
element("time").oninput = (event) => seek(+event.target.value);
element("speed").onchange = (event) => { state.rate = rates[event.target.selectedIndex]; };
element("follow").onchange = (event) => follow(event.target.value.trim());
element("colour").onchange = (event) => colour(event.target.selectedIndex);
element("what").onchange = () => { state.dirty = true; again(); };
element("lines").onchange = again;
element("home").onclick = home;
window.addEventListener("resize", again);

(function begin_() {
  const all = (shown, there, what) => (shown === there ? `${there.toLocaleString("en")} ${what}` : `${shown.toLocaleString("en")} of ${there.toLocaleString("en")} ${what}`);
  const error = Math.max(...step) / 2;
  element("title").textContent = data.model || "(no name)";
  element("shown").textContent = all(count, data.bodies, "bodies") + (data.recording ? ", " + all(frames, data.frames, "frames") : ", initial state") +
    (data.complete ? "" : ", broken off") + `; positions to ${numberText(error)} m`;
  document.title = (data.model || "model") + " - Riccatree";
  if (!(end > begin)) document.body.classList.add("notime");
  element("time").min = begin;
  element("time").max = end;
  fillSelect("speed", rates.map((rate) => numberText(rate) + " x"), rates.indexOf(usual));
  fillSelect("colour", COLOURS.map(([name]) => name), 0);
  fillSelect("what", plots.map(({ name }) => name), 0);
  COLOURS.forEach(([, most], i) => { element("colour").options[i].disabled = i > 0 && !(most > 0); });
  for (let k = 0; k < Math.min(count, 500); k++) element("bodies").append(new Option(nameOf(k)));
  state.rate = usual;
  const asks = new URLSearchParams(location.hash.slice(1));
  for (const key of ["yaw", "pitch", "zoom"]) {
    const asked = parseFloat(asks.get(key));
    if (Number.isFinite(asked) && (asked > 0 || key !== "zoom")) camera[key] = asked;
  }
  if (asks.has("t")) state.time = Math.min(end, Math.max(begin, +asks.get("t") || 0));
  const chosen = COLOURS.findIndex(([name]) => name === (asks.get("colour") || "").replace(/\+/g, " "));
  colour(Math.max(0, chosen));
  if (asks.has("follow")) {
    element("follow").value = asks.get("follow");
    follow(asks.get("follow"));
  }
  play(asks.get("play") === "1" || !asks.has("t"));
})();
