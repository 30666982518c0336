import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Result } from '../../ui/api.ts';
import { Button } from '../../ui/button.tsx';
import { Actions, useFieldError } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { type Answer, type Input, refresh, useConsole, useQuery } from '../api/call-api.ts';
import { actsOn, calls, creates, defineScreen, sends } from '../kit/act.tsx';
import { type FormField, text } from '../kit/fields.tsx';
import { defineList, List } from '../kit/list.tsx';
import { words } from '../text.ts';
import { Dialog } from '../ui/dialog.tsx';
import { ProblemBox, Way } from '../ui/screen-page.tsx';
import { listIn } from '../ui/typed.ts';
import { ago, at, changesOf, copied, linkTo, type State, StateBadge } from '../ui/values.tsx';
import { DELIVERY_LIST, Outcome } from './deliveries.tsx';
import { type EventGroup, groupsOf, isIncluded, toggled } from './event-groups.ts';
import styles from './event-types.module.css';

type Webhook = Answer<'GET /admin/webhook/{id}'>;

function stateOf({ DisabledReason, IsEnabled, FailingSince }: Webhook): State {
  if (DisabledReason !== null)
    return ['danger', DisabledReason === 'Gone' ? 'webhooks.state.gone' : 'webhooks.state.failed'];
  if (!IsEnabled) return ['neutral', 'webhooks.state.disabled'];
  return FailingSince === null
    ? ['success', 'webhooks.state.enabled']
    : ['warning', 'webhooks.state.failing'];
}

type Types = NonNullable<Input<'POST /admin/webhook'>['body']>['Types'];

/** The events that a webhook gets; all, if there is none yet. */
const EVENT_TYPES: FormField<Webhook | undefined, 'Types', Types> = {
  name: 'Types',
  initial: (webhook) => (webhook?.Types ?? ['*']).join(','),
  Show: ({ initial }) => <EventTypes initial={initial} />,
  read: (typed = '') => listIn(typed) as Types, // names that the API has given
};

const FIELDS = [
  text('Name', 'webhooks.name'),
  text('Url', 'webhooks.url', { spellcheck: false }),
  EVENT_TYPES,
] as const;

const act = actsOn<Webhook>();

const secretOnce = ({ Secret: secret }: { Secret: string }) =>
  ({ secret, texts: 'webhooks.secret' }) as const;

function WebhooksOff() {
  const { me } = useConsole();
  return me.HasWebhooks ? null : <Notice meaning="information">{words('webhooks.off')}</Notice>;
}

const CREATE = creates({
  label: 'webhooks.create',
  if: (_, me) => me.HasWebhooks,
  fields: FIELDS,
  run: (callApi, _, body) => callApi('POST /admin/webhook', { body }),
  secret: secretOnce,
  next: ({ Id }) => `/console/webhooks/${Id}`,
});

/** The hook worker sends an event within a second or two, unless it does not run. */
const LATE_MS = 15_000;

function TestDialog({ row, onClose }: { row: Webhook; onClose: () => void }) {
  const { callApi } = useConsole();
  const [sent, setSent] = useState<Result<{ EventId: string }>>();
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    void calls('POST /admin/webhook/{id}/test')(callApi, row).then(setSent);
    const timer = setTimeout(() => setLate(true), LATE_MS);
    return () => clearTimeout(timer);
  }, []);
  const eventId = sent?.ok === true ? sent.value.EventId : '';
  const polling = { everyMs: 1_000, enabled: eventId !== '' };
  const { data } = useQuery('GET /admin/hook-delivery', { query: { eventId } }, polling);
  const [delivery] = data?.Items ?? [];
  const isTried = delivery !== undefined && delivery.Status !== 'Pending';
  const close = (): void => {
    onClose();
    void refresh();
  };
  return (
    <Dialog title={words('webhooks.test')} onClose={close}>
      {sent?.ok === false && <ProblemBox problem={sent.problem} />}
      {sent?.ok !== false && !isTried && (
        <Notice meaning={isLate ? 'warning' : 'information'}>
          {words(isLate ? 'webhooks.test.late' : 'webhooks.tested')}
        </Notice>
      )}
      {isTried && (
        <Notice meaning={delivery.Status === 'Sent' ? 'success' : 'danger'}>
          <p>{words(delivery.Status === 'Sent' ? 'webhooks.test.taken' : 'webhooks.test.failed')}</p>
          <p>
            <Outcome of={delivery} />
          </p>
        </Notice>
      )}
      <Actions>
        {delivery && (
          <Way href={`/console/webhooks/deliveries/${delivery.Id}`} label="webhooks.delivery.open" />
        )}
        <Button onClick={close}>{words('dialog.close')}</Button>
      </Actions>
    </Dialog>
  );
}

const change = sends('PATCH /admin/webhook/{id}');

