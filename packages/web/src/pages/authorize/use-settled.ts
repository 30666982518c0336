import { useEffect, useState } from 'preact/hooks';

/** Longer than the two clicks of a double click. */
const SETTLED_MS = 600;

/**
 * Whether the page has been in front of the visitor for long enough to be read. Another site may show this page under the
 * pointer between the two clicks of a double click, where no frame is needed.
 */
export function useSettled(): boolean {
  const [isSettled, setSettled] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const begin = (): void => {
      clearTimeout(timer);
      setSettled(false);
      if (document.visibilityState === 'visible') timer = setTimeout(() => setSettled(true), SETTLED_MS);
    };
    begin();
    addEventListener('focus', begin);
    document.addEventListener('visibilitychange', begin);
    return () => {
      clearTimeout(timer);
      removeEventListener('focus', begin);
      document.removeEventListener('visibilitychange', begin);
    };
  }, []);
  return isSettled;
}
