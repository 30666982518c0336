import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { call, change, type Operation, type Problem } from '../ui/api.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { Form, type FormProps } from '../ui/form.tsx';
import { type MessageKey, pageData, text, type Values } from '../ui/locale.ts';
import { Fault } from '../ui/notice.tsx';
import { Page, type PageProps } from '../ui/page.tsx';
import { Loaded, Loading, useOwnCall, useProfile } from './account/own-account.tsx';
import { PATHS, usePage } from './page.ts';
import { EmailField, KnownEmail, LoginLink, MailedCodeField } from './parts.tsx';
import { OtherSessions } from './sessions/sessions.tsx';

type Checked = 'verify' | 'reset' | 'complete';
type Undoing = 'restore' | 'takeBack';

interface LinkPageProps
  extends Pick<PageProps, 'lead' | 'ways' | 'children'>, Pick<FormProps, 'explanations'> {
  /** Begins the keys of its texts. */
  words: Checked | Undoing;
  title?: string;
  /** The account, if the link or an earlier page has said it; empty if it is to be typed. */
  email?: string;
  /** The code of the link; a page with `email` has it typed if there is none. */
  code: string | undefined;
  notice?: ComponentChildren;
  fields?: ComponentChildren;
  onSend: FormProps['onSubmit'];
}

/** A page that the link of a mail opens: says what for, and needs one press, and what the link has not brought. */
export function LinkPage(props: LinkPageProps) {
  const { words, lead, email, code, explanations, notice, fields, onSend, ways, children } = props;
  const { title = text(`${words}.title`) } = props;
  const isTyped = email !== undefined;
  return (
    <Page title={title} lead={lead} ways={ways ?? (children === undefined && <LoginLink />)}>
      {notice}
      {(isTyped || code !== undefined) && (
        <Form
          key={code ?? ''}
          submit={text(`${words}.submit`)}
          explanations={explanations}
          onSubmit={(typed) =>
            onSend({ ...(email && { Email: email }), ...(code && { Code: code }), ...typed })
          }
        >
          {email === '' && <EmailField autofocus />}
          {email && fields && <KnownEmail email={email} />}
          {isTyped && code === undefined && <MailedCodeField autofocus />}
          {fields}
        </Form>
      )}
      {children}
    </Page>
  );
}

/** Asks, when a link with a code is opened, whether the code still works, and says so at once if it does not. */
export function CheckedLink({ words, children }: { words: Checked; children: ComponentChildren }) {
  const { said, forgetFragment } = usePage();
  const { Email: email, Code: code } = said;
  const [problem, setProblem] = useState<Problem>();
  const state = useStateOfCode(words === 'verify' ? 'verify' : 'reset', email, code);
  if (state === 'works') return <>{children}</>;
  if (state === 'unknown')
    return (
      <Page title={text(`${words}.title`)}>
        <Loading />
      </Page>
    );
  const isFirst = words !== 'verify';
  // Mails another code, after which the page asks for it.
  const operation = isFirst ? 'POST /account/forgot-password' : 'POST /account/resend-verification';
  const again = (
    <Button
      kind={isFirst ? 'primary' : 'text'}
      wide={isFirst}
      onClick={async () => setProblem(await change(operation, { Email: email }, forgetFragment))}
    >
      {text('link.again')}
    </Button>
  );
  return (
    <Page
      title={text('link.gone')}
      lead={text(`${words}.gone`, { email: email ?? '' })}
      ways={isFirst ? <LoginLink /> : again}
    >
      <Fault problem={problem} />
      {isFirst ? (
        again
      ) : (
        <ButtonLink href={PATHS.login} kind="primary" wide>
          {text('login.title')}
        </ButtonLink>
      )}
    </Page>
  );
}

/** Whether the code of a link works. If this cannot be found out, it is tried. */
function useStateOfCode(Purpose: 'verify' | 'reset', Email: string | undefined, Code: string | undefined) {
  const [found, setFound] = useState<{ Code: string; isGone: boolean }>();
  useEffect(() => {
    if (Email === undefined || Code === undefined) return;
    void call<{ IsValid: boolean }>('POST /account/code', { Email, Code, Purpose }).then((result) =>
      setFound({ Code, isGone: result.ok && !result.value.IsValid }),
    );
  }, [Email, Code]);
  if (Email === undefined || Code === undefined) return 'works';
  if (found?.Code !== Code) return 'unknown';
  return found.isGone ? 'gone' : 'works';
}

