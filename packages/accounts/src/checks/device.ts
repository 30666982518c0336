import type { Account, Transaction } from '@gatehouse/db';
import { describeUserAgent } from '@gatehouse/intake';
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
