import { useEffect, useRef } from 'preact/hooks';

/** Dispatched before a key or a search opens another screen. A screen with unsaved changes can cancel it. */
const LEAVING = 'console-leaving';

/** Whether another screen may be opened: there are no unsaved changes, or the user accepts to lose them. */
export function canLeave(): boolean {
  return dispatchEvent(new Event(LEAVING, { cancelable: true }));
}

/**
 * Asks before the user leaves a screen with unsaved changes by a link, a key, a search or the Back button. If the user
 * closes or reloads the page, the browser asks in its own words.
 */
export function useLeaveWarning(isUnsaved: boolean, question: string): void {
  const address = useRef(location.href);
  address.current = location.href;
  useEffect(() => {
    if (!isUnsaved) return undefined;
    const here = location.pathname;
    const stays = (): boolean => !confirm(question);
    const onUnload = (event: BeforeUnloadEvent): void => event.preventDefault();
    const onLeaving = (event: Event): void => {
      if (stays()) event.preventDefault();
    };
    const onClick = (event: MouseEvent): void => {
      const link = event.composedPath().find((one) => one instanceof HTMLAnchorElement);
      if (link === undefined || opensElsewhere(event, link) || link.pathname === here || !stays()) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    // At this point the address has already changed: it is restored before the router receives the event.
    const onBack = (event: PopStateEvent): void => {
      if (location.pathname === here || !stays()) return;
      event.stopImmediatePropagation();
      history.pushState(null, '', address.current);
    };
    const listening = new AbortController();
    const { signal } = listening;
    addEventListener('beforeunload', onUnload, { signal });
    addEventListener(LEAVING, onLeaving, { signal });
    addEventListener('click', onClick, { capture: true, signal });
    addEventListener('popstate', onBack, { capture: true, signal });
    return () => listening.abort();
  }, [isUnsaved, question]);
}

/** Whether a click opens the link outside this page: in another tab or window, on another origin, or as a download. */
function opensElsewhere(event: MouseEvent, link: HTMLAnchorElement): boolean {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || event.button !== 0) return true;
  return link.target !== '' || link.origin !== location.origin || link.hasAttribute('download');
}
