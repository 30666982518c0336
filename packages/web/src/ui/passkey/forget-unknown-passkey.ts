import type { Problem } from '../api/api.ts';
import type { PasskeyJson } from './passkey.ts';

/** Tells the browser to delete a passkey, but only if the API says that no account has it: it cannot be restored. */
export function forgetUnknownPasskey(problem: Problem, rpId: string | undefined, { id }: PasskeyJson): void {
  if (!problem.errors.some(({ pointer }) => pointer === '/Credential/id')) return;
  if (!('signalUnknownCredential' in PublicKeyCredential)) return;
  const signal: unknown = PublicKeyCredential.signalUnknownCredential;
  if (typeof signal === 'function') void signal.call(PublicKeyCredential, { rpId, credentialId: id });
}
