import { useEffect, useState } from 'preact/hooks';
import { call, type Problem } from '../../ui/api/api.ts';
import { Field } from '../../ui/form/field.tsx';
import { Form } from '../../ui/form/form.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { PasswordField } from '../../ui/form/password-field.tsx';
import { AddressHint } from '../../ui/passkey/address-hint.tsx';
import { SecondaryActions } from '../../ui/layout/secondary-actions.tsx';
import type { Answer } from '../api/call-api.ts';
import { Notice } from '../../ui/layout/notice.tsx';
import { useWords, type TextKey } from '../text.ts';
import { EndingNotice } from './ending-notice.tsx';
import { PasskeySignIn } from './passkey-sign-in.tsx';
import { ProviderButtons } from './provider-buttons.tsx';
import { takeStep, type Step } from './step.ts';

type Options = Answer<'GET /console/options'>;

interface CredentialsStepProps {
  because: Problem | undefined;
  failure: TextKey | undefined;
  onStep: (step: Step) => void;
}

/** The first step: email and password, or the methods that need neither. */
export function CredentialsStep({ because, failure, onStep }: CredentialsStepProps) {
  const words = useWords();
  const [options, setOptions] = useState<Options>();
  useEffect(() => {
    void call<Options>('GET', '/console/options').then((result) =>
      setOptions(result.ok ? result.value : undefined),
    );
  }, []);
  return (
    <Page title={words('signIn.title')} lead={words('signIn.lead')}>
      {failure === undefined ? (
        <EndingNotice because={because} />
      ) : (
        <Notice meaning="danger">
          <p>{words(failure)}</p>
        </Notice>
      )}
      <Form
        submit={words('signIn.submit')}
        explanations={EXPLANATIONS}
        onSubmit={({ Username, Password }) => takeStep({ Username, Password }, onStep)}
      >
        <Field
          name="Username"
          label={words('field.email')}
          type="email"
          inputMode="email"
          autocomplete="username"
          autocapitalize="none"
          spellcheck={false}
          required
        />
        <PasswordField name="Password" label={words('field.password')} purpose="current" />
      </Form>
      {options?.Passkeys && (
        <>
          <PasskeySignIn explanations={EXPLANATIONS} onStep={onStep} />
          <AddressHint />
        </>
      )}
      {options && <ProviderButtons options={options} />}
      {options?.SingleSession && <p class="quiet">{words('signIn.single')}</p>}
      {options && (
        <SecondaryActions>
          <a href={`${options.PublicUrl.replace(/\/$/, '')}/forgot-password`}>{words('login.forgot')}</a>
        </SecondaryActions>
      )}
    </Page>
  );
}

const EXPLANATIONS = {
  authentication_failed: 'login.failed',
  forbidden: 'login.notAdministrator',
  account_disabled: 'signOn.account_disabled',
  account_expired: 'signOn.account_expired',
  new_password_required: 'signOn.new_password_required',
  signup_pending: 'signOn.signup_pending',
  migration_pending: 'signOn.migration_pending',
  email_confirmation_pending: 'signOn.email_confirmation_pending',
  invitation_pending: 'signOn.invitation_pending',
} as const;
