import { useEffect, useRef } from 'preact/hooks';

/** Told to whoever has something unsaved, and refused by them, before a key or a search leads to another screen. */
const LEAVING = 'console-leaving';

/** Whether another screen may be shown: nothing is unsaved, or the person has said so. */
export function canLeave(): boolean {
  return dispatchEvent(new Event(LEAVING, { cancelable: true }));
}

/**
 * Asks before this screen is left while something on it is unsaved: by a link, a key, a search, the button "back", or
 * with the page itself, where browsers ask in words of their own.
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
      if (link === undefined || isForElsewhere(event, link) || link.pathname === here || !stays()) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    // The address has changed by then; before the router hears of it, it changes back.
    const onBack = (event: PopStateEvent): void => {
      if (location.pathname === here || !stays()) return;
      event.stopImmediatePropagation();
      history.pushState(null, '', address.current);
    };
    addEventListener('beforeunload', onUnload);
    addEventListener(LEAVING, onLeaving);
    addEventListener('click', onClick, true);
    addEventListener('popstate', onBack, true);
    return () => {
      removeEventListener('beforeunload', onUnload);
      removeEventListener(LEAVING, onLeaving);
      removeEventListener('click', onClick, true);
      removeEventListener('popstate', onBack, true);
    };
  }, [isUnsaved, question]);
}

/** Whether this page stays: another tab or window opens, or nothing but a place in it. */
function isForElsewhere(event: MouseEvent, link: HTMLAnchorElement): boolean {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || event.button !== 0) return true;
  return link.target !== '' || link.origin !== location.origin || link.hasAttribute('download');
}
