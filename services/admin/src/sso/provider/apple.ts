import { createPrivateKey, sign, type KeyObject } from 'node:crypto';
import { jsonIn } from '@gatehouse/runtime';

/** Less than Apple's limit of six months by far: each secret is made for one request. */
const SECRET_SECONDS = 300;

/** What Apple asks for instead of a profile. It sends the name to a form post alone, and once. */
export const APPLE_SCOPES = ['openid', 'name', 'email'];

/** The private key of an Apple account (a file `AuthKey_….p8`); `undefined` if the text is no key on P-256. */
export function appleKeyIn(pem: string): KeyObject | undefined {
  try {
    const key = createPrivateKey(pem);
    return key.asymmetricKeyDetails?.namedCurve === 'prime256v1' ? key : undefined;
  } catch {
    return undefined;
  }
}

/**
 * A client secret, which Apple wants as a JWT (RFC 7523) that the key of the developer's account has signed.
 *
 * @param client `clientSecret` is the private key of `keyId`, in PEM.
 * @param nowSeconds since the epoch.
 */
export function appleSecret(
  client: Record<'issuer' | 'clientId' | 'clientSecret', string> & { teamId?: string; keyId?: string },
  nowSeconds: number,
): string {
  const { issuer, clientId, clientSecret, teamId, keyId } = client;
  const iat = Math.floor(nowSeconds);
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = { iss: teamId, iat, exp: iat + SECRET_SECONDS, aud: issuer, sub: clientId };
  const input = `${part({ alg: 'ES256', kid: keyId })}.${part(claims)}`;
  const key = { key: clientSecret, dsaEncoding: 'ieee-p1363' } as const;
  return `${input}.${sign('sha256', Buffer.from(input), key).toString('base64url')}`;
}

/** From Apple’s form post. Nobody has signed it: it is good for what people could call themselves anyway. */
export function nameIn(user = '{}'): string | undefined {
  const { name } = partsOf(jsonIn(user));
  const { firstName, lastName } = partsOf(name);
  const words = [firstName, lastName].filter((one) => typeof one === 'string').join(' ');
  return words.trim() || undefined;
}

function partsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' ? { ...value } : {};
}
