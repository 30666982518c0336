import { problemText } from '../../ui/api/problem-text.ts';
import { Button, ButtonLink } from '../../ui/form/button.tsx';
import { Notice } from '../../ui/layout/notice.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { useText } from '../../ui/locale/locale.ts';
import { ConsentStep } from './consent-step.tsx';
import { ProveAgainStep } from './prove-again-step.tsx';
import { RefusedPage } from './refused-page.tsx';
import { useAuthorization } from './use-authorization.ts';

/** Signs the visitor in to an app (OpenID Connect). The request of the app stays in the address of this page. */
export function AuthorizePage() {
  const text = useText();
  const { request, answer, problem, send, begin } = useAuthorization();
  switch (answer?.Kind) {
    case 'Consent':
      return <ConsentStep asked={answer} request={request} onDecide={send} />;
    case 'Login':
      return <ProveAgainStep onProof={send} onCancel={() => void send({ Consent: 'denied' })} />;
    case 'Refused':
      return <RefusedPage title={text('authorize.refused.title')} code={answer.Code} />;
    case 'Redirect':
      return (
        <Page title={text('signedIn.title')} lead={text('authorize.redirect.lead')}>
          <ButtonLink href={answer.Location} kind="primary" wide>
            {text('signedIn.continue')}
          </ButtonLink>
        </Page>
      );
    case undefined:
      return (
        <Page title={text('authorize.title')}>
          {problem === undefined ? (
            <p role="status">{text('own.loading')}</p>
          ) : (
            <>
              <Notice meaning="danger">
                <p>
                  {problemText(problem, text, { unavailable: 'own.unavailable', offline: 'own.offline' })}
                </p>
              </Notice>
              <Button wide onClick={() => void begin()}>
                {text('own.again')}
              </Button>
            </>
          )}
        </Page>
      );
  }
}
