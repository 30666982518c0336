import { call, type Problem } from '../../ui/api/api.ts';
import { useText } from '../../ui/locale/locale.ts';
import { PasskeyButton } from '../../ui/passkey/passkey-button.tsx';
import { signWithPasskey } from '../../ui/passkey/passkey.ts';
import type { ProofAction } from '../security/passkeys/use-passkeys.ts';

/** Proves the user's identity with a passkey. */
export function PasskeyProof({ onProof }: { onProof: ProofAction }) {
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
