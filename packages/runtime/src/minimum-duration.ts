/**
 * Makes work take at least so many milliseconds, so that the time of an answer does not reveal whether there was much
 * to do (an account to change) or little (none). A failure takes as long.
 */
export async function withMinimumDuration<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  const [result] = await Promise.allSettled([
    work,
    new Promise((resolve) => setTimeout(resolve, milliseconds)),
  ]);
  if (result.status === 'rejected') throw result.reason;
  return result.value;
}
