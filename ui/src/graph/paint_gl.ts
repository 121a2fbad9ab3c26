/** Paints a frame with WebGL 2: one buffer of projected nodes, shared by edges and nodes, uploaded once a picture. */

import { FAMILY_LOOKS } from "./families";
import type { Network, Shown } from "./network";
import { fitCanvas, type Frame, type Painter } from "./painter";
import { TONES } from "./palette";
import { ASPECT } from "./projection";
import { EDGE_FRAGMENT, EDGE_VERTEX, NODE_FRAGMENT, NODE_VERTEX } from "./shaders";

interface Program {
  readonly handle: WebGLProgram;
  readonly at: (name: string) => WebGLUniformLocation | null;
}

/** Whether WebGL here is computed by the processor; such a context is opened without smoothing. */
export function rendersInSoftware(gl: WebGL2RenderingContext): boolean {
  const info = gl.getExtension("WEBGL_debug_renderer_info");
  const name = String(gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
  return /swiftshader|llvmpipe|software|basic render/i.test(name);
}

/** A WebGL painter, or null when the browser has no WebGL 2. */
export function glPainter(): GlPainter | null {
  const probe = document.createElement("canvas").getContext("webgl2");
  if (!probe) return null;
  const antialias = !rendersInSoftware(probe);
  probe.getExtension("WEBGL_lose_context")?.loseContext();
  const canvas = document.createElement("canvas");
  const gl = canvas.getContext("webgl2", { alpha: false, depth: false, stencil: false, antialias });
  return gl && new GlPainter(canvas, gl);
}

export class GlPainter implements Painter {
  readonly kind = "webgl";
  readonly canvas: HTMLCanvasElement;
  readonly software: boolean;

  readonly #gl: WebGL2RenderingContext;
  readonly #edges: Program;
  readonly #nodes: Program;
  readonly #projected: WebGLBuffer;
  readonly #looks: WebGLBuffer;
  readonly #order: WebGLBuffer;
  readonly #pairs: WebGLBuffer;
  #look = new Uint8Array(0);
  #runs: readonly { readonly tone: (typeof TONES)[number]; readonly first: number; readonly count: number }[] = [];

  constructor(canvas: HTMLCanvasElement, gl: WebGL2RenderingContext) {
    this.canvas = canvas;
    this.software = rendersInSoftware(gl);
    this.#gl = gl;
    this.#edges = programOf(gl, EDGE_VERTEX, EDGE_FRAGMENT);
    this.#nodes = programOf(gl, NODE_VERTEX, NODE_FRAGMENT);
    this.#projected = gl.createBuffer();
    this.#looks = gl.createBuffer();
    this.#order = gl.createBuffer();
    this.#pairs = gl.createBuffer();
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  }

  load(network: Network, shown: Shown): void {
    const gl = this.#gl;
    this.#look = new Uint8Array(network.nodes.length * 4);
    for (let index = 0; index < network.nodes.length; index++) {
      this.#look[index * 4] = network.tones[index]!;
      this.#look[index * 4 + 1] = network.forms[index]!;
    }
    const pairs = new Uint32Array(shown.edgeCount * 2);
    let first = 0;
    this.#runs = shown.families.map((family) => {
      const links = network.links[family];
      pairs.set(links, first);
      const run = { tone: FAMILY_LOOKS[family].tone, first, count: links.length };
      first += links.length;
      return run;
    });
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, this.#pairs);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, pairs, gl.STATIC_DRAW);
  }

  paint(frame: Frame): void {
    const gl = this.#gl;
    fitCanvas(this.canvas, frame.size, frame.ratio);
    gl.viewport(0, 0, this.canvas.width, this.canvas.height);
    gl.clearColor(...frame.palette.rgb.ground, 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.#projected);
    gl.bufferData(gl.ARRAY_BUFFER, frame.projection.clip, gl.STREAM_DRAW);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 4, gl.FLOAT, false, 0, 0);
    this.#paintEdges(frame);
    this.#paintNodes(frame);
  }

  dispose(): void {
    this.#gl.getExtension("WEBGL_lose_context")?.loseContext();
  }

  #paintEdges(frame: Frame): void {
    const gl = this.#gl;
    gl.useProgram(this.#edges.handle);
    gl.disableVertexAttribArray(1);
    gl.uniform2f(this.#edges.at("u_depths"), frame.projection.nearest, frame.projection.farthest);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, this.#pairs);
    for (const { tone, first, count } of this.#runs) {
      if (count === 0) continue;
      gl.uniform1f(this.#edges.at("u_opacity"), frame.edgeOpacity);
      gl.uniform3f(this.#edges.at("u_color"), ...frame.palette.rgb[tone]);
      gl.drawElements(gl.LINES, Math.ceil((count / 2) * frame.edgeShare) * 2, gl.UNSIGNED_INT, first * 4);
    }
  }

  #paintNodes(frame: Frame): void {
    const gl = this.#gl;
    const { at, handle } = this.#nodes;
    for (let index = 0; index < frame.stress.length; index++) this.#look[index * 4 + 2] = frame.stress[index]!;
    gl.useProgram(handle);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.#looks);
    gl.bufferData(gl.ARRAY_BUFFER, this.#look, gl.STREAM_DRAW);
    gl.enableVertexAttribArray(1);
    gl.vertexAttribPointer(1, 4, gl.UNSIGNED_BYTE, false, 0, 0);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, this.#order);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, frame.projection.order, gl.STREAM_DRAW);
    gl.uniform3fv(at("u_tones"), TONES.flatMap((tone) => frame.palette.rgb[tone]));
    gl.uniform3f(at("u_surface"), ...frame.palette.rgb.surface);
    gl.uniform3f(at("u_ground"), ...frame.palette.rgb.ground);
    gl.uniform2f(at("u_depths"), frame.projection.nearest, frame.projection.farthest);
    gl.uniform1f(at("u_ratio"), frame.ratio);
    gl.uniform1f(at("u_fading"), frame.fading);
    gl.uniform1f(at("u_aspect"), ASPECT);
    gl.drawElements(gl.POINTS, frame.projection.drawn, gl.UNSIGNED_INT, 0);
  }
}

function programOf(gl: WebGL2RenderingContext, vertex: string, fragment: string): Program {
  const handle = gl.createProgram();
  for (const [kind, text] of [
    [gl.VERTEX_SHADER, vertex],
    [gl.FRAGMENT_SHADER, fragment],
  ] as const) {
    const shader = gl.createShader(kind);
    if (!shader) throw new Error("the WebGL context was lost");
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    gl.attachShader(handle, shader);
  }
  gl.linkProgram(handle);
  if (!gl.getProgramParameter(handle, gl.LINK_STATUS) && !gl.isContextLost()) {
    throw new Error(`a WebGL program does not link: ${gl.getProgramInfoLog(handle)}`);
  }
  const locations = new Map<string, WebGLUniformLocation | null>();
  const at = (name: string) => {
    if (!locations.has(name)) locations.set(name, gl.getUniformLocation(handle, name));
    return locations.get(name) ?? null;
  };
  return { handle, at };
}
