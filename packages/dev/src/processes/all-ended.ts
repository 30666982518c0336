/**
 * Like `Promise.all`, but rejects only when all promises have settled. So a caller that then stops everything knows
 * all that was started.
 */
export async function allEnded<T extends readonly unknown[]>(
  work: readonly [...T],
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(work);
  return Promise.all(work);
}
