import { createHmac, createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { newP256Jwk } from '@gatehouse/runtime';
import { encoded, forgeries, signature, type Forger, type Forgery } from './forger.ts';

export function forgedHeaders(forger: Forger): Forgery[] {
  return [
    ...otherAlgorithms(forger),
    ...macsWithThePublicKey(forger),
    ...otherSigners(forger),
    ...keysInTheHeader(forger),
    ...otherMembers(forger),
  ];
}

const ALGORITHMS = ['none', 'None', 'NONE', 'nOnE', '', 'HS256', 'HS384', 'HS512', 'RS256', 'PS256', 'ES384'];
const MORE_ALGORITHMS = ['ES512', 'ES256K', 'EdDSA', 'Ed25519', 'es256', 'ES256 '];
const NO_ALGORITHMS = [null, true, 0, ['ES256'], {}, undefined];

function otherAlgorithms({ signed }: Forger): Forgery[] {
  return [...ALGORITHMS, ...MORE_ALGORITHMS, ...NO_ALGORITHMS].flatMap((alg) => {
    const token = signed({ alg });
    return [
      { name: `alg ${JSON.stringify(alg)}, well signed`, token },
      { name: `alg ${JSON.stringify(alg)}, unsigned`, token: token.slice(0, token.lastIndexOf('.') + 1) },
    ];
  });
}

function macsWithThePublicKey({ key, signed }: Forger): Forgery[] {
  const secrets: [string, string | Buffer][] = [
    ['the PEM key', key.publicKey.export({ type: 'spki', format: 'pem' })],
    ['the DER key', key.publicKey.export({ type: 'spki', format: 'der' })],
    ['the JWK', JSON.stringify(key.publicJwk)],
    ['the x coordinate', key.publicKey.export({ type: 'spki', format: 'der' }).subarray(-64, -32)],
    ['the kid', key.kid],
    ['nothing', ''],
    ['the word secret', 'secret'],
  ];
  return secrets.map(([name, secret]) => {
    const input = signed({ alg: 'HS256' }).replace(/\.[^.]*$/, '');
    const mac = createHmac('sha256', secret).update(input).digest('base64url');
    return { name: `HS256 with ${name}`, token: `${input}.${mac}` };
  });
}

function otherSigners({ signed }: Forger): Forgery[] {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  const signers: [string, string, KeyObject, string | undefined][] = [
    ['RS256', 'RS256', rsa, 'sha256'],
    ['an RSA key under ES256', 'ES256', rsa, 'sha256'],
    ['ES384', 'ES384', generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey, 'sha384'],
    ['secp256k1', 'ES256', generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).privateKey, 'sha256'],
    ['EdDSA', 'EdDSA', generateKeyPairSync('ed25519').privateKey, undefined],
    ['another P-256 key', 'ES256', generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey, 'sha256'],
  ];
  return signers.map(([name, alg, key, digest]) => {
    const input = signed({ alg }).replace(/\.[^.]*$/, '');
    const made = sign(digest, Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' });
    return { name: `signed by ${name}`, token: `${input}.${made.toString('base64url')}` };
  });
}

function keysInTheHeader({ header, claims, signed }: Forger): Forgery[] {
  const { d, ...publicJwk } = newP256Jwk();
  const own = createPrivateKey({ format: 'jwk', key: { ...publicJwk, d } });
  const jwk = { ...publicJwk, kid: 'attacker', alg: 'ES256' };
  const url = 'https://attacker.example/jwks.json';
  const members = { jwk, jku: url, x5u: url, x5c: ['MIIB'], x5t: 'AAAA', 'x5t#S256': 'AAAA' };
  return Object.entries(members).flatMap(([member, value]) => {
    const forgedHeader = { ...header, [member]: value };
    const bySelf = (head: object): string => {
      const input = `${encoded(JSON.stringify(head))}.${encoded(JSON.stringify(claims))}`;
      return `${input}.${signature(input, { privateKey: own }).toString('base64url')}`;
    };
    return forgeries({
      [`${member} of another key`]: bySelf(forgedHeader),
      [`${member} of another key with its kid`]: bySelf({ ...forgedHeader, kid: 'attacker' }),
      [`${member} beside our signature`]: signed({ [member]: value }),
    });
  });
}

function otherMembers({ header, claims, signed, signedText }: Forger): Forgery[] {
  const kid = String(header['kid']);
  const heads: [string, Record<string, unknown>][] = [
    ...[undefined, '', kid.toLowerCase(), kid.toUpperCase(), `${kid} `, `${kid}\0`, kid.slice(0, -1)].map(
      kidHead,
    ),
    ...['../../../dev/null', "' or '1'='1", '__proto__', 'constructor', '0', 0, null, [kid], {}].map(kidHead),
    ...[undefined, null, '', 'JWT', 'jwt', 'at+JWT', 'AT+JWT', 'application/at+jwt'].map(typHead),
    ...['at+jwt ', 'at+jwt;v=1', 'rt+jwt', 'logout+jwt', 'JWS', ['at+jwt'], 1].map(typHead),
    ['crit naming exp', { crit: ['exp'], exp: 1 }],
    ['crit naming an unknown member', { crit: ['admin'], admin: true }],
    ['crit empty', { crit: [] }],
    ['b64 false', { b64: false, crit: ['b64'] }],
    ['zip', { zip: 'DEF' }],
    ['cty JWT', { cty: 'JWT' }],
    ['enc', { enc: 'A128GCM' }],
    ['an unknown member', { admin: true }],
    ['iss in the header', { iss: 'https://attacker.example' }],
  ];
  const proto = `${JSON.stringify(header).slice(0, -1)},"__proto__":{"alg":"none"}}`;
  return [
    ...heads.map(([name, head]) => ({ name, token: signed(head) })),
    { name: '__proto__ in the header', token: signedText(proto, JSON.stringify(claims)) },
  ];
}

function kidHead(kid: unknown): [string, Record<string, unknown>] {
  return [`kid ${JSON.stringify(kid)?.slice(0, 60)}`, { kid }];
}

function typHead(typ: unknown): [string, Record<string, unknown>] {
  return [`typ ${JSON.stringify(typ)}`, { typ }];
}
