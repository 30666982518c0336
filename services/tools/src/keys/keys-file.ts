import { randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { newIdTokenKeys, newKey, parseJwks, portalSecretOf, withoutPrivate } from '@gatehouse/auth-core';
import type { DatedJwk } from '@gatehouse/auth-core';
import { hookPublicKeyOf, mailPublicKeyOf, readConfig, secret } from '@gatehouse/runtime';
import { Type } from '@gatehouse/schema';

/** Writes a new key set that only its owner can read. Refuses to overwrite a file. */
export function createKeysFile(file: string, keys: readonly DatedJwk[]): void {
  writeDurably(file, textOf(keys), () => {});
}

export function replaceKeysFile(file: string, keys: readonly DatedJwk[]): void {
  replaceFile(file, textOf(keys));
}

/**
 * Replaces a file atomically, so that a process that reads it again gets the old or the new content, but never half of
 * it. Mode and owner do not change, because a set that root rotates must remain readable by the service. A new file is
 * readable only by its owner.
 */
export function replaceFile(file: string, text: string): void {
  const target = existsSync(file) ? realpathSync(file) : file;
  const former = existsSync(target) ? statSync(target) : undefined;
  const temporary = `${target}.${randomUUID()}.unfinished`;
  try {
    writeDurably(temporary, text, (descriptor) => {
      if (former === undefined) return;
      const own = process.getuid?.() === former.uid && process.getgid?.() === former.gid;
      if (!own) fchownSync(descriptor, former.uid, former.gid);
      fchmodSync(descriptor, former.mode & 0o777);
    });
    renameSync(temporary, target);
  } finally {
    rmSync(temporary, { force: true });
  }
}

function textOf(keys: readonly DatedJwk[]): string {
  return `${JSON.stringify({ keys }, null, 2)}\n`;
}

function writeDurably(file: string, text: string, prepare: (descriptor: number) => void): void {
  const descriptor = openSync(file, 'wx', 0o600);
  try {
    prepare(descriptor);
    writeFileSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Derives secrets from `TOKEN_SECRET`, `MAIL_KEY` and `HOOK_KEY` for services that must not have these. */
export const derivedSecrets = {
  'portal-secret': (environment?: NodeJS.ProcessEnv) => portalSecretOf(read('TOKEN_SECRET', environment)),
  'mail-public-key': (environment?: NodeJS.ProcessEnv) => mailPublicKeyOf(read('MAIL_KEY', environment)),
  'hook-public-key': (environment?: NodeJS.ProcessEnv) => hookPublicKeyOf(read('HOOK_KEY', environment)),
};

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
  const signingKeys = join(issuing, 'signing-keys.json');
  if (!existsSync(signingKeys)) createKeysFile(signingKeys, [newKey(nowSeconds, nowSeconds)]);
  const idTokenKeys = join(core, 'id-token-keys.json');
  if (!existsSync(idTokenKeys)) createKeysFile(idTokenKeys, newIdTokenKeys(nowSeconds, nowSeconds));
  publishKeys(signingKeys, join(portal, 'verification-keys.json'));
  const mailPublicKey = derivedSecrets['mail-public-key'](environment);
  replaceFile(join(issuing, 'mail-public-key'), mailPublicKey);
  replaceFile(join(portal, 'mail-public-key'), mailPublicKey);
  replaceFile(join(portal, 'portal-secret'), derivedSecrets['portal-secret'](environment));
  return [signingKeys, idTokenKeys];
}

export function publishKeys(file: string, publicFile: string): void {
  replaceKeysFile(publicFile, withoutPrivate(parseJwks(readFileSync(file, 'utf8'))));
}

function read(name: 'TOKEN_SECRET' | 'MAIL_KEY' | 'HOOK_KEY', environment?: NodeJS.ProcessEnv): string {
  const values = readConfig(Type.Object({ [name]: secret('as the services have it') }), environment);
  return String(values[name]);
}
