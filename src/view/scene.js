// What the player of riccatree view draws, behind common.js: the data of the page, which src/view/data.c describes, as meshes, buffers and
// textures.
// All bodies of one mesh are drawn by one call, and the poses of the two frames about the present time lie in two textures, between
// which the vertex shader interpolates. So a frame costs the script a few calls, however many bodies there are. Behind it comes player.js.
const row = new Int32Array(bytesOf(data.row));
const parent = new Int32Array(bytesOf(data.parent));
const owner = new Int32Array(bytesOf(data.owner)); // of what is drawn: the shown body, and which shape
const shapeOf = new Int32Array(bytesOf(data.shape));
const shapes = new Float32Array(bytesOf(data.shapes));
const sums = data.sums ? new Float64Array(bytesOf(data.sums)) : new Float64Array(0);
const pose = new Uint32Array(bytesOf(data.pose));
const count = row.length;
const SHAPE = 11, SUMS = 9, POSE = 4, WIDTH = 1024, STEPS = 2 ** 24 - 1;
const step = extent.map((edge) => edge / STEPS);
const nameOf = (k) => (data.names && data.names[k]) || "body" + row[k];
// ---- meshes: a corner is a direction, which the shape stretches, and an end, -1 or 1, of its axis z --------------------------

// Rings about z, from one end to the other: height and radius of a circle, which end it belongs to, and its normal, in height and
// outward.
function revolved(rings, sides) {
  const corners = [], faces = [], normals = [];
  for (const [z, r, end, along, outward] of rings) {
    for (let i = 0; i < sides; i++) {
      const a = 2 * Math.PI * i / sides;
      corners.push(r * Math.cos(a), r * Math.sin(a), z, end);
      normals.push(outward * Math.cos(a), outward * Math.sin(a), along);
    }
  }
  for (let j = 0; j + 1 < rings.length; j++) {
    for (let i = 0; i < sides; i++) {
      const a = j * sides + i, b = j * sides + (i + 1) % sides;
      faces.push(a, b, b + sides, a, b + sides, a + sides);
    }
  }
  return { corners, faces, normals };
}
function capsule(detail) {
  const rings = [];
  for (let j = 0; j <= detail; j++) {
    const a = Math.PI / 2 * (j / detail - 1);
    rings.push([Math.sin(a), Math.cos(a), -1, Math.sin(a), Math.cos(a)]);
  }
  for (let j = 0; j <= detail; j++) {
    const a = Math.PI / 2 * j / detail;
    rings.push([Math.sin(a), Math.cos(a), 1, Math.sin(a), Math.cos(a)]);
  }
  return revolved(rings, detail > 1 ? 4 * detail + 2 : 4);
}
function cylinder(detail) {
  const ends = [[0, 0, -1, -1, 0], [0, 1, -1, -1, 0], [0, 1, -1, 0, 1], [0, 1, 1, 0, 1], [0, 1, 1, 1, 0], [0, 0, 1, 1, 0]];
  return revolved(ends, 6 * detail + 2);
}
function box() {
  const corners = [], faces = [], normals = [];
  for (let axis = 0; axis < 3; axis++) {
    for (const side of [-1, 1]) {
      const at = corners.length / 4;
      for (const [u, v] of [[-1, -1], [1, -1], [1, 1], [-1, 1]]) {
        const corner = [0, 0, 0, 0];
        corner[axis] = side;
        corner[(axis + 1) % 3] = u * side;
        corner[(axis + 2) % 3] = v;
        corners.push(...corner);
        normals.push(...[0, 1, 2].map((k) => (k === axis ? side : 0)));
      }
      faces.push(at, at + 1, at + 2, at, at + 2, at + 3);
    }
  }
  return { corners, faces, normals };
}
const detail = owner.length > 20000 ? 1 : owner.length > 2000 ? 2 : 4;
const meshes = [capsule(detail), box(), capsule(detail), cylinder(detail)]; // by type: capsule, box, sphere, cylinder

