import { useEffect } from 'preact/hooks';
import { call } from '../../ui/api/api.ts';
import type { Problem } from '../../ui/api/api.ts';
import { usePageState } from '../page-state.ts';
import { useSignedOut } from './own-account.ts';

/** How long to wait for another stream, if there was none, or too many. */
const AGAIN_MS = 30_000;

/**
 * Opens the login page when the session of this page ends elsewhere, as soon as the API's stream says so
 * (docs/session-streams.md). A page that is hidden needs no stream: it looks again when it is shown.
 */
export function useSessionWatch(isSignedIn: boolean): void {
  const leave = useSignedOut();
  const { isLeaving, setLeaving } = usePageState();
  useEffect(() => setLeaving(false), []);
  useEffect(() => {
    if (!isSignedIn || isLeaving) return undefined;
    let stream: EventSource | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const close = (): void => {
      clearTimeout(timer);
      stream?.close();
      stream = undefined;
    };
    const open = (): void => {
      close();
      if (document.hidden) return;
      const own = new EventSource('/account/session/stream');
      stream = own;
      own.addEventListener('status', ({ data }) => {
        const ended = endIn(String(data));
        if (ended === undefined) return;
        close();
        leave(ended);
      });
      own.addEventListener('error', () => {
        // The browser reconnects by itself, unless the answer was no stream: the session may be over.
        if (own !== stream || own.readyState !== EventSource.CLOSED) return;
        timer = setTimeout(open, AGAIN_MS);
        void call('GET', '/account/profile').then((result) => {
          if (own === stream && !result.ok) leave(result.problem);
        });
      });
    };
    open();
    document.addEventListener('visibilitychange', open);
    return () => {
      document.removeEventListener('visibilitychange', open);
      close();
    };
  }, [isSignedIn, isLeaving]);
}

/** The end of the session, as the API would report it; `undefined` if a status says that it goes on. */
function endIn(data: string): Problem | undefined {
  const body = JSON.parse(data) as { Reason?: Problem['code'] }; // as documented
  return body.Reason && { status: 401, code: body.Reason, errors: [], body: { ...body } };
}
