/** The part of d3-force-3d that the layout uses; the package ships no types. */
declare module "d3-force-3d" {
  export interface Body {
    index?: number;
    x: number;
    y: number;
    z: number;
    vx?: number;
    vy?: number;
    vz?: number;
    fx?: number | null;
    fy?: number | null;
    fz?: number | null;
  }

  export interface Link {
    readonly source: number | Body;
    readonly target: number | Body;
  }

  export interface Force {
    (alpha: number): void;
  }

  export interface LinkForce extends Force {
    distance(distance: number | ((link: Link, index: number) => number)): this;
    strength(strength: number | ((link: Link, index: number) => number)): this;
  }

  export interface ManyBody extends Force {
    strength(strength: number): this;
    theta(theta: number): this;
    distanceMax(distance: number): this;
  }

  export interface AxisForce extends Force {
    strength(strength: number): this;
  }

  export interface Simulation {
    force(name: string, force: Force): this;
    alpha(): number;
    alpha(alpha: number): this;
    alphaMin(): number;
    alphaDecay(decay: number): this;
    velocityDecay(decay: number): this;
    stop(): this;
    tick(iterations?: number): this;
    nodes(): Body[];
  }

  export function forceSimulation(nodes: Body[], dimensions: 1 | 2 | 3): Simulation;
  export function forceLink(links: Link[]): LinkForce;
  export function forceManyBody(): ManyBody;
  export function forceX(): AxisForce;
  export function forceY(): AxisForce;
  export function forceZ(): AxisForce;
}
