import { call, type Problem } from '../../../ui/api/api.ts';
import { PasskeyButton } from '../../../ui/passkey/passkey-button.tsx';
import { canUsePasskeys, signWithPasskey } from '../../../ui/passkey/passkey.ts';
import { useConsole } from '../../api/console-context.ts';
import { useQuery } from '../../api/use-query.ts';
import { useWords } from '../../text.ts';

interface PasskeyChallenge {
  PasskeyToken: string;
  Options: PublicKeyCredentialRequestOptionsJSON;
}

/** Whether the administrator has a passkey that can be used here. */
export function useOwnPasskey(): boolean {
  const { me } = useConsole();
  const own = useQuery('GET /admin/account/{id}/passkey', { path: { id: me.Account.Id } });
  const options = useQuery('GET /console/options');
  return options.data?.Passkeys === true && own.data?.Items[0] !== undefined && canUsePasskeys();
}

/** Confirms the administrator's identity with one of their passkeys. */
export function ConfirmByPasskey({ onConfirmed }: { onConfirmed: () => void }) {
  const words = useWords();
  const confirm = async (): Promise<Problem | undefined> => {
    const challenge = await call<PasskeyChallenge>('POST', '/console/session/confirm/passkey');
    if (!challenge.ok) return challenge.problem;
    const { PasskeyToken, Options } = challenge.value;
    const Credential = await signWithPasskey(Options);
    if (Credential === undefined) return undefined;
    const result = await call('POST', '/console/session/confirm', { PasskeyToken, Credential });
    if (!result.ok) return result.problem;
    onConfirmed();
    return undefined;
  };
  return (
    <PasskeyButton
      label={words('confirm.passkey.submit')}
      failed={words('confirm.passkey.failed')}
      onPress={confirm}
    />
  );
}
