/**
 * How an owner proves who they are. `sign-on`: to an identity provider, which also counts as `second-factor` if the
 * provider is trusted with it.
 */
export type AuthenticationMethod = 'password' | 'second-factor' | 'passkey' | 'sign-on';

/** The authentication that opens a session. */
export interface Authentication {
  by: readonly AuthenticationMethod[];
  /** How long ago it was; `undefined` if the identity provider did not say. */
  ageSeconds: number | undefined;
  passkeyId?: string | undefined;
}

/** A login by password alone. */
export const BY_PASSWORD: Authentication = { by: ['password'], ageSeconds: 0 };