const POSES = `#version 300 es
precision highp float;
precision highp int;
precision highp usampler2D;
uniform usampler2D before, after;
uniform float between;
uniform ivec3 origin; // in whole steps: places are exact about it, however large the box is
uniform vec3 step_of;
uniform mat4 seen;
uniform float pixel; // how large one is at a distance of 1
uniform int colour;
uvec4 posed(usampler2D frame, int body) { return texelFetch(frame, ivec2(body % ${WIDTH}, body / ${WIDTH}), 0); }
vec3 place(uvec4 p) { return step_of * vec3(ivec3(p.xyz & 0xffffffu) - origin); }
vec4 turned(uvec4 p) { // w x y z
  vec3 small = vec3((p.w >> 2) & 1023u, (p.w >> 12) & 1023u, (p.w >> 22) & 1023u) * (1.4142135 / 1023.0) - 0.70710678;
  float large = sqrt(max(0.0, 1.0 - dot(small, small)));
  uint where = p.w & 3u;
  return where == 0u ? vec4(large, small) : where == 1u ? vec4(small.x, large, small.yz)
       : where == 2u ? vec4(small.xy, large, small.z) : vec4(small, large);
}
vec3 rotated(vec4 q, vec3 v) { vec3 once = cross(q.yzw, v); return v + 2.0 * (q.x * once + cross(q.yzw, once)); }
vec3 painted(float s) {
  return s < 0.5 ? mix(vec3(0.35, 0.42, 0.95), vec3(0.16, 0.76, 0.72), 2.0 * s) : mix(vec3(0.16, 0.76, 0.72), vec3(1.0, 0.87, 0.3), 2.0 * s - 1.0);
}
float share(uvec4 p, float depth) {
  return colour == 1 ? float(p.x >> 24) / 255.0 : colour == 2 ? float(p.y >> 24) / 255.0 : colour == 3 ? float(p.z >> 24) / 255.0 : depth;
}
vec3 paint_of(uvec4 a, uvec4 b, float depth, vec3 plain) {
  return colour == 0 ? plain : painted(mix(share(a, depth), share(b, depth), between));
}
`;
const BODY_VERTEX = POSES + `
uniform sampler2D shapes;
uniform int chosen;
in vec4 corner;
in vec3 outward;
in ivec2 instance; // body, shape
in float depth;
out vec3 normal, paint;
void main() {
  vec4 stretch = texelFetch(shapes, ivec2(3 * (instance.y % 256), instance.y / 256), 0);
  vec3 centre = texelFetch(shapes, ivec2(3 * (instance.y % 256) + 1, instance.y / 256), 0).xyz;
  vec4 turn = texelFetch(shapes, ivec2(3 * (instance.y % 256) + 2, instance.y / 256), 0);
  uvec4 a = posed(before, instance.x), b = posed(after, instance.x);
  vec4 p = turned(a), q = turned(b);
  vec4 attitude = normalize(mix(p, dot(p, q) < 0.0 ? -q : q, between));
  vec3 middle = mix(place(a), place(b), between) + rotated(attitude, centre);
  vec3 thick = max(stretch.xyz, 1.3 * pixel * abs((seen * vec4(middle, 1.0)).w)); // what is far away stays in sight
  vec3 in_shape = corner.xyz * thick + vec3(0.0, 0.0, corner.w * stretch.w);
  normal = rotated(attitude, rotated(turn, outward / thick));
  paint = instance.x == chosen ? vec3(1.0, 0.45, 0.2) : paint_of(a, b, depth, vec3(0.55, 0.68, 0.82));
  vec3 at = middle + rotated(attitude, rotated(turn, in_shape));
  gl_Position = seen * vec4(at, 1.0);
}`;
const BODY_FRAGMENT = `#version 300 es
precision highp float;
uniform vec3 light;
in vec3 normal, paint;
out vec4 shown;
void main() { shown = vec4(paint * (0.45 + 0.6 * max(0.0, dot(normalize(normal), light))), 1.0); }`;
const LINE_VERTEX = POSES + `
in ivec2 ends; // body, parent
in float depth;
out vec3 paint;
void main() {
  int body = gl_VertexID == 0 ? ends.x : ends.y;
  uvec4 a = posed(before, body), b = posed(after, body);
  paint = paint_of(a, b, depth, vec3(0.75, 0.8, 0.85));
  gl_Position = seen * vec4(mix(place(a), place(b), between), 1.0);
}`;
const LINE_FRAGMENT = `#version 300 es
precision highp float;
in vec3 paint;
out vec4 shown;
void main() { shown = vec4(paint, 1.0); }`;

const bodyProgram = program(BODY_VERTEX, BODY_FRAGMENT);
const lineProgram = program(LINE_VERTEX, LINE_FRAGMENT);

