/** Formats `ABCD1234` as `ABCD-1234`. */
export function shownCode(code: string): string {
  const plain = code.replaceAll(/[\s-]/g, '');
  return plain.length === 8 ? `${plain.slice(0, 4)}-${plain.slice(4)}` : plain;
}
