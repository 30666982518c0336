import type { Seal } from '@gatehouse/events';
import type { Random } from './random.ts';

/** What is needed to invent an installation. */
export interface DemoWorld {
  /** What everything is dated from. */
  now: Date;
  random: Random;
  /** Of the password that all invented people have. */
  passwordHash: string;
  /** Closes what mails say, so that a parked one can really be sent again. */
  seal: Seal;
  /** An authenticator's secret of an account, as it is stored. */
  sealTotpSecret: (accountId: string) => Buffer;
  /** Where single sign-on says that it comes from. */
  issuer: string;
  /** Where the drawn faces are. */
  facesUrl: string;
}

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** So long before now. */
export function ago({ now }: DemoWorld, milliseconds: number): Date {
  return new Date(now.getTime() - milliseconds);
}
