/** A passkey as it was made. */
export interface NewPasskey {
  credentialId: Buffer;
  publicKey: Buffer;
  algorithm: number;
  signCount: number;
  transports: string[];
  /** The kind of authenticator, where it tells. */
  aaguid: string | undefined;
  isBackupEligible: boolean;
  isBackedUp: boolean;
}

/** What an authenticator says with a signature. */
export interface Assertion {
  signCount: number;
  isBackedUp: boolean;
}

/** A passkey in `allowCredentials` or `excludeCredentials`. */
export interface KnownPasskey {
  credentialId: Buffer;
  transports: readonly string[];
}
