import { ButtonLink } from '../../ui/form/button.tsx';
import { Field } from '../../ui/form/field.tsx';
import { Form } from '../../ui/form/form.tsx';
import { PasswordField } from '../../ui/form/password-field.tsx';
import { useText } from '../../ui/locale/locale.ts';
import { atField, type Profile } from '../account/own-account.ts';
import type { ProofAction } from './passkeys/use-passkeys.ts';
import { hasEmailLogin, useAccountOptions } from '../account-options.ts';
import { AGAIN } from '../login/continue-as.tsx';
import { thisPage } from '../login/destination.ts';
import { PATHS } from '../paths.ts';
import { ProviderButtons } from '../provider-buttons.tsx';

/** Asks the owner to prove their identity again: by the second factor, if there is one; without a password, by another login. */
export function OwnerProof({ profile, onProof }: { profile: Profile; onProof: ProofAction }) {
  const text = useText();
  if (!profile.TwoFactorEnabled && !profile.HasPassword) return <SignOnProof role={profile.Role} />;
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

/**
 * For accounts without a password: a sign-on for which the provider asks again is a proof, for five minutes, and so is
 * another login with a mailed code.
 */
function SignOnProof({ role }: { role: string }) {
  const text = useText();
  const options = useAccountOptions(undefined);
  const isByEmail = hasEmailLogin(options, role);
  const again = `${PATHS.login}?${new URLSearchParams({ returnUrl: thisPage(), [AGAIN]: '' }).toString()}`;
  return (
    <>
      <p>{text(isByEmail ? 'proof.signInByEmail' : 'proof.signIn')}</p>
      {isByEmail && (
        <ButtonLink href={again} wide>
          {text('login.submit')}
        </ButtonLink>
      )}
      <ProviderButtons options={options} back={{ returnUrl: thisPage() }} isFresh />
    </>
  );
}
