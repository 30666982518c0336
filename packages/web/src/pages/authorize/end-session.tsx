import type { EndSessionResponse } from 'gatehouse-client';
import { useEffect } from 'preact/hooks';
import { NOT_LOADED } from '../../ui/api.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { text } from '../../ui/locale.ts';
import { Fault } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { DonePage } from '../link-page.tsx';
import { PATHS } from '../paths.ts';
import { RefusedPage, UnansweredPage, useAnswers } from './authorize.tsx';

/** Signs out at the request of an app (OpenID Connect RP-Initiated Logout), and returns to it. */
export function EndSessionPage() {
  const { answer, problem, send } = useAnswers('/oauth/end-session', (next: EndSessionResponse) => {
    if (next.Kind === 'SignedOut' && next.Location !== undefined) location.replace(next.Location);
    return true;
  });
  const request = () => location.search.slice(1);
  const begin = () => send({ Request: request() });
  useEffect(() => void begin(), []);
  const app = answer?.Client?.Name;
  const fault = <Fault problem={problem} explanations={NOT_LOADED} />;
  switch (answer?.Kind) {
    case 'Ask':
      return (
        <Page
          title={text('endSession.title')}
          lead={app === undefined ? text('endSession.ask') : text('endSession.ask.app', { app })}
        >
          {fault}
          <Button kind="primary" wide onClick={() => send({ Request: request(), Confirmed: true })}>
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
          words="endSession.done"
          href={answer.Location ?? PATHS.login}
          next={text(answer.Location === undefined ? 'login.title' : 'signedIn.continue')}
        />
      );
    case 'Refused':
      return (
        <RefusedPage title={text('endSession.refused')} code={answer.Code ?? ''}>
          {fault}
          {/* Without the request, which is not correct. */}
          <Button wide onClick={() => send({ Request: '', Confirmed: true })}>
            {text('endSession.anyway')}
          </Button>
        </RefusedPage>
      );
    case undefined:
      return <UnansweredPage title={text('endSession.title')} problem={problem} onAgain={begin} />;
  }
}
