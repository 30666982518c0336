import type { PasskeyChallenge, PasskeyCreationOptions, PasskeyRequestOptions } from 'gatehouse-client';
import type { Problem, Result } from '../ui/api.ts';

/** The fields of a credential that pages use; the API reads the others. */
export interface PasskeyJson {
  id: string;
}

/** Whether this browser supports passkeys and their JSON format. */
export function supportsPasskeys(): boolean {
  return typeof PublicKeyCredential === 'function' && 'parseRequestOptionsFromJSON' in PublicKeyCredential;
}

export async function supportsPasskeyAutofill(): Promise<boolean> {
  return (
    supportsPasskeys() &&
    'isConditionalMediationAvailable' in PublicKeyCredential &&
    PublicKeyCredential.isConditionalMediationAvailable()
  );
}

/** Whether the page is at an IP address, for which browsers create no passkeys. */
export function isAtAddress(host = location.hostname): boolean {
  return /^[\d.]+$/.test(host) || host.startsWith('[');
}

export function canUsePasskeys(): boolean {
  return supportsPasskeys() && !isAtAddress();
}

/** Signs the API's challenge with a passkey. Returns `undefined` if the user or the browser refuses. */
export async function signWithPasskey(
  options: Pick<PasskeyRequestOptions, 'challenge'>,
  request: Pick<CredentialRequestOptions, 'mediation' | 'signal'> = {},
): Promise<PasskeyJson | undefined> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  return jsonOf(() => navigator.credentials.get({ ...request, publicKey }));
}

/** Signs a challenge of the API, and sends that. Returns the error; none also if the user or the browser refuses. */
export async function answerChallenge(
  asked: Promise<Result<PasskeyChallenge>>,
  send: (
    signed: { PasskeyToken: string; Credential: PasskeyJson },
    rpId: string,
  ) => Promise<Problem | undefined>,
): Promise<Problem | undefined> {
  const result = await asked;
  if (!result.ok) return result.problem;
  const { PasskeyToken, Options } = result.value;
  const Credential = await signWithPasskey(Options);
  return Credential && send({ PasskeyToken, Credential }, Options.rpId);
}

/** Creates a passkey with the API's options. Returns `undefined` if the user or the browser refuses. */
export async function createPasskey(options: PasskeyCreationOptions) {
  // The browser's type of the options has mutable arrays, but browsers do not modify them.
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as PublicKeyCredentialCreationOptionsJSON,
  );
  return jsonOf(() => navigator.credentials.create({ publicKey }));
}

async function jsonOf(ask: () => Promise<Credential | null>): Promise<PasskeyJson | undefined> {
  try {
    const credential = await ask();
    return credential instanceof PublicKeyCredential ? credential.toJSON() : undefined;
  } catch {
    // Refused, cancelled or timed out: browsers do not say which, so that pages cannot learn which passkeys exist.
    return undefined;
  }
}

/** Tells the browser to delete a passkey, but only if the API says that no account has it: it cannot be restored. */
export function forgetUnknownPasskey(problem: Problem, rpId: string, { id }: PasskeyJson): void {
  if (!problem.errors.some(({ pointer }) => pointer === '/Credential/id')) return;
  if (!('signalUnknownCredential' in PublicKeyCredential)) return;
  const signal: unknown = PublicKeyCredential.signalUnknownCredential;
  if (typeof signal === 'function') void signal.call(PublicKeyCredential, { rpId, credentialId: id });
}
