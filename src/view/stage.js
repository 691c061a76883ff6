// Time and camera of a page, between the script that knows the scene, with `reach`, how far what is drawn goes beyond the box of places,
// and the one that has draw() and begins.

const begin = times[0] || 0, end = times[frames - 1] || 0;
const gravity = Math.hypot(...data.gravity);
const upward = gravity > 0 ? scaled(data.gravity, -1 / gravity) : [0, 0, 1];
const aside = unit(cross(Math.abs(upward[1]) < 0.9 ? [0, 1, 0] : [0, 0, -1], upward)); // x, of what stands upright
const ahead = cross(upward, aside);
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
function look() {
  const yaw = camera.yaw * Math.PI / 180, pitch = camera.pitch * Math.PI / 180;
  const level = add(scaled(ahead, -Math.cos(yaw)), scaled(aside, Math.sin(yaw)));
  const back = add(scaled(level, Math.cos(pitch)), scaled(upward, Math.sin(pitch)));
  const right = unit(cross(upward, level));
  return { back, right, up: cross(back, right) };
}

// The canvas as large as it is shown; matrix and light of the camera for places less `origin`, m.
function sight(origin) {
  const ratio = window.devicePixelRatio || 1;
  const width = Math.max(1, Math.round(canvas.clientWidth * ratio)), height = Math.max(1, Math.round(canvas.clientHeight * ratio));
  if (canvas.width !== width || canvas.height !== height) {
    canvas.width = width;
    canvas.height = height;
  }
  const { back, right, up } = look();
  const slope = 0.45, distance = radius * Math.hypot(1, slope) / slope / camera.zoom; // the ball about all fits
  const eye = add(scaled(back, distance), camera.target.map((x, k) => x - origin[k]));
  const far = distance + 4 * radius, near = Math.max(distance / 100, distance - 4 * radius, far / 1e5);
  gl.viewport(0, 0, width, height);
  gl.clearColor(0.063, 0.082, 0.11, 1);
  gl.enable(gl.DEPTH_TEST);
  gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
  return {
    seen: product(perspective(slope, width / height, near, far), viewing(eye, right, up, back)),
    pixel: slope / height * 2, // how large one is at a distance of 1
    light: unit(add(add(back, scaled(up, 0.8)), scaled(right, -0.4))),
  };
}

const span = end > begin ? end - begin : 1;

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
window.addEventListener("resize", again);

// What the head and the panel of every page say, and what the address asks for.
function putStage(name, shown) {
  element("title").textContent = name || "(no name)";
  element("shown").textContent = shown;
  document.title = (name || "model") + " - Riccatree";
  if (!(end > begin)) document.body.classList.add("notime");
  element("time").min = begin;
  element("time").max = end;
  fillSelect("speed", rates.map((rate) => numberText(rate) + " x"), rates.indexOf(usual));
  state.rate = usual;
  const asks = new URLSearchParams(location.hash.slice(1));
  for (const key of ["yaw", "pitch", "zoom"]) {
    const asked = parseFloat(asks.get(key));
    if (Number.isFinite(asked) && (asked > 0 || key !== "zoom")) camera[key] = asked;
  }
  if (asks.has("t")) state.time = Math.min(end, Math.max(begin, +asks.get("t") || 0));
  return asks;
}
const shownOf = (shown, there, what) => (shown === there ? `${there.toLocaleString("en")} ${what}` : `${shown.toLocaleString("en")} of ${there.toLocaleString("en")} ${what}`);
function showClock() {
  element("time").value = state.time;
  element("clock").textContent = numberText(state.time) + " s of " + numberText(end) + " s";
}
