import { ID_SLACK_MS, leastIdAt } from '../postgres/least-id-at.ts';
import type { ListQuery } from '../search/newest-matches.ts';
import type { DeliveryStatus } from './mail-deliveries.ts';

/** Which mails are asked for; every condition that is given must hold. */
export interface MailFilter {
  status?: DeliveryStatus | undefined;
  emailKey?: string | undefined;
  /** Of the request that caused them. */
  traceId?: string | undefined;
  /** Sent or parked at this moment or later. */
  finishedFrom?: Date | undefined;
  /** Sent or parked before this moment. */
  finishedTo?: Date | undefined;
}

/** In the words of its index. */
const FINISHED_AT = 'coalesce(sent_at, parked_at)';

/** How a list of mails is searched. */
export function queryOf({ status, emailKey, traceId, finishedFrom, finishedTo }: MailFilter): ListQuery {
  return {
    table: 'mail_delivery',
    ordered: [
      ...(status === undefined ? [] : ['status = :status']),
      ...(emailKey === undefined ? [] : ['lower(email) = :emailKey']),
      ...(traceId === undefined ? [] : ['trace_id = :traceId']),
      // No mail is finished before its event is made.
      ...(finishedTo === undefined ? [] : ['id < cast(:finishedToId as uuid)']),
    ],
    sieve: [
      ...(finishedFrom === undefined ? [] : [`${FINISHED_AT} >= :finishedFrom`]),
      ...(finishedTo === undefined ? [] : [`${FINISHED_AT} < :finishedTo`]),
    ],
    sieved: ['sent_at', 'parked_at'],
    bindings: {
      ...{ status, emailKey, traceId, finishedFrom, finishedTo },
      finishedToId: finishedTo && leastIdAt(finishedTo.getTime() + ID_SLACK_MS),
    },
    isSearchIndexed: true,
  };
}
