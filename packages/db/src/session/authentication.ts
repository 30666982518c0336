/** `sign-on`: to a provider, with `second-factor` if trusted with it. `mail-code`: mailed, or by an invitation. */
export type AuthenticationMethod = FirstFactor | 'second-factor' | 'passkey' | 'sign-on';

export type FirstFactor = 'password' | 'mail-code';

export interface Authentication {
  by: readonly AuthenticationMethod[];
  /** How long ago it was; `undefined` if the identity provider did not say. */
  ageSeconds: number | undefined;
  passkeyId?: string | undefined;
}

export const BY_MAIL_CODE: Authentication = { by: ['mail-code'], ageSeconds: 0 };

export const BY_PASSWORD: Authentication = { by: ['password'], ageSeconds: 0 };
