import { useEffect, useState } from 'preact/hooks';
import { call, NOT_LOADED, type Problem } from '../../ui/api.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { text } from '../../ui/locale.ts';
import { Fault } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { DonePage } from '../link-page.tsx';
import { PATHS } from '../paths.ts';
import { RefusedPage, UnansweredPage } from './authorize.tsx';

/** The response of `POST /oauth/end-session`. */
type Ending =
  | { Kind: 'Ask'; Client?: { Name: string } }
  | { Kind: 'SignedOut'; Location?: string }
  | { Kind: 'Refused'; Code: string };

/** Signs out at the request of an app (OpenID Connect RP-Initiated Logout), and returns to it. */
export function EndSessionPage() {
  const { ending, problem, begin, confirm, signOut } = useEndSession();
  const fault = <Fault problem={problem} explanations={NOT_LOADED} />;
  switch (ending?.Kind) {
    case 'Ask':
      return (
        <Page title={text('endSession.title')} lead={askedBy(ending.Client?.Name)}>
          {fault}
          <Button kind="primary" wide onClick={confirm}>
            {text('menu.signOut')}
          </Button>
          <ButtonLink href={PATHS.profile} wide>
            {text('endSession.stay')}
          </ButtonLink>
        </Page>
      );
    case 'SignedOut':
      return (
        <DonePage
          title={text('endSession.done.title')}
          lead={text('endSession.done.lead')}
          href={ending.Location ?? PATHS.login}
          next={text(ending.Location === undefined ? 'login.title' : 'signedIn.continue')}
        />
      );
    case 'Refused':
      return (
        <RefusedPage title={text('endSession.refused')} code={ending.Code}>
          {fault}
          <Button wide onClick={signOut}>
            {text('endSession.anyway')}
          </Button>
        </RefusedPage>
      );
    case undefined:
      return <UnansweredPage title={text('endSession.title')} problem={problem} onAgain={begin} />;
  }
}

/** Says who asks, and what would end. */
function askedBy(app: string | undefined): string {
  return app === undefined ? text('endSession.ask') : text('endSession.ask.app', { app });
}

/** Sends the request in the address of this page to the service, and returns to the app once the session has ended. */
function useEndSession() {
  const [ending, setEnding] = useState<Ending>();
  const [problem, setProblem] = useState<Problem>();
  const send = async (body: { Request: string; Confirmed?: true }): Promise<void> => {
    const result = await call<Ending>('POST', '/oauth/end-session', body);
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
    begin,
    confirm: () => send({ Request: request(), Confirmed: true }),
    /** Signs out without the request, which is not correct. */
    signOut: () => send({ Request: '', Confirmed: true }),
  };
}
