import { useState } from 'preact/hooks';
import { call } from '../../ui/api/api.ts';
import { ButtonLink } from '../../ui/form/button.tsx';
import { Field } from '../../ui/form/field.tsx';
import { Form } from '../../ui/form/form.tsx';
import { useText } from '../../ui/locale/locale.ts';
import { Page } from '../../ui/layout/page.tsx';
import { SecondaryActions } from '../../ui/layout/secondary-actions.tsx';
import { Loaded } from '../account/loaded.tsx';
import { atField, useOwn, useSignedOut, type Profile } from '../account/own-account.ts';
import { useFragment } from '../page-state.ts';
import { PATHS } from '../paths.ts';
import { OtherSessions } from '../sessions/other-sessions.tsx';

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
