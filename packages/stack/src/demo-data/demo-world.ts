import type { Seal } from '@gatehouse/events';
import type { Random } from './random.ts';

/** The inputs for inventing an installation. */
export interface DemoWorld {
  /** All dates are relative to this time. */
  now: Date;
  random: Random;
  /** The hash of the password that all invented accounts share. */
  passwordHash: string;
  /** Seals the contents of mails, so that a parked mail can really be sent again. */
  seal: Seal;
  /** Seals the authenticator secret of an account as the database stores it. */
  sealTotpSecret: (accountId: string) => Buffer;
  /** The issuer of single sign-on. */
  issuer: string;
  /** The base URL of the drawn faces. */
  facesUrl: string;
}

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** The time that is this many milliseconds before now. */
export function ago({ now }: DemoWorld, milliseconds: number): Date {
  return new Date(now.getTime() - milliseconds);
}
