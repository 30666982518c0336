import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  diffieHellman,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto';
import { deriveKey } from './secrets.ts';
import { ConfigError } from '../settings/config.ts';

/** An X25519 key pair. The public key, 32 bytes, seals; the private key opens. */
export interface SealingKeys {
  privateKey: KeyObject;
  publicKey: Buffer;
}

/** Data that is bound to a sealed text without being part of it; both sides must provide the same. */
export interface SealContext {
  /** The purpose of the texts: a text with another purpose does not open. */
  info: string;
  /** What this text belongs to, for example an id: it does not open with another value. */
  aad: string;
}

/** The key pair of a private key of 32 bytes, which may be any bytes (RFC 7748 §5). */
export function sealingKeysOf(seed: Buffer): SealingKeys {
  const privateKey = createPrivateKey({
    key: Buffer.concat([PKCS8_PREFIX, seed]),
    format: 'der',
    type: 'pkcs8',
  });
  return { privateKey, publicKey: rawPublicKey(createPublicKey(privateKey)) };
}

/** The key pair of `MAIL_KEY`; the mail worker decrypts what was encrypted with its public key. */
export function mailKeysOf(mailKey: string): SealingKeys {
  return sealingKeysOf(deriveKey(mailKey, 'mail opening'));
}

/** The key pair of `HOOK_KEY`; the hook worker decrypts what was encrypted with its public key. */
export function hookKeysOf(hookKey: string): SealingKeys {
  return sealingKeysOf(deriveKey(hookKey, 'webhook secrets'));
}

/** The public key of `MAIL_KEY`, for services that encrypt mails (`MAIL_PUBLIC_KEY`). */
export function mailPublicKeyOf(mailKey: string): string {
  return mailKeysOf(mailKey).publicKey.toString('base64url');
}

/** The public key of `HOOK_KEY`, for Admin, which creates the secrets of webhooks (`HOOK_PUBLIC_KEY`). */
export function hookPublicKeyOf(hookKey: string): string {
  return hookKeysOf(hookKey).publicKey.toString('base64url');
}

/** @throws {ConfigError} for a malformed key. */
export function publicKeyOf(setting: `${string}_PUBLIC_KEY`, text: string): Buffer {
  const publicKey = Buffer.from(text, 'base64url');
  if (publicKey.length === 32 && publicKey.toString('base64url') === text) return publicKey;
  const key = setting.replace('_PUBLIC', '');
  const command = setting.toLowerCase().replaceAll('_', '-');
  throw new ConfigError(`${setting} is not what \`keys ${command}\` makes of ${key}`);
}

/**
 * Seals a text for the owner of the private key (HPKE, RFC 9180, base mode: DHKEM(X25519, HKDF-SHA256), HKDF-SHA256,
 * AES-128-GCM): the encapsulated key, then the ciphertext. The sender cannot open any sealed text, not even its own.
 */
export function sealTo(publicKey: Buffer, { info, aad }: SealContext, plain: Buffer): Buffer {
  const ephemeral = generateKeyPairSync('x25519');
  const enc = rawPublicKey(ephemeral.publicKey);
  const dh = diffieHellman({ privateKey: ephemeral.privateKey, publicKey: keyObjectOf(publicKey) });
  const { key, nonce } = keySchedule(dh, enc, publicKey, info);
  const cipher = createCipheriv('aes-128-gcm', createSecretKey(key), nonce).setAAD(Buffer.from(aad));
  return Buffer.concat([enc, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** The plain text; `undefined` if the key or the context differs, or the sealed text was changed. */
export function openSealed(
  { privateKey, publicKey }: SealingKeys,
  { info, aad }: SealContext,
  sealed: Buffer,
): Buffer | undefined {
  if (sealed.length < KEY_BYTES + TAG_BYTES) return undefined;
  const enc = sealed.subarray(0, KEY_BYTES);
  try {
    // Throws for a point of small order, whose shared secret is publicly known (RFC 9180 §7.1.4).
    const dh = diffieHellman({ privateKey, publicKey: keyObjectOf(enc) });
    const { key, nonce } = keySchedule(dh, enc, publicKey, info);
    const decipher = createDecipheriv('aes-128-gcm', createSecretKey(key), nonce, {
      authTagLength: TAG_BYTES,
    })
      .setAAD(Buffer.from(aad))
      .setAuthTag(sealed.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(sealed.subarray(KEY_BYTES, -TAG_BYTES)), decipher.final()]);
  } catch {
    return undefined;
  }
}

const KEY_BYTES = 32;
const TAG_BYTES = 16;
/** RFC 8410: the prefix of the 32 bytes of a private X25519 key. */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b656e04220420', 'hex');

/** RFC 9180 §7: identifiers of the suite. */
const KEM_SUITE = Buffer.concat([Buffer.from('KEM'), twoBytes(0x0020)]);
const HPKE_SUITE = Buffer.concat([Buffer.from('HPKE'), twoBytes(0x0020), twoBytes(0x0001), twoBytes(0x0001)]);
const MODE_BASE = Buffer.of(0);
const NOTHING = Buffer.alloc(0);
const PSK_ID_HASH = labeledExtract(HPKE_SUITE, NOTHING, 'psk_id_hash', NOTHING);

/** The key and the nonce of the only message of a context (RFC 9180 §4.1, §5.1; sequence number 0). */
function keySchedule(dh: Buffer, enc: Buffer, recipient: Buffer, info: string) {
  const kemContext = Buffer.concat([enc, recipient]);
  const extracted = labeledExtract(KEM_SUITE, NOTHING, 'eae_prk', dh);
  const shared = labeledExpand(KEM_SUITE, extracted, 'shared_secret', kemContext, 32);
  const context = Buffer.concat([
    MODE_BASE,
    PSK_ID_HASH,
    labeledExtract(HPKE_SUITE, NOTHING, 'info_hash', Buffer.from(info)),
  ]);
  const secret = labeledExtract(HPKE_SUITE, shared, 'secret', NOTHING);
  return {
    key: labeledExpand(HPKE_SUITE, secret, 'key', context, 16),
    nonce: labeledExpand(HPKE_SUITE, secret, 'base_nonce', context, 12),
  };
}

function labeledExtract(suite: Buffer, salt: Buffer, label: string, ikm: Buffer): Buffer {
  return hmac(salt, Buffer.concat([Buffer.from('HPKE-v1'), suite, Buffer.from(label), ikm]));
}

function labeledExpand(suite: Buffer, prk: Buffer, label: string, info: Buffer, length: number): Buffer {
  const labeled = Buffer.concat([
    twoBytes(length),
    Buffer.from('HPKE-v1'),
    suite,
    Buffer.from(label),
    info,
    // The counter of HKDF-Expand (RFC 5869 §2.3): no length here is more than one block.
    Buffer.of(1),
  ]);
  return hmac(prk, labeled).subarray(0, length);
}

/** With a Buffer as its key, Node 24 takes four times as long. */
function hmac(key: Buffer, data: Buffer): Buffer {
  return createHmac('sha256', createSecretKey(key)).update(data).digest();
}

/** Uses JWK (RFC 8037), which OpenSSL reads many times faster than DER. */
function keyObjectOf(raw: Buffer): KeyObject {
  return createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'X25519', x: raw.toString('base64url') } });
}

/** Not from a JWK: in Node 20 that export blocks the process forever if the garbage collector runs meanwhile. */
function rawPublicKey(key: KeyObject): Buffer {
  return key.export({ type: 'spki', format: 'der' }).subarray(-KEY_BYTES);
}

function twoBytes(value: number): Buffer {
  return Buffer.of(value >> 8, value & 255);
}
