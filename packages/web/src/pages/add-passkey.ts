import { call, type Result } from '../ui/api/api.ts';
import { createPasskey } from '../ui/passkey/passkey.ts';

interface Begun {
  PasskeyToken: string;
  Options: PublicKeyCredentialCreationOptionsJSON;
}

/**
 * Creates a passkey and adds it to the account. `undefined` if the user or the browser cancels.
 *
 * @param proof of the user's identity; empty if the login is recent.
 * @param name as the user will recognize it; if empty, it is named after its authenticator.
 */
export async function addPasskey(
  proof: object,
  name: string,
): Promise<Result<{ RecoveryCodes?: string[] }> | undefined> {
  const begun = await call<Begun>('POST', '/account/passkey/options', proof);
  if (!begun.ok) return begun;
  const { PasskeyToken, Options } = begun.value;
  const Credential = await createPasskey(Options);
  if (Credential === undefined) return undefined;
  return call('POST', '/account/passkey', { PasskeyToken, Credential, ...(name !== '' && { Name: name }) });
}
