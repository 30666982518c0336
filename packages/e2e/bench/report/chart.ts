import { barOf, isMet, shown, type Recorded } from './results.ts';

const WIDTH = 940;
const LABELS = 490;
const VALUES = 170;
const LINE = 30;
const TOP = 46;
/**
 * The position of the bar that a figure must reach, as a share of the room for lines. Further to the right is better.
 */
const MARK = 0.5;
const MET = '#2f855a';
const MISSED = '#c53030';

/**
 * Draws each figure as a line. Its length shows how good the figure is compared with its bar: half the room is just
 * good enough, the full room is twice as good. The chart has its own background, so that it is readable on dark pages
 * too.
 */
export function chart(figures: readonly Recorded[]): string {
  const height = TOP + figures.length * LINE + 14;
  const room = WIDTH - LABELS - VALUES;
  const mark = LABELS + MARK * room;
  const lines = figures.map((figure, index) => {
    const y = TOP + index * LINE;
    const length = Math.max(2, Math.min(1, MARK * goodness(figure)) * room);
    const value = `${shown(figure)} (${barOf(figure)})`;
    return [
      `<text x="${LABELS - 12}" y="${y + 15}" text-anchor="end">${escape(short(figure.title))}</text>`,
      `<rect x="${LABELS}" y="${y + 3}" width="${length.toFixed(1)}" height="16" rx="2" fill="${isMet(figure) ? MET : MISSED}"/>`,
      `<text x="${LABELS + room + 12}" y="${y + 15}">${escape(value)}</text>`,
    ].join('\n  ');
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="Each figure compared with its target">
  <style>
    text { font: 12px system-ui, sans-serif; fill: #24292f; }
    line { stroke: #24292f; stroke-dasharray: 4 3; }
  </style>
  <rect width="${WIDTH}" height="${height}" rx="6" fill="#ffffff"/>
  <text x="${mark}" y="22" text-anchor="middle">target</text>
  <text x="${LABELS + room}" y="22" text-anchor="end">twice as good</text>
  ${lines.join('\n  ')}
  <line x1="${mark}" y1="30" x2="${mark}" y2="${height - 8}"/>
</svg>
`;
}

/** 1 is exactly at the bar, 2 is twice as good. */
function goodness({ value, bar }: Recorded): number {
  return 'atLeast' in bar ? value / bar.atLeast : bar.atMost / value;
}

const LENGTH_MAX = 76;

function short(text: string): string {
  return text.length > LENGTH_MAX ? `${text.slice(0, LENGTH_MAX - 1)}…` : text;
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
