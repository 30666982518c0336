import { useState } from 'preact/hooks';
import { call } from '../../ui/api.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { useText } from '../../ui/locale.ts';
import { Page } from '../../ui/page.tsx';
import { usePageData } from '../../ui/page-data.ts';
import { PasswordField } from '../../ui/password-field.tsx';
import { QuietWays } from '../../ui/quiet-ways.tsx';
import { useFragment } from '../carried.ts';
import { PATHS } from '../paths.ts';

/** An invited guest chooses a name and a password; without the link's token there is only advice to give. */
export function RegisterGuestPage() {
  const text = useText();
  const { InvitationToken } = useFragment();
  const { AppUrl } = usePageData();
  const [isDone, setDone] = useState(false);
  if (isDone) {
    return (
      <Page title={text('guest.done.title')} lead={text('guest.done.lead')}>
        <ButtonLink href={AppUrl ?? PATHS.login} kind="primary" wide>
          {text('guest.done.continue')}
        </ButtonLink>
      </Page>
    );
  }
  const hasToken = InvitationToken !== undefined;
  return (
    <Page title={text('guest.title')} lead={text(hasToken ? 'guest.lead' : 'guest.link')}>
      {hasToken && (
        <Form
          key={InvitationToken}
          submit={text('guest.submit')}
          onSubmit={async ({ DisplayName, Password }) => {
            const body = { InvitationToken, DisplayName, Password };
            const result = await call('POST', '/account/register-guest', body);
            if (!result.ok) return result.problem;
            setDone(true);
            return undefined;
          }}
        >
          <Field name="DisplayName" label={text('field.name')} autocomplete="name" required />
          <PasswordField name="Password" label={text('field.password')} purpose="new" />
        </Form>
      )}
      <QuietWays>
        <a href={PATHS.login}>{text('ways.login')}</a>
      </QuietWays>
    </Page>
  );
}
