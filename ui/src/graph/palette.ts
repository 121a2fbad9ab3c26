/** The colour tokens as the page resolves them now, and word of their change. */

export const TONES = [
  "ground",
  "surface",
  "raised",
  "line",
  "ink",
  "muted",
  "accent",
  "trust-high",
  "trust-mid",
  "trust-low",
  "superseded",
  "declared",
] as const;
export type Tone = (typeof TONES)[number];

/** Red, green and blue, 0 to 1 each. */
export type Rgb = readonly [number, number, number];

export interface Palette {
  readonly css: Readonly<Record<Tone, string>>;
  readonly rgb: Readonly<Record<Tone, Rgb>>;
}

/** Colours as resolved at `element`: a probe's `color` follows var(), light-dark() and inheritance alike. */
export function readPalette(element: HTMLElement): Palette {
  const probe = document.createElement("span");
  probe.hidden = true;
  element.append(probe);
  const css = {} as Record<Tone, string>;
  const rgb = {} as Record<Tone, Rgb>;
  for (const tone of TONES) {
    probe.style.color = `var(--${tone})`;
    css[tone] = getComputedStyle(probe).color;
    rgb[tone] = parseRgb(css[tone]);
  }
  probe.remove();
  return { css, rgb };
}

/** `rgb(r, g, b)` or `color(srgb r g b)`, as browsers serialise a resolved colour; anything else is black. */
export function parseRgb(color: string): Rgb {
  const numbers = (color.match(/[\d.]+(?:e-?\d+)?/g) ?? []).map(Number);
  const [red = 0, green = 0, blue = 0] = numbers;
  const scale = color.startsWith("rgb") ? 1 / 255 : 1;
  return [red * scale, green * scale, blue * scale];
}

/** Calls back after the theme changed: by the system, or by an attribute of the root element. Returns the way to stop. */
export function watchTheme(changed: () => void): () => void {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributes: true });
  system.addEventListener("change", changed);
  return () => {
    observer.disconnect();
    system.removeEventListener("change", changed);
  };
}
