/**
 * Tells when a page is seen again, is online again, or comes back from the back-forward cache, and when it goes there.
 * Timers are hints: a tab that slept finds out here.
 */
export function onWake({ wake, leave }: { wake: () => void; leave: () => void }): () => void {
  if (typeof document === 'undefined') return () => {};
  const seen = (): void => {
    if (document.visibilityState === 'visible') wake();
  };
  const shown = ({ persisted }: PageTransitionEvent): void => {
    if (persisted) wake();
  };
  document.addEventListener('visibilitychange', seen);
  addEventListener('online', seen);
  addEventListener('pageshow', shown);
  addEventListener('pagehide', leave);
  return () => {
    document.removeEventListener('visibilitychange', seen);
    removeEventListener('online', seen);
    removeEventListener('pageshow', shown);
    removeEventListener('pagehide', leave);
  };
}
