/** A passkey that was just created. */
export interface NewPasskey {
  credentialId: Buffer;
  publicKey: Buffer;
  algorithm: number;
  signCount: number;
  transports: string[];
  /** The model of the authenticator, if it reveals it. */
  aaguid: string | undefined;
  isBackupEligible: boolean;
  isBackedUp: boolean;
}

/** The state that an authenticator sends with a signature. */
export interface Assertion {
  signCount: number;
  isBackedUp: boolean;
}

/** A passkey in `allowCredentials` or `excludeCredentials`. */
export interface KnownPasskey {
  credentialId: Buffer;
  transports: readonly string[];
}
