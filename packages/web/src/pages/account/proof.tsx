import { useState } from 'preact/hooks';
import { call, type Problem } from '../../ui/api/api.ts';
import { ButtonLink } from '../../ui/form/button.tsx';
import { Field } from '../../ui/form/field.tsx';
import { type FieldValues, Form } from '../../ui/form/form.tsx';
import { PasswordField } from '../../ui/form/password-field.tsx';
import { Or } from '../../ui/layout/or.tsx';
import { Step } from '../../ui/layout/step.tsx';
import { useText } from '../../ui/locale/locale.ts';
import { PasskeyButton } from '../../ui/passkey/passkey-button.tsx';
import { canUsePasskeys, signWithPasskey } from '../../ui/passkey/passkey.ts';
import { hasEmailLogin, ProviderButtons, useAccountOptions } from '../account-options.tsx';
import { AGAIN } from '../login/credentials.tsx';
import { thisPage } from '../login/destination.ts';
import { PATHS } from '../paths.ts';
import { atField, type Profile, useOwn, useSignedOut } from './own-account.tsx';

/** An action that may require proof of identity. Called with the proof, or with an empty object to try without. */
export type ProofAction = (proof: object) => Promise<Problem | undefined>;

/**
 * Runs an action that requires a recent proof of identity. The action is tried without a proof first, and again with
 * the proof if one is required.
 */
export function useIdentityProof(action: ProofAction) {
  const [isAsked, setAsked] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const attempt = async (): Promise<void> => {
    const found = await action({});
    const isUnproven = found?.code === 'confirmation_required';
    setAsked(isUnproven);
    setProblem(isUnproven ? undefined : found);
  };
  const prove: ProofAction = async (proof) => {
    const found = await action(proof);
    // An error that another proof would not fix is shown where the action was started.
    const isFinal = found?.code === 'conflict';
    if (found === undefined || isFinal) setAsked(false);
    if (isFinal) setProblem(found);
    return isFinal ? undefined : found;
  };
  return { isAsked, problem, attempt, prove, cancel: () => setAsked(false) };
}

/**
 * A change that requires the password, the second factor if the account has one, and a code from a mail if such codes
 * open the account. `asked`: the values of a change for which the second factor is still required; `mailed`: of one for
 * which a code has been mailed.
 */
export function useProvenChange(path: string, onDone: (values: FieldValues) => void) {
  const leave = useSignedOut();
  const [asked, setAsked] = useState<FieldValues>();
  const [mailed, setMailed] = useState<Mailed>();
  const cancel = (): void => {
    setAsked(undefined);
    setMailed(undefined);
  };
  const change = async (values: FieldValues, proof: object = {}): Promise<Problem | undefined> => {
    const result = await call('POST', path, { ...proof, ...values });
    if (result.ok) {
      cancel();
      onDone(values);
      return undefined;
    }
    if (leave(result.problem)) return undefined;
    if (result.problem.code === 'confirmation_required') setAsked(values);
    if (result.problem.code !== 'mail_code_required') return result.problem;
    setAsked(undefined);
    setMailed({ values, proof });
    return undefined;
  };
  return { asked, mailed, change, cancel };
}

/** A change that waits for the code from the mail, with what was shown before. */
interface Mailed {
  values: FieldValues;
  proof: object;
}

interface ProofStepProps {
  profile: Profile;
  /** Why the proof is requested. */
  lead: string;
  onProof: ProofAction;
}

/** Asks the user to prove their identity again: by code, password, passkey or sign-on, whichever the account has. */
export function ProofStep({ profile, lead, onProof }: ProofStepProps) {
  const text = useText();
  const passkeys = useOwn<{ Items: unknown[] }>('/account/passkey').value?.Items;
  const canType = profile.TwoFactorEnabled || profile.HasPassword;
  return (
    <Step title={text('proof.title')} lead={lead}>
      {(canType || passkeys?.length === 0) && <OwnerProof profile={profile} onProof={onProof} />}
      {passkeys !== undefined && passkeys.length > 0 && canUsePasskeys() && (
        <>
          {canType && <Or />}
          <PasskeyProof onProof={onProof} />
        </>
      )}
    </Step>
  );
}

/** Proves the user's identity with a passkey. */
function PasskeyProof({ onProof }: { onProof: ProofAction }) {
  const text = useText();
  return (
    <PasskeyButton
      label={text('proof.passkey')}
      failed={text('proof.passkey.failed')}
      onPress={() => byPasskey(onProof)}
    />
  );
}

interface AskedPasskey {
  PasskeyToken: string;
  Options: PublicKeyCredentialRequestOptionsJSON;
}

async function byPasskey(onProof: ProofAction): Promise<Problem | undefined> {
  const asked = await call<AskedPasskey>('POST', '/account/passkey/confirmation');
  if (!asked.ok) return asked.problem;
  const { PasskeyToken, Options } = asked.value;
  const Credential = await signWithPasskey(Options);
  return Credential && onProof({ PasskeyToken, Credential });
}

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

interface MailCodeStepProps {
  email: string;
  onCode: (shown: { MailCode: string }) => Promise<Problem | undefined>;
}

/** Asks for the code that was mailed to the present address, before a change of what opens the account. */
export function MailCodeStep({ email, onCode }: MailCodeStepProps) {
  const text = useText();
  return (
    <Step title={text('proof.title')} lead={text('proof.mailCode', { email })}>
      <Form
        submit={text('proof.mailCode.submit')}
        onSubmit={async ({ MailCode = '' }) => {
          const problem = await onCode({ MailCode });
          return problem && atField(problem, { invalid_code: 'MailCode' });
        }}
      >
        <Field name="MailCode" label={text('field.mailCode')} code autocomplete="one-time-code" required />
      </Form>
    </Step>
  );
}
