import { generate } from 'lean-qr';
import { useMemo } from 'preact/hooks';
import styles from './qr-code.module.css';

/** A QR code as one path: black on white in every theme, as scanners need it. */
export function QrCode({ value, label }: { value: string; label: string }) {
  const { size, path } = useMemo(() => drawingOf(value), [value]);
  return (
    <svg class={styles['qr']} viewBox={`-4 -4 ${size + 8} ${size + 8}`} role="img" aria-label={label}>
      <path d={path} fill="currentColor" shape-rendering="crispEdges" />
    </svg>
  );
}

/** A square for each dark module. */
function drawingOf(value: string): { size: number; path: string } {
  const code = generate(value);
  const parts: string[] = [];
  for (let y = 0; y < code.size; y += 1) {
    for (let x = 0; x < code.size; x += 1) if (code.get(x, y)) parts.push(`M${x} ${y}h1v1h-1z`);
  }
  return { size: code.size, path: parts.join('') };
}
