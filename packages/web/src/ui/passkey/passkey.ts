/** What a browser gives of a passkey; the API reads the rest. */
export interface PasskeyJson {
  id: string;
}

/** Whether this browser knows passkeys, and reads and writes them as JSON. */
export function knowsPasskeys(): boolean {
  return typeof PublicKeyCredential === 'function' && 'parseRequestOptionsFromJSON' in PublicKeyCredential;
}

/** Whether this browser offers passkeys among what it fills in. */
export async function knowsPasskeyAutofill(): Promise<boolean> {
  return (
    knowsPasskeys() &&
    'isConditionalMediationAvailable' in PublicKeyCredential &&
    PublicKeyCredential.isConditionalMediationAvailable()
  );
}

/** Whether the page stands at an IP address, for which browsers make no passkeys. */
export function isAtAddress(host = location.hostname): boolean {
  return /^[\d.]+$/.test(host) || host.startsWith('[');
}

/** Whether passkeys can be used in this browser, at this address. */
export function canUsePasskeys(): boolean {
  return knowsPasskeys() && !isAtAddress();
}

/** Has a passkey sign what the API asks for; nothing where the person, or the browser, does not. */
export async function signWithPasskey(
  options: PublicKeyCredentialRequestOptionsJSON,
  request: Pick<CredentialRequestOptions, 'mediation' | 'signal'> = {},
): Promise<PasskeyJson | undefined> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  return jsonOf(() => navigator.credentials.get({ ...request, publicKey }));
}

/** Has a passkey made as the API asks for it; nothing where the person, or the browser, does not. */
export async function makePasskey(
  options: PublicKeyCredentialCreationOptionsJSON,
): Promise<PasskeyJson | undefined> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
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
