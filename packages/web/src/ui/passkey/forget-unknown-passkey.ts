import type { Problem } from '../api/api.ts';
import type { PasskeyJson } from './passkey.ts';

/** Has the browser forget a passkey that is no account's any more; and no other, which would be lost. */
export function forgetUnknownPasskey(problem: Problem, rpId: string | undefined, { id }: PasskeyJson): void {
  if (!problem.errors.some(({ pointer }) => pointer === '/Credential/id')) return;
  if (!('signalUnknownCredential' in PublicKeyCredential)) return;
  const signal: unknown = PublicKeyCredential.signalUnknownCredential;
  if (typeof signal === 'function') void signal.call(PublicKeyCredential, { rpId, credentialId: id });
}
