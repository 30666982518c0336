import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { beginSignOn } from '../sign-in/sign-on.ts';
import { change, type Operation, type Problem } from '../ui/api.ts';
import { Button } from '../ui/button.tsx';
import { CodeField, Field, type FieldProps } from '../ui/fields.tsx';
import { useCountdown } from '../ui/form.tsx';
import { type MessageKey, pageData, text } from '../ui/locale.ts';
import { Fault, Notice } from '../ui/notice.tsx';
import { SecondaryActions } from '../ui/page.tsx';
import type { AccountOptions } from './account-options.ts';
import { PATHS, type Return, usePage } from './page.ts';

/** A field for the account's email address, prefilled if an earlier page has asked for it. */
export function EmailField(field: Partial<FieldProps>) {
  const { email } = usePage();
  return (
    <Field
      name="Email"
      label={text('field.email')}
      type="email"
      inputMode="email"
      autocomplete="username"
      defaultValue={email}
      required
      {...field}
    />
  );
}

/** Tells password managers which account the password belongs to. */
export function KnownEmail({ email }: { email: string }) {
  return <input hidden type="email" name="Email" autocomplete="username" value={email} readOnly />;
}

export function MailedCodeField(field: Partial<FieldProps>) {
  return <CodeField name="Code" label={text('field.mailCode')} {...field} />;
}

export function NameField(field: Partial<FieldProps>) {
  return (
    <Field
      name="DisplayName"
      label={text('field.name')}
      hint={text('register.name.hint')}
      autocomplete="name"
      autofocus
      {...field}
    />
  );
}

/** The name that was typed, as a field of a request; none if it was left empty. */
export function typedName(typed = ''): { DisplayName?: string } {
  const name = typed.trim();
  return name === '' ? {} : { DisplayName: name };
}

/** Says once what has been done on the page before. */
export function News() {
  const { news, forgetNews } = usePage();
  useEffect(() => () => forgetNews(news), []);
  return news && <Notice meaning="success">{text(news)}</Notice>;
}

export function LoginLink() {
  return <a href={PATHS.login}>{text('ways.login')}</a>;
}

/** What a sign-on from the login page comes back to. */
export interface KeptSignOn {
  back: Return;
  keep: boolean;
}

interface ProviderButtonsProps {
  options: AccountOptions | undefined;
  back: Return;
  keep?: boolean;
  /** Whether the provider must authenticate the user again, as a proof of identity. */
  isFresh?: boolean;
}

/** Single sign-on, if configured. Buttons, because a link could be opened in a tab that has not begun the sign-on. */
export function ProviderButtons({ options, back, keep = false, isFresh = false }: ProviderButtonsProps) {
  const { sessionTag } = back;
  const begin = (loginUrl: string): void => {
    const tag = sessionTag !== undefined && { sessionTag };
    const query = { pages: 'true', ...(isFresh && { fresh: 'true' }), ...tag, locale: pageData.Locale };
    location.assign(beginSignOn(loginUrl, query, { back, keep } satisfies KeptSignOn));
  };
  return (
    <>
      {options?.Providers.map(({ Id, Name, LoginUrl }) => (
        <Button key={Id} wide icon="provider" onClick={() => begin(LoginUrl)}>
          {text('login.provider', { provider: Name })}
        </Button>
      ))}
    </>
  );
}

interface SendAgainProps {
  /** Sends the mail. Its response is the same whether or not the address has an account. */
  operation: Operation;
  email: string;
  words: { send: MessageKey; sent: MessageKey };
  primary?: boolean;
  children: ComponentChildren;
}

/** How long to wait for a mail before another one may be sent. */
const PAUSE_SECONDS = 30;

export function SendAgain({ operation, email, words, primary = false, children }: SendAgainProps) {
  const [problem, setProblem] = useState<Problem>();
  const [isSent, setSent] = useState(false);
  const [secondsLeft, startWaiting] = useCountdown();
  const send = async (): Promise<void> => {
    const found = await change(operation, { Email: email });
    setProblem(found);
    setSent(found === undefined);
    startWaiting(found === undefined ? PAUSE_SECONDS : (found.retryAfterSeconds ?? 0));
  };
  const button = email !== '' && (
    <Button kind={primary ? 'primary' : 'text'} wide={primary} waits={secondsLeft > 0} onClick={send}>
      {secondsLeft > 0 ? text('again.wait', { seconds: secondsLeft }) : text(words.send)}
    </Button>
  );
  return (
    <>
      {isSent && <Notice meaning="success">{text(words.sent, { email })}</Notice>}
      <Fault problem={problem} />
      {primary && button}
      <SecondaryActions>
        {!primary && button}
        {children}
      </SecondaryActions>
    </>
  );
}

export const RESEND_INVITATION = {
  operation: 'POST /account/resend-invitation',
  words: { send: 'invitation.again', sent: 'invitation.again.sent' },
} as const;
