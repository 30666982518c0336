import { render } from 'preact';
import { LocationProvider } from 'preact-iso';
import { useEffect, useState } from 'preact/hooks';
import '../ui/base.css';
import '../ui/tokens.css';
import type { SessionExists } from '../sign-in/answers.ts';
import { type SignOn, takeSignOn } from '../sign-in/sign-on.ts';
import { call, findVisitor, type Problem } from '../ui/api.ts';
import { type Fragment, takeFragment } from '../ui/browser.ts';
import { type PageData, setPageData } from '../ui/locale.ts';
import { Page } from '../ui/page.tsx';
import { type Answer, forgetAnswers, type Me } from './api/call-api.ts';
import { showKeptTheme } from './profile/profile.tsx';
import { Shell } from './shell/shell.tsx';
import { finishSignOn, HandOver, type Kept, SignIn } from './sign-in/sign-in.tsx';
import { words } from './text.ts';
import { ProblemBox } from './ui/screen-page.tsx';
import './console.css';

type Visit =
  | { kind: 'unknown' }
  | { kind: 'handed-over'; code: string }
  | { kind: 'in'; me: Me }
  | { kind: 'out'; because?: Problem; exists?: SessionExists }
  /** The API does not answer, so that it is unknown. */
  | { kind: 'unreachable'; problem: Problem };

function App({ fragment }: { fragment: Fragment }) {
  const [visit, setVisit] = useState<Visit>(() => {
    const { HandoverCode: code } = fragment;
    return code === undefined ? { kind: 'unknown' } : { kind: 'handed-over', code };
  });
  const [signOn] = useState(() => {
    const ended = takeSignOn<Kept>(fragment['SignOnCode'], fragment);
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
    if (typeof ended === 'object') return setVisit(ended);
    setOutcome(ended);
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
  const enter = (me: Me): void => setVisit({ kind: 'in', me });
  return (
    <LocationProvider scope={/^\/console(?:[/?#]|$)/}>
      {visit.kind === 'in' && <Shell me={visit.me} greeting={outcome} onLeave={leave} />}
      {visit.kind === 'handed-over' && (
        <HandOver code={visit.code} onSignedIn={enter} onGiveUp={() => void look()} />
      )}
      {visit.kind === 'out' && (
        <SignIn because={visit.because} failure={outcome} exists={visit.exists} onSignedIn={enter} />
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
  const asked = call<Answer<'GET /console/visitor'>>('GET /console/visitor');
  const result = await findVisitor('Session', asked, () => call<Me>('GET /console/session'));
  if (result.ok) return { kind: 'in', me: result.value };
  const { problem } = result;
  const isRefused = problem.status === 401 || problem.status === 403;
  return isRefused ? { kind: 'out', because: problem } : { kind: 'unreachable', problem };
}

const root = document.getElementById('console');
const data = document.getElementById('page-data')?.textContent;
const fragment = takeFragment(location, history);
showKeptTheme();
if (root && data) {
  setPageData(JSON.parse(data) as PageData); // written by our own service
  render(<App fragment={fragment} />, root);
}
