import { OWN_ARGON2ID } from '@gatehouse/auth-core';
import { databaseSettings } from '@gatehouse/db';
import { brokerSettings } from '@gatehouse/events';
import { secret, setting } from '@gatehouse/runtime';
import { Enum, Optional, Type, type Static, type TObject } from '@gatehouse/schema';
import { redisSettings } from '@gatehouse/redis';

/** The settings that `openAccounts` reads in every service, except its keys. */
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
