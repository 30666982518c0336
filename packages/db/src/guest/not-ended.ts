/**
 * The SQL condition that access, or an invitation to it, has not ended by the database's clock. Ended access has no
 * effect from then on; it is removed a little later.
 */
export function notEnded(end: string): string {
  return `(${end} is null or ${end} > now())`;
}
