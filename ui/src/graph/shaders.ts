/** The two WebGL programs: edges as lines, nodes as points with their form cut out of them. */

import { TONES } from "./palette";

/** `a_node` is a node of the projection: clip x, clip y, half height in pixels, depth. */
const DEPTH = `
uniform vec2 u_depths;
float nearness(float depth) {
  return 1.0 - clamp((depth - u_depths.x) / max(u_depths.y - u_depths.x, 1e-3), 0.0, 1.0);
}`;

export const EDGE_VERTEX = `#version 300 es
layout(location = 0) in vec4 a_node;
uniform float u_opacity;
out float v_opacity;
${DEPTH}
void main() {
  gl_Position = vec4(a_node.xy, 0.0, a_node.w);
  v_opacity = u_opacity * mix(0.3, 1.0, nearness(a_node.w));
}`;

export const EDGE_FRAGMENT = `#version 300 es
precision mediump float;
in float v_opacity;
uniform vec3 u_color;
out vec4 color;
void main() { color = vec4(u_color * v_opacity, v_opacity); }`;

/** `a_look` is tone, form and stress of a node. */
export const NODE_VERTEX = `#version 300 es
layout(location = 0) in vec4 a_node;
layout(location = 1) in vec4 a_look;
uniform vec3 u_tones[${TONES.length}];
uniform float u_ratio;
uniform float u_fading;
uniform float u_aspect;
flat out vec3 v_color;
flat out float v_form;
flat out float v_half;
flat out float v_extent;
flat out float v_opacity;
${DEPTH}
void main() {
  gl_Position = vec4(a_node.xy, 0.0, a_node.w);
  v_half = a_node.z * u_ratio;
  v_extent = v_half * u_aspect + 1.5;
  gl_PointSize = 2.0 * v_extent;
  v_color = u_tones[int(a_look.x)];
  v_form = a_look.y;
  float depth = mix(0.45, 1.0, nearness(a_node.w));
  v_opacity = a_look.z == 2.0 ? 1.0 : a_look.z == 1.0 ? u_fading * depth : depth;
}`;

export const NODE_FRAGMENT = `#version 300 es
precision highp float;
flat in vec3 v_color;
flat in float v_form;
flat in float v_half;
flat in float v_extent;
flat in float v_opacity;
uniform vec3 u_surface;
uniform vec3 u_ground;
uniform float u_aspect;
uniform float u_ratio;
out vec4 color;

float rectangle(vec2 p) {
  float corner = v_half * 0.3;
  vec2 beyond = abs(p) - vec2(v_half * u_aspect - corner, v_half - corner);
  return length(max(beyond, 0.0)) + min(max(beyond.x, beyond.y), 0.0) - corner;
}

void main() {
  vec2 p = (gl_PointCoord * 2.0 - 1.0) * v_extent;
  float outside = v_form > 2.5 ? length(p) - v_half : rectangle(p);
  float cover = clamp(0.5 - outside, 0.0, 1.0);
  if (cover <= 0.0) discard;
  float line = max(1.2 * u_ratio, v_half * 0.2);
  float inner = clamp(-outside - line + 0.5, 0.0, 1.0);
  vec3 paint = v_color;
  if (v_form > 2.5) paint = mix(v_color, u_surface, inner);
  else if (v_form > 1.5) {
    float gap = step(0.62, fract((p.x + p.y) / max(5.0 * u_ratio, v_half * 0.8)));
    paint = mix(mix(v_color, u_ground, gap), u_ground, inner);
  } else if (v_form > 0.5) {
    float slit = max(0.8 * u_ratio, v_half * 0.16);
    paint = mix(u_ground, v_color, clamp(abs(p.x + p.y * 0.5) - slit + 0.5, 0.0, 1.0));
  }
  color = vec4(mix(u_ground, paint, v_opacity) * cover, cover);
}`;
