import { LocationProvider } from 'preact-iso';
import { useEffect, useState } from 'preact/hooks';
import type { SessionExists } from '../sign-in/session-exists.ts';
import { type SignOn, takeSignOn } from '../sign-in/sign-on.ts';
import { call, type Problem } from '../ui/api.ts';
import type { Fragment } from '../ui/browser.ts';
import { Page } from '../ui/page.tsx';
import { findVisitor } from '../ui/visitor.ts';
import { type Answer, forgetAnswers, type Me } from './api/call-api.ts';
import { Shell } from './shell/shell.tsx';
import { finishSignOn, HandOver, type Kept, SignIn } from './sign-in/sign-in.tsx';
import { words } from './text.ts';
import { ProblemBox } from './ui/screen-page.tsx';

/** Whether an administrator is signed in, and who. */
type Visit =
  | { kind: 'unknown' }
  | { kind: 'handed-over'; code: string }
  | { kind: 'in'; me: Me }
  | { kind: 'out'; because?: Problem; exists?: SessionExists }
  /** The API does not answer, so that it is unknown. */
  | { kind: 'unreachable'; problem: Problem };

export function App({ fragment }: { fragment: Fragment }) {
  const [visit, setVisit] = useState<Visit>(() => {
    const { HandoverCode: code } = fragment;
    return code === undefined ? { kind: 'unknown' } : { kind: 'handed-over', code };
  });
  const [signOn] = useState(() => {
    const ended = takeSignOn<Kept>(fragment['SignOnCode'], fragment, () => sessionStorage);
    // Back to the screen where the sign-on began, before the router reads the address.
    const path = ended?.kept?.path;
    if (path?.startsWith('/console') === true) history.replaceState(null, '', path);
    return ended;
  });
  /** The result of the sign-on that led here. */
  const [outcome, setOutcome] = useState<string>();
  const look = async (): Promise<void> => setVisit(await findVisit());
  const finish = async (begun: SignOn<Kept>): Promise<void> => {
    const ended = await finishSignOn(begun);
    if (ended.kind === 'in') return setVisit(ended);
    if (ended.kind === 'exists') return setVisit({ kind: 'out', exists: ended.exists });
    setOutcome(ended.kind === 'failed' ? ended.because : words('signIn.confirmed'));
    return look();
  };
  useEffect(() => {
    if (signOn !== undefined) void finish(signOn);
    else if (visit.kind === 'unknown') void look();
  }, []);
  const leave = (because?: Problem): void => {
    forgetAnswers();
    setVisit({ kind: 'out', ...(because && { because }) });
  };
  return (
    <LocationProvider scope={/^\/console(?:[/?#]|$)/}>
      {visit.kind === 'in' && <Shell me={visit.me} greeting={outcome} onLeave={leave} />}
      {visit.kind === 'handed-over' && (
        <HandOver
          code={visit.code}
          onSignedIn={(me) => setVisit({ kind: 'in', me })}
          onGiveUp={() => void look()}
        />
      )}
      {visit.kind === 'out' && (
        <SignIn
          because={visit.because}
          failure={outcome}
          exists={visit.exists}
          onSignedIn={(me) => setVisit({ kind: 'in', me })}
        />
      )}
      {visit.kind === 'unreachable' && (
        <Page title={words('signIn.unreachable')}>
          <ProblemBox problem={visit.problem} retry={() => void look()} />
        </Page>
      )}
    </LocationProvider>
  );
}

async function findVisit(): Promise<Visit> {
  const asked = call<Answer<'GET /console/visitor'>>('GET', '/console/visitor');
  const result = await findVisitor('Session', asked, () => call<Me>('GET', '/console/session'));
  if (result.ok) return { kind: 'in', me: result.value };
  const { problem } = result;
  const isRefused = problem.status === 401 || problem.status === 403;
  return isRefused ? { kind: 'out', because: problem } : { kind: 'unreachable', problem };
}
