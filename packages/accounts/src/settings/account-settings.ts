import { OWN_ARGON2ID } from '@gatehouse/auth-core';
import { databaseSettings } from '@gatehouse/db';
import { brokerSettings } from '@gatehouse/events';
import { optionalSecret, secret, setting } from '@gatehouse/runtime';
import { Enum, Optional, Type, type Static, type TObject } from '@gatehouse/schema';
import { redisSettings } from '@gatehouse/redis';

export function accountSettings() {
  return {
    ...databaseSettings(),
    ...redisSettings(),
    ...brokerSettings(),
    ...tokenSettings(),
    ...passwordSettings(),
    MAIL_PUBLIC_KEY: Type.String({
      pattern: /^[A-Za-z0-9_-]{43}$/.source,
      description: 'Seals what mails carry for the mail worker: the public half of its MAIL_KEY',
    }),
    ...ruleSettings(),
  };
}

export type AccountSettings = Readonly<Static<TObject<ReturnType<typeof ruleSettings>>>>;

function tokenSettings() {
  return {
    ISSUER: Type.String({
      format: 'uri',
      pattern: /^https?:\/\//.source,
      description: 'The public base URL, which access tokens name as their issuer',
    }),
    AUDIENCE: setting('gatehouse', 'The audience of access tokens'),
    TOKEN_LEEWAY_SECONDS: seconds(60, 'Clock difference that is tolerated for the issue time of tokens'),
  };
}

function passwordSettings() {
  const { memoryKib, passes } = OWN_ARGON2ID;
  return {
    PASSWORD_PEPPER: secret('The key of password hashes; it cannot be changed later'),
    PASSWORD_HASH: Enum(['bcrypt', 'argon2id'], {
      default: 'bcrypt',
      description: 'How new passwords are hashed; other hashes are renewed at the next login',
    }),
    BCRYPT_COST: count(10, 4, 14, 'The cost of a password hash by bcrypt; one more doubles it'),
    ARGON2_MEMORY_KIB: count(
      19_456,
      memoryKib.min,
      memoryKib.max,
      'The memory of a password hash by argon2id',
    ),
    ARGON2_PASSES: count(2, passes.min, passes.max, 'The passes of argon2id over its memory'),
    HASH_THREADS: count(0, 0, 64, 'Threads that hash passwords; 0 for as many as there are cores'),
  };
}

function ruleSettings() {
  return {
    ACCESS_TOKEN_SECONDS: count(3600, 1, 86_400, 'How long an access token lives, in seconds'),
    SESSION_IDLE_SECONDS: seconds(7200, 'How long a session lives without a ping or a refresh', 1),
    SESSION_MAX_SECONDS: seconds(2_592_000, 'How long a session lives after login at most', 1),
    GRANT_IDLE_SECONDS: seconds(2_592_000, 'How long a sign-in without a session lives without a refresh', 1),
    GRANT_MAX_SECONDS: seconds(31_536_000, 'How long a sign-in without a session lives at most', 1),
    REFRESH_GRACE_SECONDS: seconds(30, 'How long an overtaken refresh token still works'),
    ONLINE_WINDOW_SECONDS: seconds(90, 'How long after a ping a session counts as online', 1),
    SINGLE_SESSION: setting(true, 'Whether a login ends the account’s earlier sessions'),
    SESSION_SLOTS: Optional.String({
      maxLength: 1000,
      description:
        'How many sessions of each tag an account may have, such as web:1,mobile:1; unset for one in all',
    }),
    SESSION_LIMIT: Enum(['replace', 'refuse'], {
      default: 'replace',
      description: 'Whether a login that finds every slot taken replaces a session or is refused first',
    }),
    PASSWORD_MIN_LENGTH: count(8, 1, 256, 'The fewest characters of a password'),
    IMPORT_EVEN_TIME: setting(false, 'Whether wrong passwords take as long as the slowest imported hash'),
    LOGIN_FAILURES_FREE: count(10, 0, 1000, 'Failed logins of an account before it has to wait'),
    EMAIL_LOGIN: Enum(['off', 'guests', 'users'], {
      default: 'off',
      description: 'Who may log in with a mailed code: nobody, guests, or guests and users',
    }),
    DISCLOSE_PENDING_ACCOUNTS: setting(true, 'Whether a login reveals that an account has no password yet'),
    TWO_FACTOR_ISSUER: Type.String({
      default: 'Gatehouse',
      // In the label of the authenticator app, a colon would end the issuer.
      pattern: /^[^:]{1,64}$/.source,
      description: 'The name under which authenticator apps show an account',
    }),
    MAILS_PER_ADDRESS: count(100, 1, 1_000_000, 'Mails that callers from one address may cause in an hour'),
    MAILS_PER_HOUR: count(5, 1, 1000, 'Mails of one kind that one account gets in an hour'),
    ERASE_AFTER_DAYS: count(14, 0, 366, 'Days in which an erasure can be cancelled; 0 for none'),
    GUEST_WITHOUT_CONTENT: Enum(['expire', 'remove'], {
      default: 'expire',
      description: 'What happens to guests without content',
    }),
  };
}

function seconds(standard: number, description: string, minimum = 0) {
  return count(standard, minimum, 2 ** 31, description);
}

function count(standard: number, minimum: number, maximum: number, description: string) {
  return Type.Integer({ default: standard, minimum, maximum, description });
}

/** The URL of the account pages, for services that serve these pages or send browsers there. */
export function pagesSettings() {
  return {
    PUBLIC_URL: Type.Optional(browserAddress('Where browsers reach the account pages; ISSUER by default')),
  };
}

/** The URL of Admin for administrators' browsers, for the services that serve them: Core and Admin. */
export function consoleSettings() {
  return {
    ADMIN_URL: Type.Optional(
      browserAddress('Where browsers reach Admin: identity providers send them back to it'),
    ),
  };
}

function browserAddress(description: string) {
  return Type.String({ format: 'uri', pattern: /^https?:\/\/[^?#]+$/.source, description });
}

/** Which passkeys are accepted, for services that log people in: Core and Admin. */
export function passkeySettings() {
  return {
    PASSKEY_RP_ID: Optional.String({
      description: 'The domain of passkeys; the host of PUBLIC_URL by default',
    }),
    PASSKEY_ORIGINS: setting(
      '',
      'Origins, with commas, where passkeys may be used; those of PUBLIC_URL and ADMIN_URL by default',
    ),
  };
}

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

export type ServiceSettings = Readonly<Static<TObject<ReturnType<typeof accountSettings>>>> & KeySettings;
