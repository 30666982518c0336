import { base32Bytes, totpCode } from '@gatehouse/auth-core/testing';

const STEP_MS = 30_000;

/** An authenticator app that has scanned this address; each code is a new one, as each works once. */
export function phone(otpAuthUri: string): { nextCode: () => string } {
  const { protocol, host, searchParams } = new URL(otpAuthUri);
  if (protocol !== 'otpauth:' || host !== 'totp') throw new Error(`no authenticator takes ${protocol}`);
  const secret = base32Bytes(searchParams.get('secret') ?? '');
  // From one step early on: the services take codes one step early and one step late.
  let step = Math.floor(Date.now() / STEP_MS) - 2;
  return { nextCode: () => totpCode(secret, ++step * STEP_MS) };
}
