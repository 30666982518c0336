import { setTimeout as pause } from 'node:timers/promises';
import { base32Bytes, totpCode } from '@gatehouse/auth-core/testing';

const STEP_MS = 30_000;
/** How long a code stays valid at least: a slow machine needs seconds until it has entered it. */
const VALID_MS_MIN = 15_000;

/**
 * An authenticator app that has scanned this URI. Each call gives a different code, because a code can be used only
 * once.
 */
export function phone(otpAuthUri: string): { nextCode: () => Promise<string> } {
  const { protocol, host, searchParams } = new URL(otpAuthUri);
  if (protocol !== 'otpauth:' || host !== 'totp') throw new Error(`no authenticator takes ${protocol}`);
  const secret = base32Bytes(searchParams.get('secret') ?? '');
  const stepAt = (time: number): number => Math.floor(time / STEP_MS);
  let step = 0;
  return {
    nextCode: async () => {
      // The services accept codes that are one step early or late.
      step = Math.max(step + 1, stepAt(Date.now() + VALID_MS_MIN) - 1);
      while (step > stepAt(Date.now()) + 1) await pause(100);
      return totpCode(secret, step * STEP_MS);
    },
  };
}
