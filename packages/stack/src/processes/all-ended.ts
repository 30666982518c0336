/**
 * As `Promise.all`, but rejects only once all have settled: a caller that then stops everything must know everything
 * that was started.
 */
export async function allEnded<T extends readonly unknown[]>(
  work: readonly [...T],
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(work);
  return Promise.all(work);
}
