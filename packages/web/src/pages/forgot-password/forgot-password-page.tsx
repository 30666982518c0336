import { useState } from 'preact/hooks';
import { call } from '../../ui/api/api.ts';
import { ButtonLink } from '../../ui/form/button.tsx';
import { EmailField } from '../email-field.tsx';
import { Form } from '../../ui/form/form.tsx';
import { useText } from '../../ui/locale/locale.ts';
import { Page } from '../../ui/layout/page.tsx';
import { SecondaryActions } from '../../ui/layout/secondary-actions.tsx';
import { usePageState } from '../page-state.ts';
import { PATHS } from '../paths.ts';

/** Requests a code by mail. The result looks the same whether or not the address has an account. */
export function ForgotPasswordPage() {
  const text = useText();
  const { email, setEmail } = usePageState();
  const [isSent, setSent] = useState(false);
  if (isSent) {
    return (
      <Page title={text('forgot.sent.title')} lead={text('forgot.sent.lead', { email })}>
        <ButtonLink href={PATHS.resetPassword} kind="primary" wide>
          {text('forgot.sent.code')}
        </ButtonLink>
        <SecondaryActions>
          <a href={PATHS.login}>{text('ways.login')}</a>
        </SecondaryActions>
      </Page>
    );
  }
  return (
    <Page title={text('forgot.title')} lead={text('forgot.lead')}>
      <Form
        submit={text('forgot.submit')}
        onSubmit={async ({ Email = '' }) => {
          setEmail(Email);
          const result = await call('POST', '/account/forgot-password', { Email });
          if (!result.ok) return result.problem;
          setSent(true);
          return undefined;
        }}
      >
        <EmailField name="Email" />
      </Form>
      <SecondaryActions>
        <a href={PATHS.login}>{text('ways.login')}</a>
      </SecondaryActions>
    </Page>
  );
}
