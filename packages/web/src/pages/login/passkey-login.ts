import { call, type Problem } from '../../ui/api.ts';
import { signWithPasskey, type PasskeyJson } from '../../ui/passkey.ts';
import { handOn, type LoginAnswer, type Step } from './login-answer.ts';

interface Asked {
  PasskeyToken: string;
  Options: PublicKeyCredentialRequestOptionsJSON;
}

/** Signs in with a passkey alone; nothing where the person gives up. */
export async function loginWithPasskey(
  keep: boolean,
  onStep: (step: Step) => void,
): Promise<Problem | undefined> {
  const asked = await call<Asked>('POST', '/account/login/passkey', {});
  if (!asked.ok) return asked.problem;
  const { PasskeyToken, Options } = asked.value;
  const Credential = await signWithPasskey(Options);
  if (Credential === undefined) return undefined;
  const body = { PasskeyToken, Credential, Delivery: 'Cookie', KeepSignedIn: keep };
  const result = await call<LoginAnswer>('POST', '/account/login', body);
  if (!result.ok) forgetUnknown(result.problem, Options.rpId, Credential);
  return handOn(result, onStep);
}

/** Has the browser forget a passkey that is no account's any more; and no other, which would be lost. */
function forgetUnknown(problem: Problem, rpId: string | undefined, { id }: PasskeyJson): void {
  if (!problem.errors.some(({ pointer }) => pointer === '/Credential/id')) return;
  if (!('signalUnknownCredential' in PublicKeyCredential)) return;
  const signal: unknown = PublicKeyCredential.signalUnknownCredential;
  if (typeof signal === 'function') void signal.call(PublicKeyCredential, { rpId, credentialId: id });
}
