/**
 * Reports when a page becomes visible, goes online or returns from the back-forward cache, and when it enters that
 * cache. Timers are not reliable: a tab that was suspended learns it here.
 */
export function onWake({ wake, leave }: { wake: () => void; leave: () => void }): () => void {
  const listening = new AbortController();
  const { signal } = listening;
  const seen = (): void => {
    if (document.visibilityState === 'visible') wake();
  };
  if (typeof document === 'object') {
    document.addEventListener('visibilitychange', seen, { signal });
    addEventListener('online', seen, { signal });
    addEventListener('pageshow', ({ persisted }) => persisted && wake(), { signal });
    addEventListener('pagehide', leave, { signal });
  }
  return () => listening.abort();
}
