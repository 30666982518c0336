import { generateKeyPairSync, randomBytes, sign, type KeyPairKeyObjectResult } from 'node:crypto';
import { isIPv4 } from 'node:net';

/** A certificate authority for tests: a committed certificate would expire, and openssl may be missing. */
export function testAuthority() {
  const own = newKeys();
  const subject = nameOf('an authority of the tests');
  const by = { issuer: subject, signer: own };
  const isAuthority = extension(BASIC_CONSTRAINTS, sequence(der(0x01, Buffer.from([0xff]))));
  return {
    pem: certificate({ ...by, subject, keys: own, extensions: [isAuthority] }),
    /** Issues a certificate, valid from now on, for these host names and IPv4 addresses, with its key. */
    issue: (...names: string[]) => {
      const keys = newKeys();
      const certifies = extension(ALTERNATIVE_NAMES, sequence(...names.map(alternativeName)));
      return {
        cert: certificate({ ...by, subject: nameOf(names[0] ?? ''), keys, extensions: [certifies] }),
        key: keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      };
    },
  };
}

function newKeys(): KeyPairKeyObjectResult {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' });
}

const COMMON_NAME = '550403';
const BASIC_CONSTRAINTS = '551d13';
const ALTERNATIVE_NAMES = '551d11';
const ECDSA_WITH_SHA256 = '2a8648ce3d040302';
const DAY_MS = 86_400_000;

/** Encodes a certificate (RFC 5280 §4.1) as DER. */
function certificate(parts: {
  subject: Buffer;
  keys: KeyPairKeyObjectResult;
  issuer: Buffer;
  signer: KeyPairKeyObjectResult;
  extensions: Buffer[];
}): string {
  const { subject, keys, issuer, signer, extensions } = parts;
  const algorithm = sequence(identifier(ECDSA_WITH_SHA256));
  const signed = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    algorithm,
    issuer,
    sequence(time(Date.now() - DAY_MS), time(Date.now() + DAY_MS)),
    subject,
    keys.publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensions)),
  );
  const signature = sign('sha256', signed, signer.privateKey);
  const whole = sequence(signed, algorithm, der(0x03, Buffer.concat([Buffer.from([0]), signature])));
  const lines = whole.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

function nameOf(commonName: string): Buffer {
  return sequence(der(0x31, sequence(identifier(COMMON_NAME), der(0x0c, Buffer.from(commonName)))));
}

function alternativeName(name: string): Buffer {
  return isIPv4(name)
    ? der(0x87, Buffer.from(name.split('.').map(Number)))
    : der(0x82, Buffer.from(name, 'ascii'));
}

function extension(id: string, value: Buffer): Buffer {
  return sequence(identifier(id), der(0x04, value));
}

/** UTCTime: `261231235959Z`. */
function time(at: number): Buffer {
  const digits = new Date(at).toISOString().replaceAll(/[-:T]|\.\d+/g, '');
  return der(0x17, Buffer.from(digits.slice(2)));
}

function identifier(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, 'hex'));
}

function sequence(...parts: Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts));
}

/** Tag, length, value (X.690 §8.1). */
function der(tag: number, value: Buffer): Buffer {
  const size = value.length;
  const length = size < 0x80 ? [size] : size < 0x100 ? [0x81, size] : [0x82, size >> 8, size & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), value]);
}
