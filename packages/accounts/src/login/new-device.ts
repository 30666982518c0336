import { ownSessions, type Account, type Transaction } from '@gatehouse/db';
import { mailNotice } from '../mail/mailing.ts';
import type { NoticeDeps, OriginFacts } from '../deps.ts';

/**
 * Mails an account's owner about a login from a device that none of the earlier sessions was opened on. Call it
 * in the login's transaction, before its session is added.
 */
export async function noticeNewDevice(
  deps: NoticeDeps,
  tx: Transaction,
  account: Account,
  sessionId: string,
  origin: OriginFacts & { deviceName?: string | undefined },
): Promise<void> {
  const { deviceName, userAgent } = origin;
  if (!(await ownSessions.isNewDevice(tx, account.id, { deviceName, userAgent }))) return;
  const eventData = { UserId: account.id, SessionId: sessionId };
  const device = deviceName ?? describeUserAgent(userAgent ?? '');
  await mailNotice(deps, tx, account, 'session.new-device', eventData, { ...origin, deviceName: device });
}

/** `Firefox, Linux`; known words alone, as the text is a stranger's. */
function describeUserAgent(userAgent: string): string | undefined {
  const nameIn = (names: readonly (readonly [RegExp, string])[]) =>
    names.find(([mark]) => mark.test(userAgent))?.[1];
  const known = [nameIn(BROWSERS), nameIn(SYSTEMS)].filter((name) => name !== undefined);
  return known.length === 0 ? undefined : known.join(', ');
}

// Each before those whose mark it carries, too.
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
  [/\biPhone\b|\biPad\b/, 'iOS'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
] as const;
