import { call, type Problem } from '../../../ui/api/api.ts';
import { PasskeyButton } from '../../../ui/passkey/passkey-button.tsx';
import { canUsePasskeys, signWithPasskey } from '../../../ui/passkey/passkey.ts';
import { useConsole } from '../../api/console-context.ts';
import { useAsk } from '../../api/use-ask.ts';
import { useWords } from '../../text.ts';

interface AskedPasskey {
  PasskeyToken: string;
  Options: PublicKeyCredentialRequestOptionsJSON;
}

/** Whether the administrator has a passkey that can be used here. */
export function useOwnPasskey(): boolean {
  const { me } = useConsole();
  const own = useAsk('GET /admin/account/{id}/passkey', { path: { id: me.Account.Id } });
  const options = useAsk('GET /console/options');
  return options.data?.Passkeys === true && own.data?.Items[0] !== undefined && canUsePasskeys();
}

/** Has one's own passkey confirm who it is. */
export function ConfirmByPasskey({ onConfirmed }: { onConfirmed: () => void }) {
  const words = useWords();
  const confirm = async (): Promise<Problem | undefined> => {
    const asked = await call<AskedPasskey>('POST', '/console/session/confirm/passkey');
    if (!asked.ok) return asked.problem;
    const { PasskeyToken, Options } = asked.value;
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
