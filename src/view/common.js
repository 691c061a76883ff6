// What the pages of riccatree view share: the data as arrays, vectors and matrices, and WebGL. Behind it come the scripts of a page.
"use strict";

const element = (id) => document.getElementById(id);
const data = JSON.parse(element("data").textContent);
element("data").textContent = "";

function bytesOf(text) {
  const raw = atob(text);
  const bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
  return bytes.buffer;
}
const [lowX, lowY, lowZ, extentX, extentY, extentZ] = data.box;
const low = [lowX, lowY, lowZ], extent = [extentX, extentY, extentZ];
const times = data.time ? new Float64Array(bytesOf(data.time)) : new Float64Array(1);
const frames = times.length || 1;
const numberText = (x) => (x === 0 || (Math.abs(x) >= 0.001 && Math.abs(x) < 1e5) ? String(+x.toPrecision(4)) : x.toExponential(2));

// ---- vectors -----------------------------------------------------------------------------------

const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const scaled = (a, s) => [a[0] * s, a[1] * s, a[2] * s];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const unit = (a) => scaled(a, 1 / Math.sqrt(dot(a, a)));

// Column-major 4 x 4, as WebGL wants them.
function viewing(eye, right, up, back) {
  return [right[0], up[0], back[0], 0, right[1], up[1], back[1], 0, right[2], up[2], back[2], 0,
    -dot(right, eye), -dot(up, eye), -dot(back, eye), 1];
}
function perspective(slope, aspect, near, far) {
  return [1 / (slope * aspect), 0, 0, 0, 0, 1 / slope, 0, 0, 0, 0, (near + far) / (near - far), -1, 0, 0, 2 * near * far / (near - far), 0];
}
function product(a, b) {
  const out = new Float32Array(16);
  for (let i = 0; i < 16; i++) {
    for (let k = 0; k < 4; k++) out[i] += a[(i & 3) + 4 * k] * b[(i & 12) + k];
  }
  return out;
}

// ---- WebGL -------------------------------------------------------------------------------------

const canvas = element("scene");
const gl = canvas.getContext("webgl2", { antialias: true, preserveDrawingBuffer: true });
function trouble(text) {
  element("trouble").textContent = text;
  throw new Error(text);
}
if (!gl) trouble("This browser has no WebGL2, which the player draws with.");

function program(vertex, fragment) {
  const made = gl.createProgram();
  for (const [kind, source] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) trouble(gl.getShaderInfoLog(shader));
    gl.attachShader(made, shader);
  }
  gl.linkProgram(made);
  if (!gl.getProgramParameter(made, gl.LINK_STATUS)) trouble(gl.getProgramInfoLog(made));
  const uniform = {};
  for (let i = 0; i < gl.getProgramParameter(made, gl.ACTIVE_UNIFORMS); i++) {
    const name = gl.getActiveUniform(made, i).name;
    uniform[name] = gl.getUniformLocation(made, name);
  }
  return { made, uniform };
}

function texture(unitNumber) {
  const made = gl.createTexture();
  gl.activeTexture(gl.TEXTURE0 + unitNumber);
  gl.bindTexture(gl.TEXTURE_2D, made);
  for (const side of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, side, gl.NEAREST);
  return made;
}

function attribute(owner, name, array, size, kind, divisor) {
  const at = gl.getAttribLocation(owner.made, name);
  if (at < 0) return;
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, array, gl.STATIC_DRAW);
  gl.enableVertexAttribArray(at);
  if (kind === gl.INT) gl.vertexAttribIPointer(at, size, kind, 0, 0);
  else gl.vertexAttribPointer(at, size, kind, false, 0, 0);
  gl.vertexAttribDivisor(at, divisor);
}
