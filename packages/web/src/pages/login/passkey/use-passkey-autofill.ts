import { useEffect, useRef, useState } from 'preact/hooks';
import type { Problem } from '../../../ui/api/api.ts';
import { supportsPasskeyAutofill, signWithPasskey } from '../../../ui/passkey/passkey.ts';
import { FRESH_MS, type usePasskeyLogin } from './use-passkey-login.ts';

/**
 * Lets the browser offer passkeys in its autofill when the email field has the focus. If they cannot be offered, no
 * error is shown, because the user did not request them.
 *
 * @param isOn whether the installation accepts passkeys.
 */
export function usePasskeyAutofill(
  { ask, send }: Pick<ReturnType<typeof usePasskeyLogin>, 'ask' | 'send'>,
  isOn: boolean,
) {
  const [problem, setProblem] = useState<Problem>();
  const wait = useRef<{ control: AbortController; since: number } | undefined>(undefined);
  const isRefused = useRef(false);

  const offer = async (signal: AbortSignal): Promise<void> => {
    if (!(await supportsPasskeyAutofill())) return;
    const asked = await ask();
    isRefused.current = !asked.ok;
    if (!asked.ok || signal.aborted) return;
    const credential = await signWithPasskey(asked.value.Options, { mediation: 'conditional', signal });
    if (credential !== undefined && !signal.aborted) setProblem(await send(asked.value, credential));
  };
  /** Stops the offer, because another passkey request or another way to sign in replaces it. */
  const stop = (): void => {
    wait.current?.control.abort();
    wait.current = undefined;
    setProblem(undefined);
  };
  const start = async (): Promise<void> => {
    const isWaiting = wait.current !== undefined && Date.now() - wait.current.since < FRESH_MS;
    if (!isOn || isWaiting || isRefused.current) return;
    wait.current?.control.abort();
    const own = { control: new AbortController(), since: Date.now() };
    wait.current = own;
    await offer(own.control.signal);
    if (wait.current === own) wait.current = undefined;
  };
  useEffect(() => {
    // The user may have focused the field before the script ran or the options were loaded.
    if (document.activeElement?.matches('input[autocomplete~=webauthn]')) void start();
    return () => wait.current?.control.abort();
  }, [isOn]);
  return { problem, start, stop };
}
