import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { portalSecretOf, publicKeySetOf } from '@gatehouse/auth-core';
import type { ServiceName } from '@gatehouse/db';
import { hookPublicKeyOf, mailPublicKeyOf, readConfig, secret } from '@gatehouse/runtime';
import { Type } from '@gatehouse/schema';
import { makeFolder, replaceFile } from '../servers/home.ts';
import { SERVICE_NAMES, SERVICE_PARTS } from './parts.ts';

export type Secrets = ReturnType<typeof openSecrets>;

/** Each in a file for its owner alone, made on first use. Hexadecimal: URLs and configurations need no escaping. */
export function openSecrets(folder: string) {
  makeFolder(folder, 0o700);
  /** The path of the file with this name, without creating it. */
  const path = (name: string): string => join(folder, name);
  const keep = (name: string, value: string): string => replaceFile(path(name), value);
  /** The path of the file, for settings that accept one (`NAME_FILE`). */
  const file = (name: string, bytes = 32): string =>
    existsSync(path(name)) ? path(name) : keep(name, randomBytes(bytes).toString('hex'));
  const value = (name: string, bytes?: number): string => readFileSync(file(name, bytes), 'utf8').trim();
  return { path, file, keep, value };
}

const SECRETS = new Set<string>(SERVICE_NAMES.flatMap((name) => [...SERVICE_PARTS[name].secrets]));

export function withoutForeignSecrets(service: ServiceName, given: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const used: readonly string[] = SERVICE_PARTS[service].secrets;
  const isForeign = (name: string): boolean => SECRETS.has(name) && !used.includes(name);
  return Object.fromEntries(Object.entries(given).filter(([name]) => !isForeign(name.replace(/_FILE$/, ''))));
}

export const SIGNING_KEYS = 'signing-keys.json';
export const ID_TOKEN_KEYS = 'id-token-keys.json';

/** The files of secrets that are generated, by their settings. */
const GENERATED = {
  PASSWORD_PEPPER: 'password-pepper',
  TWO_FACTOR_KEY: 'two-factor-key',
  TOKEN_SECRET: 'token-secret',
  MAIL_KEY: 'mail-key',
  HOOK_KEY: 'hook-key',
};
/** The files of derived secrets. `keys rotate` expects the public key set under this name. */
const DERIVED = {
  VERIFICATION_KEYS: 'signing-keys.public.json',
  PORTAL_SECRET: 'portal-secret',
  MAIL_PUBLIC_KEY: 'mail-public-key',
  HOOK_PUBLIC_KEY: 'hook-public-key',
};

/** The defaults of a local stack: a file for each secret. */
export function secretFiles(secrets: Secrets): Record<string, string> {
  return { ...roots(secrets), ...named({ ID_TOKEN_KEYS, ...DERIVED }, secrets.path) };
}

/** The secrets that the others are derived from. */
function roots(secrets: Secrets): Record<string, string> {
  return { ...named(GENERATED, secrets.file), ...named({ SIGNING_KEYS }, secrets.path) };
}

function named(files: Record<string, string>, path: (name: string) => string): Record<string, string> {
  return Object.fromEntries(Object.entries(files).map(([setting, name]) => [`${setting}_FILE`, path(name)]));
}

/** For services that must not know the originals. Returns the keys that the first data is written with. */
export function deriveSecrets(settings: NodeJS.ProcessEnv, secrets: Secrets) {
  const config = readConfig(RootSecrets, environment(settings, roots(secrets), {}));
  const mailPublicKey = mailPublicKeyOf(config.MAIL_KEY);
  secrets.keep(DERIVED.VERIFICATION_KEYS, publicKeySetOf(config.SIGNING_KEYS));
  secrets.keep(DERIVED.PORTAL_SECRET, portalSecretOf(config.TOKEN_SECRET));
  secrets.keep(DERIVED.HOOK_PUBLIC_KEY, hookPublicKeyOf(config.HOOK_KEY));
  secrets.keep(DERIVED.MAIL_PUBLIC_KEY, mailPublicKey);
  return { mailPublicKey, pepper: config.PASSWORD_PEPPER, twoFactorKey: config.TWO_FACTOR_KEY };
}

const RootSecrets = Type.Object({
  PASSWORD_PEPPER: secret('as the services have it'),
  TWO_FACTOR_KEY: secret('as the services have it'),
  TOKEN_SECRET: secret('as the services have it'),
  MAIL_KEY: secret('as the mail worker has it'),
  HOOK_KEY: secret('as the hook worker has it'),
  SIGNING_KEYS: Type.String(),
});

/** Later settings override earlier ones. `NAME` and `NAME_FILE` are one setting: that which wins removes the other. */
export function environment(
  settings: NodeJS.ProcessEnv,
  standard: Record<string, string>,
  fixed: Record<string, string>,
): NodeJS.ProcessEnv {
  const result = new Map<string, string>();
  for (const layer of [standard, settings, fixed]) {
    for (const [name, value] of Object.entries(layer)) {
      if (value === undefined || value === '') continue;
      result.delete(name.endsWith('_FILE') ? name.slice(0, -'_FILE'.length) : `${name}_FILE`);
      result.set(name, value);
    }
  }
  return Object.fromEntries(result);
}
