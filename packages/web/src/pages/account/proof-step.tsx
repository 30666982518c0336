import { Button } from '../../ui/form/button.tsx';
import { Step } from '../../ui/layout/step.tsx';
import { useText } from '../../ui/locale/locale.ts';
import { PATHS } from '../paths.ts';
import { OwnerProof } from '../security/owner-proof.tsx';
import type { ProofAction } from '../security/passkeys/use-passkeys.ts';
import { useOwn, type Profile } from './own-account.ts';
import { PasskeyProof } from './passkey-proof.tsx';

interface ProofStepProps {
  profile: Profile;
  /** Why the proof is requested. */
  lead: string;
  onProof: ProofAction;
  onCancel: () => void;
}

/** Asks the user to prove their identity again: by code, password or passkey, whichever the account has. */
export function ProofStep({ profile, lead, onProof, onCancel }: ProofStepProps) {
  const text = useText();
  const passkeys = useOwn<{ Items: unknown[] }>('/account/passkey').value?.Items;
  const canType = profile.TwoFactorEnabled || profile.HasPassword;
  return (
    <Step title={text('proof.title')} lead={lead}>
      {canType && <OwnerProof profile={profile} onProof={onProof} />}
      {passkeys !== undefined && passkeys.length > 0 && <PasskeyProof onProof={onProof} />}
      {!canType && passkeys?.length === 0 && (
        <p>
          {text('proof.signIn')} <a href={signInAgain()}>{text('proof.signIn.way')}</a>
        </p>
      )}
      <div>
        <Button kind="text" onClick={onCancel}>
          {text('proof.cancel')}
        </Button>
      </div>
    </Step>
  );
}

/** For accounts that have none of these: a sign-in in the last five minutes is sufficient. */
function signInAgain(): string {
  return `${PATHS.login}?${new URLSearchParams({ returnUrl: PATHS.profileData }).toString()}`;
}
