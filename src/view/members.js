// What is drawn of an ensemble, behind common.js: the tracked bodies of all members as points with trails. Their places lie in one
// texture; a point and a trail is an instance, so a frame costs the script two calls, however many members there are.

const members = data.shown;
const status = new Int8Array(bytesOf(data.status));
const values = new Float64Array(bytesOf(data.values)); // [member][column]
const energies = new Float64Array(bytesOf(data.energy)); // [member][frame]
const places = new Uint16Array(bytesOf(data.place)); // [member][tracked body][frame][x y z]
const paths = data.track.length * members;
const NOWHERE = 65535, WIDTH = 2048;
const step = extent.map((edge) => edge / (NOWHERE - 1));
const reach = 0;

const PLACES = `#version 300 es
precision highp float;
precision highp int;
precision highp usampler2D;
uniform usampler2D places;
uniform vec3 step_of;
uniform mat4 seen;
uniform int frames;
uniform float now; // in frames
uniform int since; // the frame that trails begin with
uniform int tracked;
in float share; // of the range of the quantity; below 0: it has none
out vec4 paint;
bool missing = false;
vec3 at_frame(int path, int frame) {
  int at = path * frames + frame;
  uvec4 p = texelFetch(places, ivec2(at % ${WIDTH}, at / ${WIDTH}), 0);
  missing = missing || p.x == ${NOWHERE}u;
  return vec3(p.xyz) * step_of;
}
vec3 at_time(int path, float time) {
  int frame = int(floor(time));
  vec3 from = at_frame(path, frame);
  return time > float(frame) ? mix(from, at_frame(path, frame + 1), time - float(frame)) : from;
}
vec3 painted(float s) {
  return s < 0.0 ? vec3(0.5) : s < 0.5 ? mix(vec3(0.35, 0.42, 0.95), vec3(0.16, 0.76, 0.72), 2.0 * s) : mix(vec3(0.16, 0.76, 0.72), vec3(1.0, 0.87, 0.3), 2.0 * s - 1.0);
}
`;
const POINT_VERTEX = PLACES + `
void main() {
  vec3 at = at_time(gl_InstanceID, now);
  paint = vec4(painted(share), 1.0);
  gl_PointSize = 6.0;
  gl_Position = missing ? vec4(2.0, 2.0, 2.0, 1.0) : seen * vec4(at, 1.0);
}`;
const TRAIL_VERTEX = PLACES + `
void main() {
  float before = float(since + gl_VertexID / 2);
  vec3 from = at_time(gl_InstanceID, before), to = at_time(gl_InstanceID, min(before + 1.0, now));
  bool first = gl_VertexID % 2 == 0;
  float age = (now - (first ? before : min(before + 1.0, now))) / max(1.0, now - float(since));
  paint = vec4(painted(share), 0.7 - 0.55 * age);
  gl_Position = missing ? vec4(2.0, 2.0, 2.0, 1.0) : seen * vec4(first ? from : to, 1.0);
}`;
const PAINT_FRAGMENT = `#version 300 es
precision highp float;
in vec4 paint;
out vec4 shown;
void main() { shown = paint; }`;

const drawn = paths > 0 && frames > 1;
const programs = drawn ? [program(TRAIL_VERTEX, PAINT_FRAGMENT), program(POINT_VERTEX, PAINT_FRAGMENT)] : [];
const shares = new Float32Array(paths);
const arrays = programs.map((own) => {
  const made = gl.createVertexArray();
  gl.bindVertexArray(made);
  attribute(own, "share", shares, 1, gl.FLOAT, 1);
  return { made, buffer: gl.getParameter(gl.ARRAY_BUFFER_BINDING) };
});
if (drawn) {
  const height = Math.ceil(paths * frames / WIDTH), texels = new Uint16Array(4 * WIDTH * height);
  for (let i = 0; i < paths * frames; i++) texels.set(places.subarray(3 * i, 3 * i + 3), 4 * i);
  texture(0);
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA16UI, WIDTH, height, 0, gl.RGBA_INTEGER, gl.UNSIGNED_SHORT, texels);
}

// Colours by the share of a column's range that a member has.
function paintMembers(shareOf) {
  for (let k = 0; k < members; k++) shares.fill(shareOf(k), k * data.track.length, (k + 1) * data.track.length);
  for (const { buffer } of arrays) {
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ARRAY_BUFFER, shares, gl.STATIC_DRAW);
  }
}

function drawMembers(seen, now, since) {
  gl.enable(gl.BLEND);
  gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
  programs.forEach(({ made, uniform }, k) => {
    gl.useProgram(made);
    gl.uniform1i(uniform.places, 0);
    gl.uniform3fv(uniform.step_of, step);
    gl.uniformMatrix4fv(uniform.seen, false, seen);
    gl.uniform1i(uniform.frames, frames);
    gl.uniform1f(uniform.now, now);
    gl.uniform1i(uniform.since, since);
    gl.bindVertexArray(arrays[k].made);
    gl.depthMask(k > 0);
    if (k === 0) gl.drawArraysInstanced(gl.LINES, 0, 2 * (Math.ceil(now) - since), paths);
    else gl.drawArraysInstanced(gl.POINTS, 0, 1, paths);
  });
  gl.bindVertexArray(null);
}
