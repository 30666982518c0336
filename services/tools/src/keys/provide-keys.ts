import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { newIdTokenKeys, newKey, parseJwks, portalSecretOf, withoutPrivate } from '@gatehouse/auth-core';
import { hookPublicKeyOf, mailPublicKeyOf, readConfig, secret } from '@gatehouse/runtime';
import { Type } from '@gatehouse/schema';
import { createKeysFile, replaceFile, replaceKeysFile } from './keys-file.ts';

/** Derives secrets from `TOKEN_SECRET`, `MAIL_KEY` and `HOOK_KEY` for services that must not have these. */
export const derivedSecrets = {
  'portal-secret': (environment?: NodeJS.ProcessEnv) => portalSecretOf(read('TOKEN_SECRET', environment)),
  'mail-public-key': (environment?: NodeJS.ProcessEnv) => mailPublicKeyOf(read('MAIL_KEY', environment)),
  'hook-public-key': (environment?: NodeJS.ProcessEnv) => hookPublicKeyOf(read('HOOK_KEY', environment)),
};

const SIGNING_KEYS = 'signing-keys.json';
const VERIFICATION_KEYS = 'verification-keys.json';
const ID_TOKEN_KEYS = 'id-token-keys.json';

/**
 * Writes the keys for a deployment. `issuing`, for Core and Admin: the signing keys, created once, and the mail public
 * key. `portal`: the public key set, Portal’s secret and the mail public key. `core`: the keys of ID tokens. Existing
 * signing keys are kept; everything else is updated. Returns the files with signing keys.
 */
export function provideKeys(
  { issuing, portal, core }: Record<'issuing' | 'portal' | 'core', string>,
  environment: NodeJS.ProcessEnv | undefined,
  nowSeconds: number,
): string[] {
  const signingKeys = join(issuing, SIGNING_KEYS);
  if (!existsSync(signingKeys)) createKeysFile(signingKeys, [newKey(nowSeconds, nowSeconds)]);
  const idTokenKeys = join(core, ID_TOKEN_KEYS);
  if (!existsSync(idTokenKeys)) createKeysFile(idTokenKeys, newIdTokenKeys(nowSeconds, nowSeconds));
  publishKeys(signingKeys, join(portal, VERIFICATION_KEYS));
  const mailPublicKey = derivedSecrets['mail-public-key'](environment);
  replaceFile(join(issuing, 'mail-public-key'), mailPublicKey);
  replaceFile(join(portal, 'mail-public-key'), mailPublicKey);
  replaceFile(join(portal, 'portal-secret'), derivedSecrets['portal-secret'](environment));
  return [signingKeys, idTokenKeys];
}

/** Writes the public half of a key set for verifiers. */
export function publishKeys(file: string, publicFile: string): void {
  replaceKeysFile(publicFile, withoutPrivate(parseJwks(readFileSync(file, 'utf8'))));
}

/** The file to which `rotate` writes the public half of a set: `signing-keys.public.json` for `signing-keys.json`. */
export function publicKeysFileOf(file: string): string {
  return `${file.replace(/\.json$/, '')}.public.json`;
}

function read(name: 'TOKEN_SECRET' | 'MAIL_KEY' | 'HOOK_KEY', environment?: NodeJS.ProcessEnv): string {
  const values = readConfig(Type.Object({ [name]: secret('as the services have it') }), environment);
  return String(values[name]);
}