/** What the keys of a title and a lead begin with. */
type Titled = {
  [K in MessageKey]: K extends `${infer W}.title` ? (`${W}.lead` extends MessageKey ? W : never) : never;
}[MessageKey];

interface DonePageProps extends Pick<PageProps, 'children' | 'ways'> {
  words: Titled;
  values?: Values;
  lead?: string;
  href: string;
  next: string;
  kind?: 'primary' | 'quiet';
}

export function DonePage(props: DonePageProps) {
  const { words, values, lead = text(`${words}.lead`, values), href, next, kind = 'primary' } = props;
  return (
    <Page title={text(`${words}.title`)} lead={lead} ways={props.ways}>
      {props.children}
      <ButtonLink href={href} kind={kind} wide>
        {next}
      </ButtonLink>
    </Page>
  );
}

/** Cancels the erasure of an account, by the link in the mail that announced it. */
export function RestoreAccountPage() {
  const { ErasesAt = '' } = usePage().said;
  const dates = new Intl.DateTimeFormat(pageData.Locale, { dateStyle: 'long' });
  return (
    <UndoingPage
      words="restore"
      values={{ date: dates.format(Date.parse(ErasesAt) || 0) }}
      operation="POST /account/restore"
    >
      <DonePage
        words="restore.done"
        href={PATHS.login}
        next={text('restore.done.login')}
        ways={<a href={PATHS.forgotPassword}>{text('restore.done.password')}</a>}
      />
    </UndoingPage>
  );
}

/** Gives an account its former email again, by the link in the mail that reported the change. */
export function TakeBackEmailPage() {
  return (
    <UndoingPage words="takeBack" operation="POST /account/take-back-email">
      <DonePage words="takeBack.done" href={PATHS.forgotPassword} next={text('takeBack.done.password')} />
    </UndoingPage>
  );
}

interface UndoingPageProps {
  words: Undoing;
  values?: Values;
  operation: Operation;
  children: ComponentChildren;
}

/** Undoes what a mail has told the owner about, by its link, and then shows `children`. Links of earlier mails name no address. */
function UndoingPage({ words, values, operation, children }: UndoingPageProps) {
  const { Code, Address: email = '' } = usePage().said;
  const [isDone, setDone] = useState(false);
  if (isDone) return <>{children}</>;
  const lead = Code === undefined ? 'noLink' : email === '' ? 'lead' : 'lead.of';
  return (
    <LinkPage
      words={words}
      lead={text(`${words}.${lead}`, { email, ...values })}
      code={Code}
      explanations={{ invalid_code: `${words}.invalid`, email_taken: 'takeBack.taken' }}
      onSend={(body) => change(operation, body, () => setDone(true))}
    />
  );
}

/** Replaces the previous email address with the new one. A visitor who is not signed in must sign in first. */
export function ConfirmEmailPage() {
  const ownCall = useOwnCall();
  const { Code: linked, Address: email } = usePage().said;
  const own = useProfile();
  const [isDone, setDone] = useState(false);
  const [isRefused, setRefused] = useState(false);
  const brought = isRefused ? undefined : linked;
  if (isDone) {
    return (
      <DonePage
        words="confirmEmail.done"
        href={PATHS.profileSecurity}
        next={text('confirmEmail.done.continue')}
      >
        <OtherSessions />
      </DonePage>
    );
  }
  return (
    <Page
      title={text('confirmEmail.title')}
      lead={email ? text('confirmEmail.lead.of', { email }) : text('confirmEmail.lead')}
      ways={<a href={PATHS.profileSecurity}>{text('confirmEmail.back')}</a>}
    >
      <Loaded own={own}>
        {({ Email }) => (
          <>
            <p>{text('confirmEmail.former', { email: Email })}</p>
            <Form
              submit={text('confirmEmail.submit')}
              explanations={{ email_taken: 'confirmEmail.taken', invalid_code: 'problem.invalid_code' }}
              at={brought === undefined ? { invalid_code: 'Code' } : {}}
              onSubmit={async ({ Code = brought }) => {
                const problem = await ownCall('POST /account/confirm-email', { Code }, () => setDone(true));
                if (problem !== undefined && brought !== undefined && problem.status < 429) setRefused(true);
                return problem;
              }}
            >
              {brought === undefined && <MailedCodeField />}
            </Form>
          </>
        )}
      </Loaded>
    </Page>
  );
}
