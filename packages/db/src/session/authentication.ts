/**
 * How an owner proves who they are. `sign-on`: to an identity provider, which also counts as `second-factor` if the
 * provider is trusted with it. `mail-code`: with a code that was mailed to them, or by accepting an invitation.
 */
export type AuthenticationMethod = FirstFactor | 'second-factor' | 'passkey' | 'sign-on';

/** What a second factor can be added to. */
export type FirstFactor = 'password' | 'mail-code';

export interface Authentication {
  by: readonly AuthenticationMethod[];
  /** How long ago it was; `undefined` if the identity provider did not say. */
  ageSeconds: number | undefined;
  passkeyId?: string | undefined;
}

export const BY_MAIL_CODE: Authentication = { by: ['mail-code'], ageSeconds: 0 };

export const BY_PASSWORD: Authentication = { by: ['password'], ageSeconds: 0 };
