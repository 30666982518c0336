import { useRef } from 'preact/hooks';
import { call, type Problem, type Result } from '../../../ui/api/api.ts';
import { signWithPasskey, type PasskeyJson } from '../../../ui/passkey/passkey.ts';
import { forgetUnknownPasskey } from '../../../ui/passkey/forget-unknown-passkey.ts';
import { continueLogin, type LoginAnswer, type Step } from '../login-answer.ts';

interface Challenge {
  PasskeyToken: string;
  Options: PublicKeyCredentialRequestOptionsJSON;
}

/** The API accepts a signature within five minutes; the user needs part of that time to sign. */
export const FRESH_MS = 4 * 60_000;

/**
 * Signs in with a passkey alone. A challenge is stored until a signature is sent, and shared by autofill and the
 * button, because the API issues only a few challenges per minute to an IP address.
 */
export function usePasskeyLogin(
  { keep, SessionTag }: { keep: boolean; SessionTag: string | undefined },
  onStep: (step: Step) => void,
) {
  const kept = useRef<{ challenge: Challenge; at: number } | undefined>(undefined);
  const isToBeKept = useRef(keep);
  isToBeKept.current = keep;

  const ask = async (): Promise<Result<Challenge>> => {
    if (kept.current !== undefined && Date.now() - kept.current.at < FRESH_MS)
      return { ok: true, value: kept.current.challenge };
    const result = await call<Challenge>('POST', '/account/login/passkey', {});
    if (result.ok) kept.current = { challenge: result.value, at: Date.now() };
    return result;
  };
  const send = async (
    { PasskeyToken, Options }: Challenge,
    Credential: PasskeyJson,
  ): Promise<Problem | undefined> => {
    kept.current = undefined;
    const shown = { PasskeyToken, Credential, SessionTag };
    const body = { ...shown, Delivery: 'Cookie', KeepSignedIn: isToBeKept.current };
    const result = await call<LoginAnswer>('POST', '/account/login', body);
    if (!result.ok) forgetUnknownPasskey(result.problem, Options.rpId, Credential);
    return continueLogin(result, onStep);
  };
  const login = async (): Promise<Problem | undefined> => {
    const asked = await ask();
    if (!asked.ok) return asked.problem;
    const credential = await signWithPasskey(asked.value.Options);
    return credential && send(asked.value, credential);
  };
  return { ask, send, login };
}
