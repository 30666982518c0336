import { Or } from '../../ui/layout/or.tsx';
import { Step } from '../../ui/layout/step.tsx';
import { useText } from '../../ui/locale/locale.ts';
import { OwnerProof } from '../security/owner-proof.tsx';
import type { ProofAction } from '../security/passkeys/use-passkeys.ts';
import { useOwn, type Profile } from './own-account.ts';
import { call, type Problem } from '../../ui/api/api.ts';
import { PasskeyButton } from '../../ui/passkey/passkey-button.tsx';
import { canUsePasskeys, signWithPasskey } from '../../ui/passkey/passkey.ts';

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
