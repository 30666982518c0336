import { useEffect, useState } from 'preact/hooks';
import { call, type Problem } from '../../ui/api/api.ts';
import { problemText } from '../../ui/api/problem-text.ts';
import { Button, ButtonLink } from '../../ui/form/button.tsx';
import { Notice } from '../../ui/layout/notice.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { useText } from '../../ui/locale/locale.ts';
import { PATHS } from '../paths.ts';
import { RefusedPage } from './authorize.tsx';

/** Signs out at the request of an app (OpenID Connect RP-Initiated Logout), and returns to it. */
export function EndSessionPage() {
  const text = useText();
  const { ending, problem, isBusy, begin, confirm, signOut } = useEndSession();
  const fault = problem && (
    <Notice meaning="danger">
      <p>{problemText(problem, text, { unavailable: 'own.unavailable', offline: 'own.offline' })}</p>
    </Notice>
  );
  switch (ending?.Kind) {
    case 'Ask':
      return (
        <Page title={text('endSession.title')} lead={<Asked app={ending.Client?.Name} />}>
          {fault}
          <Button kind="primary" wide busy={isBusy} onClick={() => void confirm()}>
            {text('menu.signOut')}
          </Button>
          <ButtonLink href={PATHS.profile} wide>
            {text('endSession.stay')}
          </ButtonLink>
        </Page>
      );
    case 'SignedOut':
      return <SignedOut address={ending.Location} />;
    case 'Refused':
      return (
        <RefusedPage title={text('endSession.refused')} code={ending.Code}>
          {fault}
          <Button wide busy={isBusy} onClick={() => void signOut()}>
            {text('endSession.anyway')}
          </Button>
        </RefusedPage>
      );
    case undefined:
      return (
        <Page title={text('endSession.title')}>
          {fault ?? <p role="status">{text('own.loading')}</p>}
          {fault && (
            <Button wide busy={isBusy} onClick={() => void begin()}>
              {text('own.again')}
            </Button>
          )}
        </Page>
      );
  }
}

/** Says who asks, and what would end. */
function Asked({ app }: { app: string | undefined }) {
  const text = useText();
  return <>{app === undefined ? text('endSession.ask') : text('endSession.ask.app', { app })}</>;
}

/** Says that the session has ended, until the app has loaded. */
function SignedOut({ address }: { address: string | undefined }) {
  const text = useText();
  return (
    <Page title={text('endSession.done.title')} lead={text('endSession.done.lead')}>
      <ButtonLink href={address ?? PATHS.login} kind="primary" wide>
        {text(address === undefined ? 'login.title' : 'signedIn.continue')}
      </ButtonLink>
    </Page>
  );
}

/** The response of `POST /oauth/end-session`. */
type Ending =
  | { Kind: 'Ask'; Client?: { Name: string } }
  | { Kind: 'SignedOut'; Location?: string }
  | { Kind: 'Refused'; Code: string };

/** Sends the request in the address of this page to the service, and returns to the app once the session has ended. */
function useEndSession() {
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
