import type { ListOf } from '../list/list.tsx';
import { useWords, useWordsFor } from '../text.ts';
import { Badge, type Meaning } from '../ui/badge.tsx';
import { Time } from '../ui/time.tsx';
import type { HookDelivery } from './webhook.ts';

const MEANINGS: Record<HookDelivery['Status'], Meaning> = {
  Pending: 'neutral',
  Sent: 'success',
  Retrying: 'warning',
  Parked: 'danger',
};

/** Deliveries and how they went. */
export const DELIVERY_LIST: ListOf<'GET /admin/hook-delivery'> = {
  operation: 'GET /admin/hook-delivery',
  caption: 'webhooks.deliveries',
  none: 'webhooks.deliveries.none',
  everyMs: 5_000,
  hrefOf: ({ Id }) => `/console/webhooks/deliveries/${Id}`,
  filters: [
    { name: 'status', label: 'webhooks.state', options: Object.keys(MEANINGS), texts: 'mails.status' },
    { name: 'type', label: 'webhooks.event' },
    { name: 'from', label: 'webhooks.from', type: 'datetime-local', isRare: true },
    { name: 'to', label: 'webhooks.to', type: 'datetime-local', isRare: true },
    { name: 'eventId', label: 'webhooks.eventId', isRare: true },
  ],
  columns: ({ words }) => [
    { head: words('webhooks.event'), cell: ({ Type }) => Type, isClipped: true },
    { head: words('webhooks.state'), cell: ({ Status }) => <DeliveryStatus status={Status} /> },
    { head: words('webhooks.tries'), cell: ({ Tries }) => Tries, align: 'end' },
    { head: words('webhooks.answer'), cell: (delivery) => <Result delivery={delivery} />, isClipped: true },
    { head: words('webhooks.recorded'), cell: ({ CreatedAt }) => <Time at={CreatedAt} /> },
    { head: words('webhooks.nextTry'), cell: ({ NextTryAt }) => <Time at={NextTryAt} />, isSecondary: true },
  ],
};

/** The state of a delivery. */
export function DeliveryStatus({ status }: { status: HookDelivery['Status'] }) {
  const wordsFor = useWordsFor();
  return <Badge meaning={MEANINGS[status]}>{wordsFor('mails.status', status)}</Badge>;
}

/** What the last attempt came to: the status and how long it took, else why there is none. */
export function Result({
  delivery: { StatusCode, DurationMs, LastError },
}: {
  delivery: Pick<HookDelivery, 'StatusCode' | 'DurationMs' | 'LastError'>;
}) {
  const words = useWords();
  const wordsFor = useWordsFor();
  if (StatusCode !== null)
    return <>{words('webhooks.answered', { status: StatusCode, milliseconds: DurationMs ?? 0 })}</>;
  return <>{LastError === null ? '–' : wordsFor('webhooks.error', LastError)}</>;
}
