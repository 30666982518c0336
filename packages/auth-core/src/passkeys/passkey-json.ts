/** What WebAuthn calls look like as JSON (WebAuthn Level 3, §5.1.8 to §5.1.10): bytes are base64url. */

/** What a browser gives for `PublicKeyCredential.toJSON()` after an authenticator made a passkey. */
export interface RegistrationJson {
  id: string;
  rawId: string;
  type: string;
  response: { clientDataJSON: string; attestationObject: string; transports?: string[] };
}

/** The same after an authenticator used one. */
export interface AssertionJson {
  id: string;
  rawId: string;
  type: string;
  response: {
    clientDataJSON: string;
    authenticatorData: string;
    signature: string;
    userHandle?: string | null;
  };
}

interface Descriptor {
  type: 'public-key';
  id: string;
  transports: string[];
}

/** What a browser takes to have a passkey made. */
export interface CreationOptionsJson {
  rp: { id: string; name: string };
  user: { id: string; name: string; displayName: string };
  challenge: string;
  pubKeyCredParams: { type: 'public-key'; alg: number }[];
  timeout: number;
  excludeCredentials: Descriptor[];
  authenticatorSelection: { residentKey: 'required'; requireResidentKey: true; userVerification: 'required' };
  attestation: 'none';
}

/** What a browser takes to have one used; without `allowCredentials`, any that the person chooses. */
export interface RequestOptionsJson {
  challenge: string;
  rpId: string;
  timeout: number;
  allowCredentials: Descriptor[];
  userVerification: 'required';
}
