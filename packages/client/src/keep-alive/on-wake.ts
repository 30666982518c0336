/**
 * Tells when a page is seen again, is online again, or comes back from the back-forward cache, and when it goes there.
 * Timers are hints: a tab that slept finds out here.
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
