import { Select } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { type Answer, type Input, useQuery } from '../api/call-api.ts';
import { actsOn, calls, defineScreen } from '../kit/act.tsx';
import { CountDialog } from '../kit/bulk.tsx';
import { TextField } from '../kit/fields.tsx';
import { defineList, type ListOf } from '../kit/list.tsx';
import { MailStatus } from '../objects.tsx';
import { words, wordsFor } from '../text.ts';
import { Card } from '../ui/screen-page.tsx';
import { ago, at, copied, linked, None, Preformatted } from '../ui/values.tsx';

type Delivery = Answer<'GET /admin/hook-delivery/{id}'>;
type Attempt = Pick<Delivery, 'StatusCode' | 'DurationMs' | 'LastError'>;

/** What the last attempt came to: the status and how long it took, else why there is none. */
export function Outcome({ of: { StatusCode, DurationMs, LastError } }: { of: Attempt }) {
  if (StatusCode !== null)
    return <>{words('webhooks.answered', { status: StatusCode, milliseconds: DurationMs ?? 0 })}</>;
  return LastError === null ? <None /> : <>{wordsFor('webhooks.error', LastError)}</>;
}

export const DELIVERY_LIST: ListOf<'GET /admin/hook-delivery'> = {
  operation: 'GET /admin/hook-delivery',
  caption: 'webhooks.deliveries',
  none: 'webhooks.deliveries.none',
  everyMs: 5_000,
  hrefOf: ({ Id }) => `/console/webhooks/deliveries/${Id}`,
  filters: [
    { name: 'status', label: 'fact.state', texts: 'mails.status' },
    { name: 'type', label: 'webhooks.event' },
    { name: 'from', label: 'webhooks.from', type: 'datetime-local', isRare: true },
    { name: 'to', label: 'webhooks.to', type: 'datetime-local', isRare: true },
    { name: 'eventId', label: 'webhooks.eventId', isRare: true },
  ],
  columns: [
    ['webhooks.event', ({ Type }) => Type, 'clipped'],
    ['fact.state', ({ Status }) => <MailStatus of={Status} />],
    ['mails.tries', ({ Tries }) => Tries, 'end'],
    ['webhooks.answer', (delivery) => <Outcome of={delivery} />, 'clipped'],
    ago('webhooks.recorded', 'CreatedAt'),
    ago('mails.nextTry', 'NextTryAt', 'secondary'),
  ],
};

export const DeliveriesScreen = defineList({
  ...DELIVERY_LIST,
  filters: [
    { name: 'webhookId', label: 'webhooks.id', isRare: true },
    { name: 'clientId', label: 'webhooks.clientId', isRare: true },
    ...(DELIVERY_LIST.filters ?? []),
  ],
  acts: [{ label: 'webhooks.retryAll', button: 'button', Part: RetryDialog }],
});

export const DeliveryScreen = defineScreen({
  operation: 'GET /admin/hook-delivery/{id}',
  everyMs: 2_000,
  texts: 'webhooks.deliveries',
  title: ({ Type }) => Type,
  state: ({ Status }) => <MailStatus of={Status} />,
  facts: ({ ClientId, WebhookId, SessionId }) => [
    // A webhook and the event that it gets, or an application and the session whose end it is told.
    ...(ClientId === null
      ? [
          linked('webhooks.one', 'webhooks.open', `webhooks/${WebhookId}`),
          copied('webhooks.eventId', 'EventId'),
        ]
      : [
          linked('applications.one', 'webhooks.application.open', `applications/${ClientId}`),
          linked('sessions.one', 'applications.session.open', `sessions/${SessionId}`),
        ]),
    at('webhooks.recorded', 'CreatedAt'),
    at('webhooks.sentAt', 'SentAt'),
    at('mails.parkedAt', 'ParkedAt'),
    ['mails.tries', ({ Tries }) => Tries],
    ago('mails.nextTry', 'NextTryAt'),
    ['webhooks.answer', (delivery) => <Outcome of={delivery} />],
    ['webhooks.fault', ({ LastError }) => LastError && wordsFor('webhooks.error', LastError)],
    [
      'webhooks.trace',
      ({ TraceId }) =>
        TraceId && <a href={`/console/audit?traceId=${TraceId}`}>{words('audit.sameTrace')}</a>,
    ],
  ],
  acts: [
    actsOn<Delivery>()({
      label: 'webhooks.retry',
      button: 'at once',
      kind: 'primary',
      if: ({ Status }) => Status === 'Parked',
      run: calls('POST /admin/hook-delivery/{id}/retry'),
    }),
  ],
  more: ({ Body, Type }) =>
    Body !== null && (
      <Card title={words('webhooks.body')}>
        <Preformatted look="wrapped" label={Type} text={readable(Body)} />
      </Card>
    ),
});

/** An event with a line for each field. It is signed and sent without the blanks. */
function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body; // what an application is told is no JSON
  }
}

type Filter = NonNullable<Input<'POST /admin/hook-delivery/retry'>['body']>['Filter'];

function RetryDialog({ onClose }: { onClose: () => void }) {
  const webhooks = useQuery('GET /admin/webhook', { query: { limit: 50 } }).data?.Items ?? [];
  return (
    <CountDialog<Filter>
      texts="webhooks.retryAll"
      form={(look, tooMany) => (
        <>
          <p>{words('webhooks.retryAll.lead')}</p>
          {tooMany}
          <Form
            submit={words('mails.retryAll.preview')}
            onSubmit={({ WebhookId = '', From = '' }) =>
              look({ WebhookId, ...(From !== '' && { From: new Date(From).toISOString() }) })
            }
          >
            <Select
              key={webhooks.length}
              name="WebhookId"
              label={words('webhooks.one')}
              defaultValue={webhooks[0]?.Id ?? ''}
              options={webhooks.map(({ Id, Name }) => ({ value: Id, words: Name }))}
            />
            <TextField name="From" label="webhooks.from" type="datetime-local" />
          </Form>
        </>
      )}
      send={(callApi, body) => callApi('POST /admin/hook-delivery/retry', { body })}
      kind="primary"
      onClose={onClose}
    />
  );
}
