import { useEffect, useState } from 'preact/hooks';
import { call } from '../../ui/api/api.ts';
import { Button, ButtonLink } from '../../ui/form/button.tsx';
import { Field } from '../../ui/form/field.tsx';
import { Form } from '../../ui/form/form.tsx';
import { useText } from '../../ui/locale/locale.ts';
import { Page } from '../../ui/layout/page.tsx';
import { usePageData } from '../../ui/api/page-data.ts';
import { PasswordField } from '../../ui/form/password-field.tsx';
import { SecondaryActions } from '../../ui/layout/secondary-actions.tsx';
import { usePageState, useFragment } from '../page-state.ts';
import { PATHS } from '../paths.ts';
import { RequestLinkStep } from './request-link-step.tsx';

/** Lets an invited guest choose a name and a password. Without a valid link, a new one can be requested by mail. */
export function RegisterGuestPage() {
  const text = useText();
  const { InvitationToken } = useFragment();
  const { forgetFragment } = usePageState();
  const { AppUrl } = usePageData();
  const [isDone, setDone] = useState(false);
  const [contentUrl, setContentUrl] = useState<string>();
  const [isRefused, setRefused] = useState(false);
  // Opening a newer link on this page resets the error.
  useEffect(() => setRefused(false), [InvitationToken]);
  if (isDone) {
    return (
      <Page title={text('guest.done.title')} lead={text('guest.done.lead')}>
        <ButtonLink href={contentUrl ?? AppUrl ?? PATHS.login} kind="primary" wide>
          {text('guest.done.continue')}
        </ButtonLink>
      </Page>
    );
  }
  if (InvitationToken === undefined) return <RequestLinkStep />;
  return (
    <Page title={text('guest.title')} lead={text('guest.lead')}>
      <Form
        key={InvitationToken}
        submit={text('guest.submit')}
        onSubmit={async ({ DisplayName, Password }) => {
          const body = { InvitationToken, DisplayName, Password };
          const result = await call<{ ContentUrl?: string }>('POST', '/account/register-guest', body);
          if (!result.ok) {
            setRefused(result.problem.code === 'invalid_invitation');
            return result.problem;
          }
          setContentUrl(result.value.ContentUrl);
          setDone(true);
          return undefined;
        }}
      >
        <Field name="DisplayName" label={text('field.name')} autocomplete="name" required />
        <PasswordField name="Password" label={text('field.password')} purpose="new" />
      </Form>
      <SecondaryActions>
        {isRefused && (
          <Button kind="text" onClick={forgetFragment}>
            {text('guest.again')}
          </Button>
        )}
        <a href={PATHS.login}>{text('ways.login')}</a>
      </SecondaryActions>
    </Page>
  );
}
