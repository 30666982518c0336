import { Field } from '../../ui/form/field.tsx';
import { Form } from '../../ui/form/form.tsx';
import { PasswordField } from '../../ui/form/password-field.tsx';
import { useText } from '../../ui/locale/locale.ts';
import { atField, type Profile } from '../account/own-account.ts';
import type { ProofAction } from './passkeys/use-passkeys.ts';
import { useAccountOptions } from '../account-options.ts';
import { ProviderButtons } from '../provider-buttons.tsx';

/** Asks the owner to prove their identity again: by the second factor, if there is one; without a password, by a sign-on. */
export function OwnerProof({ profile, onProof }: { profile: Profile; onProof: ProofAction }) {
  const text = useText();
  if (!profile.TwoFactorEnabled && !profile.HasPassword) return <SignOnProof />;
  return (
    <Form
      submit={text('passkey.continue')}
      explanations={{ confirmation_required: 'proof.passkey.needed' }}
      onSubmit={async (values) => {
        const problem = await onProof(values);
        return problem && atField(problem, { wrong_password: 'Password', wrong_code: 'TwoFactorCode' });
      }}
    >
      {profile.TwoFactorEnabled ? (
        <Field name="TwoFactorCode" label={text('field.code')} code autocomplete="one-time-code" required />
      ) : (
        <PasswordField name="Password" label={text('field.password')} purpose="current" />
      )}
    </Form>
  );
}

/** For accounts without a password: a sign-on for which the provider asks again is a proof, for five minutes. */
function SignOnProof() {
  const text = useText();
  const options = useAccountOptions(undefined);
  return (
    <>
      <p>{text('proof.signIn')}</p>
      <ProviderButtons options={options} back={{ returnUrl: location.pathname }} isFresh />
    </>
  );
}
