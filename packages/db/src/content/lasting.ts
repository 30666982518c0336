/**
 * The condition of SQL that access, or an invitation to it, has no end or one that is ahead, by the database's clock.
 * What is over counts as none from then on, and is removed a little later.
 */
export function lasting(end: string): string {
  return `(${end} is null or ${end} > now())`;
}
