import { QueryClient } from '@tanstack/query-core';
import { LocationProvider } from 'preact-iso';
import { useEffect, useState } from 'preact/hooks';
import { call, type Problem } from '../ui/api.ts';
import type { Fragment } from '../ui/fragment.ts';
import { type PageData, PageDataContext } from '../ui/page-data.ts';
import type { Me } from './api/console-context.ts';
import { Shell } from './shell/shell.tsx';
import { HandOver } from './sign-in/hand-over.tsx';
import { SignIn } from './sign-in/sign-in.tsx';
import { Unreachable } from './sign-in/unreachable.tsx';

/** Who is here, as far as that is known. */
type Visit =
  | { kind: 'unknown' }
  | { kind: 'handed-over'; code: string }
  | { kind: 'in'; me: Me }
  | { kind: 'out'; because?: Problem }
  | { kind: 'unreachable'; problem: Problem };

interface AppProps {
  data: PageData;
  /** What stood behind the `#`. */
  said: Fragment;
}

/** The console: signing in, or its screens. */
export function App({ data, said }: AppProps) {
  const [visit, setVisit] = useState<Visit>(() => {
    const { HandoverCode: code } = said;
    return code === undefined ? { kind: 'unknown' } : { kind: 'handed-over', code };
  });
  const [client] = useState(() => new QueryClient());
  const look = async (): Promise<void> => {
    const result = await call<Me>('GET', '/console/session');
    if (result.ok) return setVisit({ kind: 'in', me: result.value });
    const { problem } = result;
    if (problem.status === 401 || problem.status === 403) setVisit({ kind: 'out', because: problem });
    else setVisit({ kind: 'unreachable', problem });
  };
  useEffect(() => {
    if (visit.kind === 'unknown') void look();
  }, []);
  const leave = (because?: Problem): void => {
    // What one person has seen is not for the next one.
    client.clear();
    setVisit({ kind: 'out', ...(because && { because }) });
  };
  return (
    <PageDataContext.Provider value={data}>
      <LocationProvider scope={/^\/console(?:[/?#]|$)/}>
        {visit.kind === 'in' && <Shell me={visit.me} client={client} onLeave={leave} />}
        {visit.kind === 'handed-over' && (
          <HandOver
            code={visit.code}
            onSignedIn={(me) => setVisit({ kind: 'in', me })}
            onGiveUp={() => void look()}
          />
        )}
        {visit.kind === 'out' && (
          <SignIn because={visit.because} onSignedIn={(me) => setVisit({ kind: 'in', me })} />
        )}
        {visit.kind === 'unreachable' && <Unreachable problem={visit.problem} again={() => void look()} />}
      </LocationProvider>
    </PageDataContext.Provider>
  );
}
