/**
 * Makes work take at least this many milliseconds, also if it fails, so that the response time does not reveal whether
 * there was much to do (an account to change) or little (none). `milliseconds` may be negative: the time that is left
 * of a duration.
 */
export async function withMinimumDuration<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  const [result] = await Promise.allSettled([
    work,
    new Promise((resolve) => setTimeout(resolve, Math.max(0, milliseconds))),
  ]);
  if (result.status === 'rejected') throw result.reason;
  return result.value;
}