// Depth in the tree, 0 to 1.
const depth = new Float32Array(count);
let deepest = 0;
(function findDepths() {
  const known = new Uint8Array(count);
  for (let k = 0; k < count; k++) {
    const path = [];
    let b = k;
    while (b >= 0 && !known[b]) {
      path.push(b);
      b = parent[b];
    }
    let level = b >= 0 ? depth[b] + 1 : 0;
    for (; path.length > 0; level++) {
      const next = path.pop();
      depth[next] = level;
      known[next] = 1;
      deepest = Math.max(deepest, level);
    }
  }
  for (let k = 0; k < count; k++) depth[k] /= Math.max(1, deepest);
})();

// Shapes of bodies by mesh.
const groups = meshes.map((mesh, type) => {
  const members = [];
  for (let k = 0; k < owner.length; k++) if (shapes[SHAPE * shapeOf[k]] === type) members.push(k);
  if (members.length === 0) return null;
  const vertexArray = gl.createVertexArray();
  gl.bindVertexArray(vertexArray);
  const instance = new Int32Array(2 * members.length), depths = new Float32Array(members.length);
  members.forEach((k, i) => {
    instance[2 * i] = owner[k];
    instance[2 * i + 1] = shapeOf[k];
    depths[i] = depth[owner[k]];
  });
  attribute(bodyProgram, "corner", new Float32Array(mesh.corners), 4, gl.FLOAT, 0);
  attribute(bodyProgram, "outward", new Float32Array(mesh.normals), 3, gl.FLOAT, 0);
  attribute(bodyProgram, "instance", instance, 2, gl.INT, 1);
  attribute(bodyProgram, "depth", depths, 1, gl.FLOAT, 1);
  gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, new Uint16Array(mesh.faces), gl.STATIC_DRAW);
  return { vertexArray, faces: mesh.faces.length, members: members.length };
}).filter((group) => group !== null);

const hung = [], hungDepth = [];
for (let k = 0; k < count; k++) {
  if (parent[k] < 0) continue;
  hung.push(k, parent[k]);
  hungDepth.push(depth[k]);
}
const lineArray = gl.createVertexArray();
gl.bindVertexArray(lineArray);
attribute(lineProgram, "ends", new Int32Array(hung), 2, gl.INT, 1);
attribute(lineProgram, "depth", new Float32Array(hungDepth), 1, gl.FLOAT, 1);
gl.bindVertexArray(null);

// Three texels a shape: how it stretches a mesh, its centre, its quaternion.
texture(2);
(function putShapes() {
  const all = shapes.length / SHAPE, height = Math.max(1, Math.ceil(all / 256));
  const texels = new Float32Array(4 * 768 * height);
  for (let s = 0; s < all; s++) {
    const [type, a, b, c, ...place] = shapes.subarray(SHAPE * s, SHAPE * (s + 1));
    const stretch = type === 1 ? [a / 2, b / 2, c / 2, 0] : [a, a, a, type === 2 ? 0 : b / 2];
    texels.set([...stretch, place[0], place[1], place[2], 0, ...place.slice(3)], 12 * s);
  }
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA32F, 768, height, 0, gl.RGBA, gl.FLOAT, texels);
})();

// The frames in the textures; one that stays is not sent again.
const rowsOfFrame = Math.max(1, Math.ceil(count / WIDTH));
const padded = new Uint32Array(POSE * WIDTH * rowsOfFrame);
const slots = [0, 1].map((number) => {
  const made = texture(number);
  gl.texStorage2D(gl.TEXTURE_2D, 1, gl.RGBA32UI, WIDTH, rowsOfFrame);
  return { made, frame: -1 };
});
function load(slot, number, frame) {
  gl.activeTexture(gl.TEXTURE0 + number);
  gl.bindTexture(gl.TEXTURE_2D, slot.made);
  if (slot.frame !== frame) {
    padded.set(pose.subarray(POSE * count * frame, POSE * count * (frame + 1)));
    gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, WIDTH, rowsOfFrame, gl.RGBA_INTEGER, gl.UNSIGNED_INT, padded);
    slot.frame = frame;
  }
}
function loadPair(first, second) {
  if (slots[0].frame === second || slots[1].frame === first) slots.reverse();
  load(slots[0], 0, first);
  load(slots[1], 1, second);
}

// ---- how far shapes reach beyond hinge points ------------------------------------------------------

let reach = 0;
for (let s = 0; s < shapes.length; s += SHAPE) {
  const [type, a, b, c, ...centre] = shapes.subarray(s, s + 7);
  reach = Math.max(reach, Math.hypot(...centre) + (type === 1 ? Math.hypot(a, b, c) / 2 : a + (type === 2 ? 0 : b / 2)));
}
