import { ARCH } from '@gatehouse/brand';
import { indexedPng } from './indexed-png.ts';

/** Twice the displayed size, for high-resolution screens. */
const PIXELS = 64;
const FIELD = 24;
/** The number of samples of each pixel in both directions. */
const SAMPLES = 4;
const ARC_STEPS = 32;

type Point = readonly [x: number, y: number];

/** The default logo in a color (`#rrggbb`) as PNG, as mail programs do not show SVG. */
export function drawArch(colour: string): Buffer {
  return indexedPng({ size: PIXELS, levels: archLevels(), levelMax: SAMPLES * SAMPLES, colour });
}

let drawn: Buffer | undefined;

/** How many samples of each pixel are inside the arch; the same for every color, so computed once. */
function archLevels(): Buffer {
  return (drawn ??= levelsOf(outlinesOf(ARCH)));
}

function levelsOf(outlines: readonly Point[][]): Buffer {
  const levels = Buffer.alloc(PIXELS * PIXELS);
  for (let line = 0; line < PIXELS * SAMPLES; line += 1) {
    const row = Math.floor(line / SAMPLES) * PIXELS;
    for (const [from, to] of spansAt(outlines, toField(line))) {
      for (let column = toSample(from); column < toSample(to); column += 1) {
        const pixel = row + Math.floor(column / SAMPLES);
        levels[pixel] = (levels[pixel] ?? 0) + 1;
      }
    }
  }
  return levels;
}

/** The center of a line of samples, in drawing coordinates. */
function toField(sample: number): number {
  return ((sample + 0.5) * FIELD) / (PIXELS * SAMPLES);
}

/** The first sample whose center is not before a drawing coordinate. */
function toSample(place: number): number {
  return Math.ceil((place * PIXELS * SAMPLES) / FIELD - 0.5);
}

/** The ranges of a horizontal line that are inside the outlines. */
function spansAt(outlines: readonly Point[][], y: number): Point[] {
  const places = outlines.flatMap((outline) =>
    outline.flatMap(([ax, ay], index) => {
      const [bx, by] = outline[(index + 1) % outline.length] ?? [ax, ay];
      return ay > y === by > y ? [] : [((bx - ax) * (y - ay)) / (by - ay) + ax];
    }),
  );
  const sorted = places.toSorted((one, other) => one - other);
  return sorted.flatMap((from, index) =>
    index % 2 === 0 ? [[from, sorted[index + 1] ?? from] as const] : [],
  );
}

/** The outlines of a path (SVG 2, section 9.3); supports only the commands that the logo uses. */
function outlinesOf(path: string): Point[][] {
  const outlines: Point[][] = [];
  let outline: Point[] = [];
  let [x, y] = [0, 0];
  let start: Point = [0, 0];
  const moveTo = (toX: number, toY: number): void => {
    [x, y] = [toX, toY];
    outline.push([x, y]);
  };
  for (const [, command = '', given = ''] of path.matchAll(/([A-Za-z])([^A-Za-z]*)/g)) {
    const numbers = (given.match(/-?[\d.]+/g) ?? []).map(Number);
    const [first = 0, second = 0] = numbers;
    if (command === 'M' || command === 'm') {
      outline = [];
      outlines.push(outline);
      moveTo(command === 'M' ? first : start[0] + first, command === 'M' ? second : start[1] + second);
      start = [x, y];
    } else if (command === 'V') moveTo(x, first);
    else if (command === 'v') moveTo(x, y + first);
    else if (command === 'h') moveTo(x + first, y);
    else if (command === 'a') {
      // The upper half of a circle.
      const [radius, centre] = [first, x + (numbers[5] ?? 0) / 2];
      const [left, base] = [x < centre, y];
      for (let step = 1; step <= ARC_STEPS; step += 1) {
        const angle = (left ? Math.PI : 0) + ((left ? -1 : 1) * Math.PI * step) / ARC_STEPS;
        moveTo(centre + radius * Math.cos(angle), base - radius * Math.sin(angle));
      }
    } else if (command !== 'z') throw new Error(`the arch has the command ${command}, which nothing draws`);
  }
  return outlines;
}
