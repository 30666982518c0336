import { readFileSync } from 'node:fs';
import { portalSecretOf, publicKeySetOf } from '@gatehouse/auth-core';
import type { ServiceName } from '@gatehouse/db';
import { hookPublicKeyOf, mailPublicKeyOf, readConfig, secret } from '@gatehouse/runtime';
import { Type } from '@gatehouse/schema';
import { environment } from './environment.ts';
import type { Secrets } from './secrets.ts';

/** The secret settings that each service uses. It gets no others. */
const USED: Record<ServiceName, string[]> = {
  core: [
    'REDIS_URL',
    'SIGNING_KEYS',
    'ID_TOKEN_KEYS',
    'TOKEN_SECRET',
    'PASSWORD_PEPPER',
    'TWO_FACTOR_KEY',
    'MAIL_PUBLIC_KEY',
  ],
  portal: ['REDIS_URL', 'VERIFICATION_KEYS', 'PORTAL_SECRET', 'PASSWORD_PEPPER', 'MAIL_PUBLIC_KEY'],
  admin: [
    'REDIS_URL',
    'SIGNING_KEYS',
    'TOKEN_SECRET',
    'PASSWORD_PEPPER',
    'TWO_FACTOR_KEY',
    'MAIL_PUBLIC_KEY',
    'HOOK_PUBLIC_KEY',
    'FIRST_ADMIN_PASSWORD',
    'SSO_PROVIDERS',
  ],
  'mail-worker': ['MAIL_KEY', 'SMTP_URL'],
  'hook-worker': ['HOOK_KEY'],
};
const SECRETS = new Set(Object.values(USED).flat());

/** Removes the secrets that this service does not use from the environment. */
export function withoutForeignSecrets(service: ServiceName, given: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const isForeign = (name: string): boolean => SECRETS.has(name) && !USED[service].includes(name);
  return Object.fromEntries(Object.entries(given).filter(([name]) => !isForeign(name.replace(/_FILE$/, ''))));
}

export const SIGNING_KEYS = 'signing-keys.json';
export const ID_TOKEN_KEYS = 'id-token-keys.json';

/** The defaults of a local stack: a file for each secret. */
export function secretFiles(secrets: Secrets): Record<string, string> {
  return {
    ...roots(secrets),
    PASSWORD_PEPPER_FILE: secrets.file('password-pepper'),
    TWO_FACTOR_KEY_FILE: secrets.file('two-factor-key'),
    ID_TOKEN_KEYS_FILE: secrets.path(ID_TOKEN_KEYS),
    VERIFICATION_KEYS_FILE: secrets.path(DERIVED.VERIFICATION_KEYS),
    PORTAL_SECRET_FILE: secrets.path(DERIVED.PORTAL_SECRET),
    MAIL_PUBLIC_KEY_FILE: secrets.path(DERIVED.MAIL_PUBLIC_KEY),
    HOOK_PUBLIC_KEY_FILE: secrets.path(DERIVED.HOOK_PUBLIC_KEY),
  };
}

/**
 * Writes the secrets that are derived from others (from the caller or the stack), for services that must not know the
 * originals. Returns the key that seals mails.
 */
export function deriveSecrets(settings: NodeJS.ProcessEnv, secrets: Secrets): string {
  const {
    TOKEN_SECRET,
    MAIL_KEY,
    HOOK_KEY,
    SIGNING_KEYS: json,
    SIGNING_KEYS_FILE,
  } = readConfig(
    Type.Object({
      TOKEN_SECRET: secret('as the services have it'),
      MAIL_KEY: secret('as the mail worker has it'),
      HOOK_KEY: secret('as the hook worker has it'),
      SIGNING_KEYS: Type.Optional(Type.String()),
      SIGNING_KEYS_FILE: Type.Optional(Type.String()),
    }),
    environment(settings, roots(secrets), {}),
  );
  const signingKeys = json ?? readFileSync(SIGNING_KEYS_FILE ?? '', 'utf8');
  secrets.keep(DERIVED.VERIFICATION_KEYS, publicKeySetOf(signingKeys));
  secrets.keep(DERIVED.PORTAL_SECRET, portalSecretOf(TOKEN_SECRET));
  secrets.keep(DERIVED.HOOK_PUBLIC_KEY, hookPublicKeyOf(HOOK_KEY));
  const mailPublicKey = mailPublicKeyOf(MAIL_KEY);
  secrets.keep(DERIVED.MAIL_PUBLIC_KEY, mailPublicKey);
  return mailPublicKey;
}

/** File names of derived secrets. `keys rotate` expects the public key set under this name. */
const DERIVED = {
  VERIFICATION_KEYS: 'signing-keys.public.json',
  PORTAL_SECRET: 'portal-secret',
  MAIL_PUBLIC_KEY: 'mail-public-key',
  HOOK_PUBLIC_KEY: 'hook-public-key',
};

function roots(secrets: Secrets): Record<string, string> {
  return {
    TOKEN_SECRET_FILE: secrets.file('token-secret'),
    MAIL_KEY_FILE: secrets.file('mail-key'),
    HOOK_KEY_FILE: secrets.file('hook-key'),
    SIGNING_KEYS_FILE: secrets.path(SIGNING_KEYS),
  };
}
