import { base32Bytes, totpCode } from '@gatehouse/auth-core/testing';

const STEP_MS = 30_000;

/**
 * An authenticator app that has scanned this URI. Each call gives a different code, because a code can be used only
 * once.
 */
export function phone(otpAuthUri: string): { nextCode: () => string } {
  const { protocol, host, searchParams } = new URL(otpAuthUri);
  if (protocol !== 'otpauth:' || host !== 'totp') throw new Error(`no authenticator takes ${protocol}`);
  const secret = base32Bytes(searchParams.get('secret') ?? '');
  // Begins one step early: the services accept codes that are one step early or late.
  let step = Math.floor(Date.now() / STEP_MS) - 2;
  return { nextCode: () => totpCode(secret, ++step * STEP_MS) };
}
