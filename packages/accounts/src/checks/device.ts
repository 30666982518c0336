import type { Account, Transaction } from '@gatehouse/db';
import type { NoticeDeps, OriginFacts } from '../deps.ts';
import { mailNotice } from './mailing.ts';

/** Mails an account's owner about a login from a device that no earlier session was opened on. */
export async function mailAboutNewDevice(
  deps: NoticeDeps,
  tx: Transaction,
  account: Account,
  sessionId: string,
  origin: OriginFacts & { deviceName?: string | undefined },
): Promise<void> {
  const { deviceName, userAgent } = origin;
  const eventData = { UserId: account.id, SessionId: sessionId };
  const device = deviceName ?? describeUserAgent(userAgent ?? '');
  await mailNotice(deps, tx, account, 'session.new-device', eventData, { ...origin, deviceName: device });
}

/** The source of a request, with the description of its device for mails. */
export function withDevice({ traceId, address, userAgent = '' }: OriginFacts) {
  return { traceId, address, deviceName: describeUserAgent(userAgent) };
}

/** Describes a user agent, such as `Firefox, Linux`; only with known names, because the header is untrusted. */
function describeUserAgent(userAgent: string): string | undefined {
  const nameIn = (names: readonly (readonly [RegExp, string])[]) =>
    names.find(([mark]) => mark.test(userAgent))?.[1];
  const known = [nameIn(BROWSERS), nameIn(SYSTEMS)].filter((name) => name !== undefined);
  return known.length === 0 ? undefined : known.join(', ');
}

// A browser that also contains the mark of another one comes before that one.
const BROWSERS = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bChrome\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
] as const;
const SYSTEMS = [
  [/\bWindows\b/, 'Windows'],
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
] as const;
