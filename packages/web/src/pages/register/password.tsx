import { useLocation } from 'preact-iso';
import { useState } from 'preact/hooks';
import { post } from '../../ui/api.ts';
import { PasswordField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { type MessageKey, pageData, text } from '../../ui/locale.ts';
import { Page, SecondaryActions } from '../../ui/page.tsx';
import { CheckedLink, LinkPage } from '../link-page.tsx';
import { useOpenAccount } from '../login/destination.ts';
import { useSignInAnew } from '../login/sign-in-anew.ts';
import { useFragment, usePageState } from '../page-state.ts';
import { EmailField, LoginLink, NameField, News, SendAgain, typedName } from '../parts.tsx';
import { PATHS } from '../paths.ts';

/**
 * Requests a code by mail, and leads to the page where it is entered. That looks the same whether or not the address has
 * an account.
 */
export function ForgotPasswordPage() {
  const { route } = useLocation();
  const { setEmail } = usePageState();
  return (
    <Page title={text('forgot.title')} lead={text('forgot.lead')}>
      <Form
        submit={text('forgot.submit')}
        onSubmit={async ({ Email = '' }) => {
          setEmail(Email);
          return post('/account/forgot-password', { Email }, () => route(PATHS.resetPassword));
        }}
      >
        <EmailField isFirst />
      </Form>
      <SecondaryActions>
        <LoginLink />
      </SecondaryActions>
    </Page>
  );
}

/**
 * Sets a new password, with the code of a mail: from its link, or typed. Then signs in with it, and shows the other ways
 * to sign in, which a reset does not remove.
 */
export function ResetPasswordPage() {
  const { route } = useLocation();
  const { email, setEmail, setReset, setNews } = usePageState();
  const { Email: linkedEmail, Code } = useFragment();
  const [known] = useState(email);
  const signInAnew = useSignInAnew();
  const account = linkedEmail ?? known;
  const isMailed = account !== '' && Code === undefined;
  return (
    <CheckedLink words="reset" email={linkedEmail} code={Code}>
      <LinkPage
        words="reset"
        {...(isMailed && { title: text('forgot.sent.title') })}
        lead={text(leadOf(account, Code), { email: account })}
        email={account}
        code={Code}
        notice={<News />}
        fields={<PasswordField name="Password" label={text('field.newPassword')} purpose="new" />}
        onSend={async (body) => {
          const { Email = '', Password = '' } = body;
          setEmail(Email);
          return post('/account/reset-password', body, async () => {
            setReset(true);
            setNews('reset.done');
            route((await signInAnew(Email, Password)) ? PATHS.profileSecurity : LOGIN, true);
          });
        }}
      >
        {isMailed ? (
          <SendAgain path="/account/forgot-password" email={account} words={CODE_AGAIN}>
            <LoginLink />
          </SendAgain>
        ) : (
          <AnotherCode />
        )}
      </LinkPage>
    </CheckedLink>
  );
}

function leadOf(email: string, code: string | undefined): MessageKey {
  if (email === '') return 'reset.lead';
  return code === undefined ? 'forgot.sent.lead' : 'reset.lead.email';
}

const CODE_AGAIN = { send: 'reset.another', sent: 'forgot.sent.lead' } as const;

/** For a login that needs more than the new password. */
const LOGIN = `${PATHS.login}?returnUrl=${encodeURIComponent(PATHS.profileSecurity)}`;

/** Lets the owner of an account that an administrator created choose a name and a password, and signs them in. */
export function CompleteAccountPage() {
  const { route } = useLocation();
  const openAccount = useOpenAccount();
  const signInAnew = useSignInAnew();
  const { setEmail } = usePageState();
  const { Email: linkedEmail, Code } = useFragment();
  return (
    <CheckedLink words="complete" email={linkedEmail} code={Code}>
      <LinkPage
        words="complete"
        lead={
          linkedEmail === undefined
            ? text('complete.lead')
            : text('complete.lead.email', { email: linkedEmail })
        }
        email={linkedEmail ?? ''}
        code={Code}
        fields={
          <>
            <NameField hint="complete.name.hint" />
            <PasswordField name="Password" label={text('field.password')} purpose="new" />
          </>
        }
        onSend={async ({ DisplayName, Email = '', Password = '', ...values }) => {
          setEmail(Email);
          const body = { ...values, Email, Password, Locale: pageData.Locale, ...typedName(DisplayName) };
          return post('/account/reset-password', body, async () => {
            if (await signInAnew(Email, Password)) openAccount();
            else route(PATHS.login, true);
          });
        }}
      >
        <AnotherCode />
      </LinkPage>
    </CheckedLink>
  );
}

/** The ways on for whom the code does not work. */
function AnotherCode() {
  return (
    <SecondaryActions>
      <a href={PATHS.forgotPassword}>{text('reset.another')}</a>
      <LoginLink />
    </SecondaryActions>
  );
}
