import { problemText } from '../../ui/api/problem-text.ts';
import { Button, ButtonLink } from '../../ui/form/button.tsx';
import { Notice } from '../../ui/layout/notice.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { useText } from '../../ui/locale/locale.ts';
import { RefusedPage } from '../authorize/refused-page.tsx';
import { PATHS } from '../paths.ts';
import { useEndSession } from './use-end-session.ts';

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
