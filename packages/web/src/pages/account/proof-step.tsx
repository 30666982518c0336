import { Button } from '../../ui/form/button.tsx';
import { Step } from '../../ui/layout/step.tsx';
import { useText } from '../../ui/locale/locale.ts';
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

/** Asks the user to prove their identity again: by code, password, passkey or sign-on, whichever the account has. */
export function ProofStep({ profile, lead, onProof, onCancel }: ProofStepProps) {
  const text = useText();
  const passkeys = useOwn<{ Items: unknown[] }>('/account/passkey').value?.Items;
  const canType = profile.TwoFactorEnabled || profile.HasPassword;
  return (
    <Step title={text('proof.title')} lead={lead}>
      {(canType || passkeys?.length === 0) && <OwnerProof profile={profile} onProof={onProof} />}
      {passkeys !== undefined && passkeys.length > 0 && <PasskeyProof onProof={onProof} />}
      <div>
        <Button kind="text" onClick={onCancel}>
          {text('proof.cancel')}
        </Button>
      </div>
    </Step>
  );
}
