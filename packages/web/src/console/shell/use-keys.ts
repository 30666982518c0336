import { useLocation } from 'preact-iso';
import { useEffect, useRef } from 'preact/hooks';
import { SCREENS } from '../screens.ts';
import { canLeave } from './leaving.ts';

/** The maximum time between `g` and the second key. */
const PAUSE_MS = 1500;

/** The keys of the console: `/` for the search, `g` and a letter for a screen, `?` for help. */
export function useKeys(onHelp: () => void): void {
  const { route } = useLocation();
  const goneAt = useRef(0);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (document.querySelector('dialog[open]')) return;
      if (event.timeStamp - goneAt.current < PAUSE_MS) {
        goneAt.current = 0;
        const screen = SCREENS.find(({ nav }) => nav?.key === event.key);
        if (screen && canLeave()) return route(`/console${screen.path === '/' ? '' : screen.path}`);
      }
      if (event.key === 'g') goneAt.current = event.timeStamp;
      else if (event.key === '?') onHelp();
      else if (event.key === '/') {
        event.preventDefault();
        document.querySelector<HTMLInputElement>('input[name=find]')?.focus();
      }
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}
