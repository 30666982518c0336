/**
 * As `Promise.all`, but a failure is told only once all have ended: whoever then stops everything must know of
 * everything that was started.
 */
export async function allEnded<T extends readonly unknown[]>(
  work: readonly [...T],
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(work);
  return Promise.all(work);
}
