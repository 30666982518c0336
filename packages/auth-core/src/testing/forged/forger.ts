import { sign } from 'node:crypto';
import { parseKeySet, signingKey, type SigningKey } from '../../keys/keys.ts';

export interface Forgery {
  name: string;
  token: string;
}

export function forgeries(tokens: Record<string, string>): Forgery[] {
  return Object.entries(tokens).map(([name, token]) => ({ name, token }));
}

type Json = Record<string, unknown>;

/** Signs tokens with the genuine key, like a genuine one except for the given changes. */
export interface Forger {
  genuine: string;
  key: SigningKey;
  header: Json;
  claims: Json;
  /** A validly signed token with members of the header or the payload replaced; `undefined` removes one. */
  signed(header: Json, claims?: Json): string;
  signedText(header: string | Buffer, payload: string | Buffer): string;
}

export function createForger(genuine: string, keySetJson: string): Forger {
  const [header, claims] = genuine.split('.').slice(0, 2).map(decoded);
  if (header === undefined || claims === undefined) throw new TypeError('a genuine token is needed');
  const key = signingKey(parseKeySet(keySetJson), Number(claims['iat']));
  const signedText = (head: string | Buffer, payload: string | Buffer): string => {
    const input = `${encoded(head)}.${encoded(payload)}`;
    return `${input}.${signature(input, key).toString('base64url')}`;
  };
  return {
    genuine,
    key,
    header,
    claims,
    signedText,
    signed: (head, more = {}) =>
      signedText(JSON.stringify({ ...header, ...head }), JSON.stringify({ ...claims, ...more })),
  };
}

/** An ES256 signature: r and s, 32 bytes each. */
export function signature(input: string, key: Pick<SigningKey, 'privateKey'>): Buffer {
  if (key.privateKey === undefined) throw new Error('a forger of signatures needs a private key');
  return sign('sha256', Buffer.from(input), { key: key.privateKey, dsaEncoding: 'ieee-p1363' });
}

export function encoded(text: string | Buffer): string {
  return Buffer.from(text as string).toString('base64url'); // both overloads of `from` copy
}

function decoded(part: string): Json {
  return JSON.parse(Buffer.from(part, 'base64url').toString()) as Json; // our own token's
}
