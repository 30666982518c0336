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
  /** What it is asked for. */
  lead: string;
  onProof: ProofAction;
  onCancel: () => void;
}

/** Asks whoever is signed in once more who it is: by a code, the password or a passkey, as far as they have one. */
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

/** For who has none of these: a sign-in of the last five minutes is enough. */
function signInAgain(): string {
  return `${PATHS.login}?${new URLSearchParams({ returnUrl: PATHS.profileData }).toString()}`;
}
