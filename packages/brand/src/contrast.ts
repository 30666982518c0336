/** The minimum contrast between text and its background in WCAG 2.2 (1.4.3, level AA). */
export const CONTRAST_MIN = 4.5;

/** The contrast of two colours (`#rrggbb`), from 1 to 21, as defined by WCAG 2.2. */
export function contrastOf(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

export function leastContrastOf(colour: string, backgrounds: readonly string[]): number {
  return Math.min(...backgrounds.map((background) => contrastOf(colour, background)));
}

/** The colour if it is readable on all backgrounds, otherwise the nearest one that is, mixed with `towards`. */
export function readableOn(backgrounds: readonly string[], colour: string, towards: string): string {
  for (let step = 0; step < STEPS; step += 1) {
    const mixed = mix(colour, towards, step / STEPS);
    if (leastContrastOf(mixed, backgrounds) >= CONTRAST_MIN) return mixed;
  }
  return towards;
}

const STEPS = 100;

function mix(colour: string, other: string, share: number): string {
  const others = channelsOf(other);
  const mixed = channelsOf(colour).map((one, i) => Math.round(one + ((others[i] ?? 0) - one) * share));
  return `#${mixed.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}

/** https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
function luminanceOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(colour).map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function channelsOf(colour: string): number[] {
  return [1, 3, 5].map((start) => Number.parseInt(colour.slice(start, start + 2), 16));
}
