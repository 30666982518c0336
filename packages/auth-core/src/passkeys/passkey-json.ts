/** The JSON of WebAuthn calls (WebAuthn Level 3, §5.1.8 to §5.1.10); bytes are base64url. */

/** The result of `PublicKeyCredential.toJSON()` after an authenticator created a passkey. */
export interface RegistrationJson {
  id: string;
  rawId: string;
  type: string;
  response: { clientDataJSON: string; attestationObject: string; transports?: string[] };
}

/** The result of `PublicKeyCredential.toJSON()` after an authenticator used a passkey. */
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

/** The browser's options for creating a passkey. */
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

/** The browser's options for using a passkey; without `allowCredentials` the user may choose any. */
export interface RequestOptionsJson {
  challenge: string;
  rpId: string;
  timeout: number;
  allowCredentials: Descriptor[];
  userVerification: 'required';
}
