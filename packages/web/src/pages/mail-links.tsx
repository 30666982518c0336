import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { call, type Problem } from '../ui/api/api.ts';
import { problemText } from '../ui/api/problem-text.ts';
import { useCountdown } from '../ui/countdown.ts';
import { Button, ButtonLink } from '../ui/form/button.tsx';
import { Field } from '../ui/form/field.tsx';
import { Form } from '../ui/form/form.tsx';
import { Notice } from '../ui/layout/notice.tsx';
import { Page } from '../ui/layout/page.tsx';
import { SecondaryActions } from '../ui/layout/secondary-actions.tsx';
import { type MessageKey, useText } from '../ui/locale/locale.ts';
import { atField, Loaded, type Profile, useOwn, useSignedOut } from './account/own-account.tsx';
import { useFragment } from './page-state.ts';
import { PATHS } from './paths.ts';
import { OtherSessions } from './sessions/end-sessions.tsx';

/** Cancels the erasure of an account, by the link in the mail that announced it. */
export function RestoreAccountPage() {
  const text = useText();
  const { Code } = useFragment();
  const [isDone, setDone] = useState(false);
  if (isDone) {
    return (
      <Page title={text('restore.done.title')} lead={text('restore.done.lead')}>
        <ButtonLink href={PATHS.login} kind="primary" wide>
          {text('restore.done.login')}
        </ButtonLink>
        <SecondaryActions>
          <a href={PATHS.forgotPassword}>{text('restore.done.password')}</a>
        </SecondaryActions>
      </Page>
    );
  }
  return (
    <Page title={text('restore.title')} lead={text(Code === undefined ? 'restore.noLink' : 'restore.lead')}>
      {Code !== undefined && (
        <Form
          key={Code}
          submit={text('restore.submit')}
          explanations={{ invalid_code: 'restore.invalid' }}
          onSubmit={async () => {
            const result = await call('POST', '/account/restore', { Code });
            if (!result.ok) return result.problem;
            setDone(true);
            return undefined;
          }}
        >
          {null}
        </Form>
      )}
      <SecondaryActions>
        <a href={PATHS.login}>{text('ways.login')}</a>
      </SecondaryActions>
    </Page>
  );
}

/** Gives an account its former email again, by the link in the mail that reported the change. */
export function TakeBackEmailPage() {
  const text = useText();
  const { Code } = useFragment();
  const [isDone, setDone] = useState(false);
  if (isDone) {
    return (
      <Page title={text('takeBack.done.title')} lead={text('takeBack.done.lead')}>
        <ButtonLink href={PATHS.forgotPassword} kind="primary" wide>
          {text('takeBack.done.password')}
        </ButtonLink>
      </Page>
    );
  }
  return (
    <Page
      title={text('takeBack.title')}
      lead={text(Code === undefined ? 'takeBack.noLink' : 'takeBack.lead')}
    >
      {Code !== undefined && (
        <Form
          key={Code}
          submit={text('takeBack.submit')}
          explanations={{ invalid_code: 'takeBack.invalid', email_taken: 'takeBack.taken' }}
          onSubmit={async () => {
            const result = await call('POST', '/account/take-back-email', { Code });
            if (!result.ok) return result.problem;
            setDone(true);
            return undefined;
          }}
        >
          {null}
        </Form>
      )}
      <SecondaryActions>
        <a href={PATHS.login}>{text('ways.login')}</a>
      </SecondaryActions>
    </Page>
  );
}

/** Replaces the previous email address with the new one. A visitor who is not signed in must sign in first. */
export function ConfirmEmailPage() {
  const text = useText();
  const leave = useSignedOut();
  const fragment = useFragment();
  const own = useOwn<Profile>('/account/profile');
  const [isDone, setDone] = useState(false);
  const [isRefused, setRefused] = useState(false);
  const brought = isRefused ? undefined : fragment['Code'];
  if (isDone) {
    return (
      <Page title={text('confirmEmail.done.title')} lead={text('confirmEmail.done.lead')}>
        <OtherSessions />
        <ButtonLink href={PATHS.profileSecurity} kind="primary" wide>
          {text('confirmEmail.done.continue')}
        </ButtonLink>
      </Page>
    );
  }
  return (
    <Page title={text('confirmEmail.title')} lead={text('confirmEmail.lead')}>
      <Loaded own={own}>
        {({ Email }) => (
          <>
            <p>{text('confirmEmail.former', { email: Email })}</p>
            <Form
              submit={text('confirmEmail.submit')}
              explanations={{ email_taken: 'confirmEmail.taken', invalid_code: 'problem.invalid_code' }}
              onSubmit={async ({ Code = brought }) => {
                const result = await call('POST', '/account/confirm-email', { Code });
                if (result.ok) setDone(true);
                else if (!leave(result.problem)) {
                  if (brought !== undefined && result.problem.status < 429) setRefused(true);
                  return brought === undefined
                    ? atField(result.problem, { invalid_code: 'Code' })
                    : result.problem;
                }
                return undefined;
              }}
            >
              {brought === undefined && (
                <Field
                  name="Code"
                  label={text('field.mailCode')}
                  code
                  autocomplete="one-time-code"
                  required
                />
              )}
            </Form>
          </>
        )}
      </Loaded>
      <SecondaryActions>
        <a href={PATHS.profileSecurity}>{text('confirmEmail.back')}</a>
      </SecondaryActions>
    </Page>
  );
}

interface SendAgainProps {
  /** The API path that sends the mail. Its response is the same whether or not the address has an account. */
  path: string;
  /** The recipient. If empty, the button is not shown. */
  email: string;
  words: { send: MessageKey; sent: MessageKey };
  /** Whether this is the main action of the page. */
  primary?: boolean;
  /** The other actions of the page. */
  children: ComponentChildren;
}

/** How long to wait for a mail before another one may be sent. */
const PAUSE_SECONDS = 30;

/** A button that sends a mail again. */
export function SendAgain({ path, email, words, primary = false, children }: SendAgainProps) {
  const text = useText();
  const [outcome, setOutcome] = useState<Problem | 'sent'>();
  const [secondsLeft, startWaiting] = useCountdown();
  const send = async (): Promise<void> => {
    const result = await call('POST', path, { Email: email });
    setOutcome(result.ok ? 'sent' : result.problem);
    startWaiting(result.ok ? PAUSE_SECONDS : (result.problem.retryAfterSeconds ?? 0));
  };
  const button = email !== '' && (
    <Button kind={primary ? 'primary' : 'text'} wide={primary} waits={secondsLeft > 0} onClick={send}>
      {secondsLeft > 0 ? text('again.wait', { seconds: secondsLeft }) : text(words.send)}
    </Button>
  );
  return (
    <>
      {outcome === 'sent' && <Notice meaning="success">{text(words.sent, { email })}</Notice>}
      {outcome !== undefined && outcome !== 'sent' && (
        <Notice meaning="danger">{problemText(outcome, text)}</Notice>
      )}
      {primary && button}
      <SecondaryActions>
        {!primary && button}
        {children}
      </SecondaryActions>
    </>
  );
}

/** How to send the invitation mail again. */
export const RESEND_INVITATION = {
  path: '/account/resend-invitation',
  words: { send: 'invitation.again', sent: 'invitation.again.sent' },
} as const;
