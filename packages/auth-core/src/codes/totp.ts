import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';

/** 160 bits, as RFC 4226 §4 recommends. */
const SECRET_BYTES = 20;
const STEP_SECONDS = 30;
const DIGITS = 6;
/** Accepted steps before and after the current one: clocks differ, and people type slowly. */
const WINDOW_STEPS = 1;

/** The setup of an authenticator app, to be typed or shown as a QR code. */
export interface TotpSetup {
  Secret: string;
  OtpAuthUri: string;
}

export function newTotpSecret(): Buffer {
  return randomBytes(SECRET_BYTES);
}

export function totpSetup(secret: Buffer, names: { issuer: string; label: string }): TotpSetup {
  const totp = totpOf(secret, names);
  return { Secret: totp.secret.base32, OtpAuthUri: totp.toString() };
}

/**
 * The time step (RFC 6238 §4) of this code; `undefined` if it matches no step in the window around `nowMs`. Callers
 * store the step and then accept only later ones, so that each code works once.
 */
export function matchTotp(secret: Buffer, code: string, nowMs: number): number | undefined {
  const options = { token: code, timestamp: nowMs, window: WINDOW_STEPS };
  const delta = totpOf(secret).validate(options);
  return delta === null ? undefined : Math.floor(nowMs / 1000 / STEP_SECONDS) + delta;
}

/** The six digits of a code as a user typed them; `undefined` if it cannot be a code. */
export function readTotpCode(text: string): string | undefined {
  const digits = text.replace(/[\s\p{Pd}]/gu, '');
  return /^[0-9]{6}$/.test(digits) ? digits : undefined;
}

function totpOf(secret: Buffer, names: { issuer?: string; label?: string } = {}): TOTP {
  return new TOTP({
    ...names,
    secret: new Secret({ buffer: Uint8Array.from(secret).buffer }),
    // The values that authenticator apps assume, whatever the URI contains.
    algorithm: 'SHA1',
    digits: DIGITS,
    period: STEP_SECONDS,
  });
}
