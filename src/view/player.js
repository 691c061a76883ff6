// The player of riccatree view, behind scene.js: time, camera, plot and panel.
//
// The part of the address behind # sets the beginning: #t=0.5&colour=speed&follow=body3&yaw=30&pitch=20&zoom=1.5&play=1

// ---- what is shown -------------------------------------------------------------------------------

function placeOf(body, pair) {
  const at = [0, 0, 0];
  for (const [frame, share] of [[pair.first, 1 - pair.between], [pair.last, pair.between]]) {
    const i = POSE * (count * frame + body);
    for (let k = 0; k < 3; k++) at[k] += share * (low[k] + step[k] * (pose[i + k] & STEPS));
  }
  return at;
}

function draw() {
  const started = performance.now();
  const pair = pairAt(state.time);
  if (state.follow >= 0) camera.target = placeOf(state.follow, pair);
  const origin = camera.target.map((x, k) => (step[k] > 0 ? Math.min(STEPS, Math.max(0, Math.round((x - low[k]) / step[k]))) : 0));
  const { seen, pixel, light } = sight(origin.map((steps, k) => low[k] + steps * step[k]));
  loadPair(pair.first, pair.last);
  for (const { made, uniform } of [lineProgram, bodyProgram]) {
    gl.useProgram(made);
    gl.uniform1i(uniform.before, 0);
    gl.uniform1i(uniform.after, 1);
    gl.uniform1f(uniform.between, pair.between);
    gl.uniform3iv(uniform.origin, origin);
    gl.uniform3fv(uniform.step_of, step);
    gl.uniformMatrix4fv(uniform.seen, false, seen);
    gl.uniform1f(uniform.pixel, pixel);
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
    gl.uniform3fv(uniform.light, light);
    for (const group of groups) {
      gl.bindVertexArray(group.vertexArray);
      gl.drawElementsInstanced(gl.TRIANGLES, group.faces, gl.UNSIGNED_SHORT, 0, group.members);
    }
  }
  gl.bindVertexArray(null);
  plot();
  showClock();
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

const COLOURS = [["plain"], ["speed", data.speed, "m/s"], ["angular speed", data.spin, "rad/s"], ["hinge force", data.force, "N"], ["depth in the tree", deepest, "bodies"]];
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

plotCanvas.addEventListener("pointerdown", (event) => plotSeek(event));
plotCanvas.addEventListener("pointermove", (event) => event.buttons > 0 && plotSeek(event));
function plotSeek(event) {
  const share = (event.offsetX - MARGIN.left) / (plotCanvas.clientWidth - MARGIN.left - MARGIN.right);
  seek(begin + share * span);
}
element("follow").onchange = (event) => follow(event.target.value.trim());
element("colour").onchange = (event) => colour(event.target.selectedIndex);
element("what").onchange = () => { state.dirty = true; again(); };
element("lines").onchange = again;
element("home").onclick = home;
(function begin_() {
  const error = Math.max(...step) / 2;
  const asks = putStage(data.model, shownOf(count, data.bodies, "bodies") + (data.recording ? ", " + shownOf(frames, data.frames, "frames") : ", initial state") +
    (data.complete ? "" : ", broken off") + `; positions to ${numberText(error)} m`);
  fillSelect("colour", COLOURS.map(([name]) => name), 0);
  fillSelect("what", plots.map(({ name }) => name), 0);
  COLOURS.forEach(([, most], i) => { element("colour").options[i].disabled = i > 0 && !(most > 0); });
  for (let k = 0; k < Math.min(count, 500); k++) element("bodies").append(new Option(nameOf(k)));
  const chosen = COLOURS.findIndex(([name]) => name === (asks.get("colour") || "").replace(/\+/g, " "));
  colour(Math.max(0, chosen));
  if (asks.has("follow")) {
    element("follow").value = asks.get("follow");
    follow(asks.get("follow"));
  }
  play(asks.get("play") === "1" || !asks.has("t"));
})();
