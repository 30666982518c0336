import { useState } from 'preact/hooks';
import { call } from '../../ui/api/api.ts';
import { ButtonLink } from '../../ui/form/button.tsx';
import { Field } from '../../ui/form/field.tsx';
import { Form } from '../../ui/form/form.tsx';
import { useText, type Text } from '../../ui/locale/locale.ts';
import { Page } from '../../ui/layout/page.tsx';
import { usePageState, useFragment } from '../page-state.ts';
import { EmailField } from '../email-field.tsx';
import { PATHS } from '../paths.ts';
import { SendAgain } from '../send-again.tsx';

/** Confirms an email address: with one click if the link contained address and code, else with the code of the mail. */
export function VerifyEmailPage() {
  const text = useText();
  const { email, setEmail } = usePageState();
  const { Email: linkedEmail, Code: linkedCode } = useFragment();
  // If the address is already known, its field is not shown. Typing an address must not hide the field.
  const [known] = useState(email);
  const [isDone, setDone] = useState(false);
  if (isDone) {
    return (
      <Page title={text('verify.done.title')} lead={text('verify.done.lead', { email })}>
        <ButtonLink href={PATHS.login} kind="primary" wide>
          {text('verify.done.login')}
        </ButtonLink>
      </Page>
    );
  }
  const isLinked = linkedEmail !== undefined && linkedCode !== undefined;
  const account = linkedEmail ?? known;
  return (
    <Page title={text('verify.title')} lead={leadOf(text, account, isLinked)}>
      <Form
        key={linkedCode ?? ''}
        submit={text('verify.submit')}
        onSubmit={async ({ Email = account, Code = linkedCode }) => {
          setEmail(Email);
          const result = await call('POST', '/account/verify', { Email, Code });
          if (!result.ok) return result.problem;
          setDone(true);
          return undefined;
        }}
      >
        {account === '' && <EmailField name="Email" />}
        {!isLinked && (
          <Field name="Code" label={text('field.mailCode')} code autocomplete="one-time-code" required />
        )}
      </Form>
      <SendAgain
        path="/account/resend-verification"
        email={account === '' ? email : account}
        words={{ send: 'verify.another', sent: 'verify.another.sent' }}
      >
        <a href={PATHS.login}>{text('ways.login')}</a>
      </SendAgain>
    </Page>
  );
}

function leadOf(text: Text, email: string, isLinked: boolean): string {
  if (isLinked) return text('verify.linked', { email });
  return email === '' ? text('verify.lead') : text('verify.lead.email', { email });
}
