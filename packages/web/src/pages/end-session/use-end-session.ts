import { useEffect, useState } from 'preact/hooks';
import { call, type Problem } from '../../ui/api/api.ts';

/** The response of `POST /oauth/end-session`. */
type Ending =
  | { Kind: 'Ask'; Client?: { Name: string } }
  | { Kind: 'SignedOut'; Location?: string }
  | { Kind: 'Refused'; Code: string };

/** Sends the request in the address of this page to the service, and returns to the app once the session has ended. */
export function useEndSession() {
  const [ending, setEnding] = useState<Ending>();
  const [problem, setProblem] = useState<Problem>();
  const [isBusy, setBusy] = useState(false);
  const send = async (body: { Request: string; Confirmed?: true }): Promise<void> => {
    setBusy(true);
    const result = await call<Ending>('POST', '/oauth/end-session', body);
    setBusy(false);
    setProblem(result.ok ? undefined : result.problem);
    if (!result.ok) return;
    setEnding(result.value);
    if (result.value.Kind === 'SignedOut' && result.value.Location !== undefined)
      location.replace(result.value.Location);
  };
  const request = () => location.search.slice(1);
  const begin = () => send({ Request: request() });
  useEffect(() => void begin(), []);
  return {
    ending,
    problem,
    isBusy,
    begin,
    confirm: () => send({ Request: request(), Confirmed: true }),
    /** Signs out without the request, which is not correct. */
    signOut: () => send({ Request: '', Confirmed: true }),
  };
}
