import { useState } from 'preact/hooks';
import { call, type Problem } from '../../ui/api/api.ts';
import { problemText } from '../../ui/api/problem-text.ts';
import { Button } from '../../ui/form/button.tsx';
import { CheckIcon } from '../../ui/icon.tsx';
import { Notice } from '../../ui/layout/notice.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { SecondaryActions } from '../../ui/layout/secondary-actions.tsx';
import { useText } from '../../ui/locale/locale.ts';
import type { Authorization } from './authorization.ts';
import styles from './consent.module.css';
import { scopeText } from './scope-text.ts';
import { useSettled } from './use-settled.ts';

interface ConsentStepProps {
  asked: Extract<Authorization, { Kind: 'Consent' }>;
  /** The request of the app. */
  request: string;
  onDecide: (decision: { Consent: 'granted' | 'denied'; ConsentTo: string }) => Promise<Problem | undefined>;
}

/** Asks the visitor whether an app may know what it asks for. */
export function ConsentStep({ asked, request, onDecide }: ConsentStepProps) {
  const text = useText();
  const isSettled = useSettled();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const { Client, Scopes, Email, ConsentTo } = asked;
  const decide = async (Consent: 'granted' | 'denied'): Promise<void> => {
    setBusy(true);
    setProblem(await onDecide({ Consent, ConsentTo }));
    setBusy(false);
  };
  const changeAccount = async (): Promise<void> => {
    const result = await call('POST', '/account/logout', {});
    // The request is in the address: the reloaded page leads to the login.
    if (result.ok || result.problem.status === 401) location.reload();
    else setProblem(result.problem);
  };
  const host = hostIn(request);
  return (
    <Page
      title={text('consent.title', { app: Client.Name })}
      lead={text('consent.lead', { app: Client.Name, email: Email })}
    >
      {problem && (
        <Notice meaning="danger">
          <p>{problemText(problem, text)}</p>
        </Notice>
      )}
      <ul class={styles['scopes']}>
        {Scopes.map((scope) => (
          <li key={scope} class={styles['scope']}>
            <CheckIcon />
            <span>{scopeText(scope, text)}</span>
          </li>
        ))}
      </ul>
      {host !== undefined && <p class={styles['quiet']}>{text('consent.host', { host })}</p>}
      <div class={styles['buttons']}>
        <Button wide busy={isBusy} onClick={() => void decide('denied')}>
          {text('consent.deny')}
        </Button>
        <Button kind="primary" wide busy={isBusy || !isSettled} onClick={() => void decide('granted')}>
          {text('consent.grant')}
        </Button>
      </div>
      <p class={styles['quiet']}>{text('consent.withdraw')}</p>
      <SecondaryActions>
        <Button kind="text" onClick={() => void changeAccount()}>
          {text('consent.otherAccount')}
        </Button>
      </SecondaryActions>
    </Page>
  );
}

/** The host that the app's answer goes to, if it is a website. The service has compared the whole address. */
function hostIn(request: string): string | undefined {
  const address = new URLSearchParams(request).get('redirect_uri') ?? '';
  return /^https?:/i.test(address) && URL.canParse(address) ? new URL(address).host : undefined;
}