export const WebhookScreen = defineScreen({
  operation: 'GET /admin/webhook/{id}',
  texts: 'webhooks',
  state: (webhook) => <StateBadge state={stateOf(webhook)} />,
  wide: true,
  notice: ({ DisabledReason: reason }) => (
    <>
      <WebhooksOff />
      {reason !== null && (
        <Notice meaning="danger">
          {words(reason === 'Gone' ? 'webhooks.disabled.gone' : 'webhooks.disabled.failing')}
        </Notice>
      )}
    </>
  ),
  facts: ({ FormerSecretUntil: until }) => [
    copied('webhooks.id', 'Id'),
    ['webhooks.url', ({ Url }) => Url],
    ['webhooks.types', ({ Types: types }) => types.join(', ')],
    at('webhooks.failingSince', 'FailingSince'),
    at('webhooks.disabledAt', 'DisabledAt'),
    until !== null && Date.parse(until) > Date.now() && at('webhooks.overlap', 'FormerSecretUntil'),
    at('fact.created', 'CreatedAt'),
    changesOf('webhooks.changes'),
  ],
  acts: [
    {
      label: 'webhooks.test',
      button: 'button',
      if: ({ IsEnabled }, me) => IsEnabled && me.HasWebhooks,
      Part: TestDialog,
    },
    act({
      label: 'webhooks.edit',
      fields: FIELDS,
      run: change,
      done: 'webhooks.changed',
      undo: 'fields',
    }),
    act({
      label: 'webhooks.rotate',
      if: (_, me) => me.HasWebhooks,
      run: calls('POST /admin/webhook/{id}/rotate'),
      secret: secretOnce,
    }),
    act({
      label: ({ IsEnabled }) => (IsEnabled ? 'webhooks.disable' : 'webhooks.enable'),
      run: (callApi, webhook) => change(callApi, webhook, { IsEnabled: !webhook.IsEnabled }),
      done: 'webhooks.changed',
      undo: (callApi, webhook) => change(callApi, webhook, { IsEnabled: webhook.IsEnabled }),
    }),
    act({
      label: 'webhooks.delete',
      kind: 'danger',
      typed: ({ Name }) => Name,
      run: calls('DELETE /admin/webhook/{id}'),
      next: () => '/console/webhooks',
    }),
  ],
  lists: (id) => (
    <>
      <h2>{words('webhooks.deliveries')}</h2>
      <List {...DELIVERY_LIST} query={{ webhookId: id, count: true }} />
    </>
  ),
});

export const WebhooksScreen = defineList({
  operation: 'GET /admin/webhook',
  caption: 'c.webhooks.title',
  none: 'webhooks.none',
  extra: () => <WebhooksOff />,
  columns: [
    linkTo('webhooks.name', 'webhooks', 'Id', 'Name'),
    ['fact.state', (webhook) => <StateBadge state={stateOf(webhook)} />],
    ['webhooks.url', ({ Url }) => Url, 'clipped'],
    ['webhooks.types', ({ Types: types }) => types.join(', '), 'clipped'],
    ago('fact.created', 'CreatedAt'),
  ],
  actions: () => <Way href="/console/webhooks/deliveries" label="webhooks.deliveries" />,
  acts: [CREATE],
});

function EventTypes({ initial }: { initial: string }) {
  const { data } = useQuery('GET /events.json');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set(listIn(initial)));
  const error = useFieldError('Types');
  const box: Box = (type, label) => (
    <label key={type}>
      <input
        type="checkbox"
        checked={chosen.has(type) || isIncluded(chosen, type)}
        disabled={isIncluded(chosen, type)}
        onChange={({ currentTarget }) => setChosen(toggled(chosen, type, currentTarget.checked))}
      />
      {label}
    </label>
  );
  return (
    // It has the name of the field so that it takes the focus if nothing is chosen.
    <fieldset class={styles['types']} name="Types" tabIndex={-1}>
      <legend>{words('webhooks.types')}</legend>
      <input type="hidden" name="Types" value={[...chosen].join(',')} required />
      {error && <p class={styles['error']}>{error}</p>}
      {box('*', words('webhooks.types.all'))}
      {groupsOf(Object.keys(data ?? {})).map((group) => (
        <Group key={group.subject} {...group} chosen={chosen} box={box} />
      ))}
    </fieldset>
  );
}

type Box = (type: string, label: ComponentChildren) => ComponentChildren;

/** The types of one subject; open at first if some of them are chosen. */
function Group({ subject, types, chosen, box }: EventGroup & { chosen: ReadonlySet<string>; box: Box }) {
  const count = types.filter((type) => chosen.has(type) || isIncluded(chosen, type)).length;
  const [isOpen] = useState(count > 0 && count < types.length);
  return (
    <details class={styles['group']} open={isOpen}>
      <summary>
        {subject} <span class="quiet">{words('webhooks.types.count', { count, all: types.length })}</span>
      </summary>
      <div>
        {box(`${subject}.*`, words('webhooks.types.group', { subject }))}
        {types.map((type) => box(type, <code>{type}</code>))}
      </div>
    </details>
  );
}
