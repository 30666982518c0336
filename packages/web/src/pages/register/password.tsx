import { useState } from 'preact/hooks';
import { change } from '../../ui/api.ts';
import { PasswordField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { type MessageKey, pageData, text } from '../../ui/locale.ts';
import { Page } from '../../ui/page.tsx';
import { CheckedLink, LinkPage } from '../link-page.tsx';
import { onTheWay, PATHS, useOpenAccount, usePage } from '../page.ts';
import { EmailField, LoginLink, NameField, News, SendAgain, typedName } from '../parts.tsx';
import { useSignInAnew } from './registered.ts';

/** Requests a code by mail, and leads to where it is entered, whether or not the address has an account. */
export function ForgotPasswordPage() {
  const { route, set } = usePage();
  return (
    <Page title={text('forgot.title')} lead={text('forgot.lead')} ways={<LoginLink />}>
      <Form
        submit={text('forgot.submit')}
        onSubmit={async ({ Email = '' }) => {
          set({ email: Email });
          return change('POST /account/forgot-password', { Email }, () => route(PATHS.resetPassword));
        }}
      >
        <EmailField autofocus />
      </Form>
    </Page>
  );
}

/** Sets a new password with a mailed code, and shows the other ways to sign in, which a reset does not remove. */
export function ResetPasswordPage() {
  const { route, email, said, set } = usePage();
  const { Email: linkedEmail, Code } = said;
  const [known] = useState(email);
  const signInAnew = useSignInAnew();
  const account = linkedEmail ?? known;
  const isMailed = account !== '' && Code === undefined;
  return (
    <CheckedLink words="reset">
      <LinkPage
        words="reset"
        {...(isMailed && { title: text('forgot.sent.title') })}
        lead={text(leadOf(account, Code), { email: account })}
        email={account}
        code={Code}
        notice={<News />}
        fields={<PasswordField label={text('field.newPassword')} purpose="new" />}
        onSend={async (body) => {
          const { Email = '', Password = '' } = body;
          set({ email: Email });
          return change('POST /account/reset-password', body, async () => {
            set({ hasReset: true, news: 'reset.done' });
            // The login may need more than the new password.
            const login = onTheWay(PATHS.login, { returnUrl: PATHS.profileSecurity });
            route((await signInAnew(Email, Password)) ? PATHS.profileSecurity : login, true);
          });
        }}
        ways={!isMailed && <OtherWays />}
      >
        {isMailed && (
          <SendAgain
            operation="POST /account/forgot-password"
            email={account}
            words={{ send: 'reset.another', sent: 'forgot.sent.lead' }}
          >
            <LoginLink />
          </SendAgain>
        )}
      </LinkPage>
    </CheckedLink>
  );
}

function leadOf(email: string, code: string | undefined): MessageKey {
  if (email === '') return 'reset.lead';
  return code === undefined ? 'forgot.sent.lead' : 'reset.lead.email';
}

/** Lets the owner of an account that an administrator created choose a name and a password, and signs them in. */
export function CompleteAccountPage() {
  const { route, said, set } = usePage();
  const openAccount = useOpenAccount();
  const signInAnew = useSignInAnew();
  const { Email: email, Code } = said;
  return (
    <CheckedLink words="complete">
      <LinkPage
        words="complete"
        lead={email === undefined ? text('complete.lead') : text('complete.lead.email', { email })}
        email={email ?? ''}
        code={Code}
        fields={
          <>
            <NameField hint={text('complete.name.hint')} />
            <PasswordField purpose="new" />
          </>
        }
        onSend={async ({ DisplayName, Email = '', Password = '', ...values }) => {
          set({ email: Email });
          const body = { ...values, Email, Password, Locale: pageData.Locale, ...typedName(DisplayName) };
          return change('POST /account/reset-password', body, async () => {
            if (await signInAnew(Email, Password)) openAccount();
            else route(PATHS.login, true);
          });
        }}
        ways={<OtherWays />}
      />
    </CheckedLink>
  );
}

/** For whom the code does not work. */
function OtherWays() {
  return (
    <>
      <a href={PATHS.forgotPassword}>{text('reset.another')}</a>
      <LoginLink />
    </>
  );
}
