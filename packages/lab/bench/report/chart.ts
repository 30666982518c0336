import { pairOf, shown, type Recorded } from './results.ts';

const WIDTH = 940;
const LABELS = 500;
const VALUES = 70;
const LINE = 42;
const TOP = 40;
const OURS = '#2f6f5e';

/**
 * Draws each ratio as a line: how many requests Gatehouse answers in the time in which its counterpart answers one. The
 * chart has its own background, so that it is readable on dark pages too.
 */
export function chart(figures: readonly Recorded[]): string {
  const height = TOP + figures.length * LINE + 8;
  const room = WIDTH - LABELS - VALUES;
  const most = Math.max(1, ...figures.map(({ value }) => value));
  const one = LABELS + room / most;
  const lines = figures.map((figure, index) => {
    const y = TOP + index * LINE;
    const length = Math.max(2, (figure.value / most) * room);
    const [ours, theirs] = pairOf(figure);
    return [
      `<text x="${LABELS - 12}" y="${y + 13}" text-anchor="end">${escape(ours)}</text>`,
      `<text x="${LABELS - 12}" y="${y + 28}" text-anchor="end" class="quiet">${escape(theirs)}</text>`,
      `<rect x="${LABELS}" y="${y + 5}" width="${length.toFixed(1)}" height="20" rx="2" fill="${OURS}"/>`,
      `<text x="${(LABELS + length + 8).toFixed(1)}" y="${y + 20}">${escape(shown(figure))}</text>`,
    ].join('\n  ');
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="Requests of Gatehouse for each of its counterpart">
  <style>
    text { font: 12px system-ui, sans-serif; fill: #24292f; }
    .quiet { fill: #57606a; }
    line { stroke: #24292f; stroke-dasharray: 4 3; }
  </style>
  <rect width="${WIDTH}" height="${height}" rx="6" fill="#ffffff"/>
  ${lines.join('\n  ')}
  <text x="${one.toFixed(1)}" y="22" text-anchor="middle">as fast</text>
  <line x1="${one.toFixed(1)}" y1="30" x2="${one.toFixed(1)}" y2="${height - 8}"/>
</svg>
`;
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
