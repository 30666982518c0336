import type { ComponentChildren } from 'preact';
import { useRoute } from 'preact-iso';
import { Button } from '../../ui/form/button.tsx';
import type { Answer } from '../api/call-api.ts';
import { useConsole } from '../api/console-context.ts';
import { useQuery, useRefresh } from '../api/use-query.ts';
import { useWords, useWordsFor, type TextKey, type Words } from '../text.ts';
import { Copy } from '../ui/copy.tsx';
import { Card, Facts, ScreenPage } from '../ui/layout/screen-page.tsx';
import { Loaded, ProblemBox } from '../ui/layout/state.tsx';
import { Time } from '../ui/time.tsx';
import { DeliveryStatus, Result } from './delivery-list.tsx';
import { useAction } from '../api/use-action.ts';
import { SHOWING_WEBHOOKS } from './webhook.ts';
import styles from '../mails/templates.module.css';

type Delivery = Answer<'GET /admin/hook-delivery/{id}'>;

const EVERY_MS = 2_000;

/** One delivery: its state, and what is sent. */
export function DeliveryScreen() {
  const words = useWords();
  const { id = '' } = useRoute().params;
  const result = useQuery('GET /admin/hook-delivery/{id}', { path: { id } }, { everyMs: EVERY_MS });
  const { data } = result;
  return (
    <ScreenPage
      title={data?.Type ?? words('webhooks.delivery')}
      badge={data && <DeliveryStatus status={data.Status} />}
      actions={data?.Status === 'Parked' && <Retry id={id} />}
    >
      <Loaded result={result}>
        {(delivery) => (
          <>
            <DeliveryFacts delivery={delivery} />
            {delivery.Body !== null && (
              <Card title={words('webhooks.body')}>
                <pre class={styles['text']} tabIndex={0} role="region" aria-label={delivery.Type}>
                  {delivery.Body}
                </pre>
              </Card>
            )}
          </>
        )}
      </Loaded>
      <p>
        <a href="/console/webhooks/deliveries">{words('webhooks.deliveries.all')}</a>
      </p>
    </ScreenPage>
  );
}

function DeliveryFacts({ delivery }: { delivery: Delivery }) {
  const words = useWords();
  const wordsFor = useWordsFor();
  const { Tries, LastError, NextTryAt, CreatedAt, SentAt, ParkedAt, TraceId } = delivery;
  return (
    <Card title={words('webhooks.delivery')}>
      <Facts
        rows={[
          ...receiverFacts(delivery, words),
          [words('webhooks.recorded'), <Time key="created" at={CreatedAt} exact />],
          [words('webhooks.sentAt'), <Time key="sent" at={SentAt} exact />],
          [words('webhooks.parkedAt'), <Time key="parked" at={ParkedAt} exact />],
          [words('webhooks.tries'), Tries],
          [words('webhooks.nextTry'), <Time key="next" at={NextTryAt} />],
          [words('webhooks.answer'), <Result key="result" delivery={delivery} />],
          [words('webhooks.fault'), LastError && wordsFor('webhooks.error', LastError)],
          [
            words('webhooks.trace'),
            TraceId && (
              <a key="trace" href={`/console/audit?${new URLSearchParams({ traceId: TraceId }).toString()}`}>
                {words('audit.sameTrace')}
              </a>
            ),
          ],
        ]}
      />
    </Card>
  );
}

/** A webhook and the event that it gets, or an application and the session whose end it is told. */
function receiverFacts(
  { WebhookId, ClientId, EventId, SessionId }: Delivery,
  words: Words,
): (readonly [string, ComponentChildren])[] {
  const link = (to: string, text: TextKey) => (
    <a key={to} href={`/console/${to}`}>
      {words(text)}
    </a>
  );
  if (ClientId === null) {
    return [
      [words('webhooks.one'), link(`webhooks/${WebhookId}`, 'webhooks.open')],
      [words('webhooks.eventId'), <Copy key="event" value={EventId} label={words('webhooks.eventId')} />],
    ];
  }
  return [
    [words('applications.one'), link(`applications/${ClientId}`, 'webhooks.application.open')],
    [words('applications.session'), link(`sessions/${SessionId}`, 'applications.session.open')],
  ];
}

/** A button that sends the delivery again. */
function Retry({ id }: { id: string }) {
  const words = useWords();
  const { toast } = useConsole();
  const refresh = useRefresh();
  const { isBusy, problem, run } = useAction(
    'POST /admin/hook-delivery/{id}/retry',
    { path: { id } },
    async (isDone) => {
      if (isDone) toast(words('webhooks.retried'));
      await refresh(...SHOWING_WEBHOOKS);
    },
  );
  return (
    <>
      {problem && <ProblemBox problem={problem} />}
      <Button kind="primary" busy={isBusy} onClick={run}>
        {words('webhooks.retry')}
      </Button>
    </>
  );
}
