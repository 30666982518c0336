import { optionalSecret, secret } from '@gatehouse/runtime';
import { Optional, type Static, type TObject } from '@gatehouse/schema';
import type { accountSettings } from './account-settings.ts';

/** The keys of a service that issues tokens: Core and Admin. */
export function issuingSettings() {
  return {
    SIGNING_KEYS: optionalSecret('The private JWK set as JSON, where there is no SIGNING_KEYS_FILE'),
    SIGNING_KEYS_FILE: Optional.String({
      description: 'The file with the private JWK set; it is read again while running',
    }),
    TOKEN_SECRET: secret('Authenticates refresh tokens, static API tokens and cached sessions'),
  };
}

/** The keys of a service that verifies tokens but issues none: Portal. */
export function verifyingSettings() {
  return {
    VERIFICATION_KEYS: Optional.String({
      minLength: 1,
      description: 'The public JWK set as JSON, where there is no VERIFICATION_KEYS_FILE',
    }),
    VERIFICATION_KEYS_FILE: Optional.String({
      description: 'The file with the public JWK set; it is read again while running',
    }),
    PORTAL_SECRET: secret('Portal’s share of TOKEN_SECRET'),
  };
}

/** The keys of a service that issues ID tokens: Core. */
export function idTokenSettings() {
  return {
    ID_TOKEN_KEYS: optionalSecret(
      'The private JWK set of ID tokens as JSON, where there is no ID_TOKEN_KEYS_FILE',
    ),
    ID_TOKEN_KEYS_FILE: Optional.String({
      description: 'The file with the private JWK set of ID tokens; it is read again while running',
    }),
  };
}

/** The key of a service that checks second factors: Core and Admin. */
export function twoFactorSettings() {
  return {
    TWO_FACTOR_KEY: secret(
      'Encrypts the secrets of authenticator apps; without it nobody’s second factor works',
    ),
  };
}

type AllKeys = Static<
  TObject<
    ReturnType<typeof issuingSettings> &
      ReturnType<typeof verifyingSettings> &
      ReturnType<typeof twoFactorSettings> &
      ReturnType<typeof idTokenSettings>
  >
>;

/** The keys that a service is given; none has all of them (docs/least-privilege.md). */
export type KeySettings = { readonly [Name in keyof AllKeys]?: AllKeys[Name] | undefined };

/** The settings that `openAccounts` reads. */
export type ServiceSettings = Readonly<Static<TObject<ReturnType<typeof accountSettings>>>> & KeySettings;
