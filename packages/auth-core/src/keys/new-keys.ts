import { isIdTokenSet, type P256Jwk, type PrivateJwk, type RsaJwk } from './keys.ts';
import { newP256, thumbprintOfP256 } from './p256-key.ts';
import { newRsa, thumbprintOfRsa } from './rsa-key.ts';

/** Creates a key of access tokens that signs from `signsFrom` on; both times in epoch seconds. */
export function newKey(issuedAt: number, signsFrom: number): P256Jwk {
  const key = newP256();
  return { ...key, kid: thumbprintOfP256(key), use: 'sig', iat: issuedAt, nbf: signsFrom };
}

/** Creates the keys of ID tokens, one for each algorithm, as `newKey`. */
export function newIdTokenKeys(issuedAt: number, signsFrom: number): [RsaJwk, P256Jwk] {
  const key = newRsa();
  const rsa: RsaJwk = { ...key, kid: thumbprintOfRsa(key), use: 'sig', iat: issuedAt, nbf: signsFrom };
  return [rsa, newKey(issuedAt, signsFrom)];
}

/**
 * The keys after a rotation: a new one for each algorithm, which signs after it has been published for a while, and
 * those old ones that existing tokens still need. A key is superseded when the next one starts to sign.
 */
export function rotated(
  keys: PrivateJwk[],
  times: { nowSeconds: number; publishSeconds: number; retireSeconds: number },
): PrivateJwk[] {
  const { nowSeconds, publishSeconds, retireSeconds } = times;
  const inOrder = keys.toSorted((a, b) => a.nbf - b.nbf);
  const needed = inOrder.filter((key, i) => {
    const next = inOrder.find(({ alg }, at) => at > i && alg === key.alg);
    return next === undefined || next.nbf + retireSeconds >= nowSeconds;
  });
  const signsFrom = nowSeconds + publishSeconds;
  const added = isIdTokenSet(keys) ? newIdTokenKeys(nowSeconds, signsFrom) : [newKey(nowSeconds, signsFrom)];
  return [...needed, ...added];
}
