import { ID_SLACK_MS, lowestIdAt } from '../postgres/lowest-id-at.ts';
import type { ListQuery } from '../search/newest-matches.ts';
import type { DeliveryStatus } from './mail-deliveries.ts';

/** Which mails are requested; a mail must meet all given conditions. */
export interface MailFilter {
  status?: DeliveryStatus | undefined;
  emailKey?: string | undefined;
  /** The trace of the request that caused the mails. */
  traceId?: string | undefined;
  /** Sent or parked at this time or later. */
  finishedFrom?: Date | undefined;
  /** Sent or parked before this time. */
  finishedTo?: Date | undefined;
}

/** Same wording as in its index. */
const FINISHED_AT = 'coalesce(sent_at, parked_at)';

/** The query for a list of mails. */
export function queryOf({ status, emailKey, traceId, finishedFrom, finishedTo }: MailFilter): ListQuery {
  return {
    table: 'mail_delivery',
    ordered: [
      ...(status === undefined ? [] : ['status = :status']),
      ...(emailKey === undefined ? [] : ['lower(email) = :emailKey']),
      ...(traceId === undefined ? [] : ['trace_id = :traceId']),
      // No mail is sent or parked before its event is created, and the id contains that time.
      ...(finishedTo === undefined ? [] : ['id < cast(:finishedToId as uuid)']),
    ],
    sieve: [
      ...(finishedFrom === undefined ? [] : [`${FINISHED_AT} >= :finishedFrom`]),
      ...(finishedTo === undefined ? [] : [`${FINISHED_AT} < :finishedTo`]),
    ],
    sieved: ['sent_at', 'parked_at'],
    bindings: {
      ...{ status, emailKey, traceId, finishedFrom, finishedTo },
      finishedToId: finishedTo && lowestIdAt(finishedTo.getTime() + ID_SLACK_MS),
    },
    isSearchIndexed: true,
  };
}
