import { ButtonLink } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { type Answer, type Input, useConsole } from '../api/call-api.ts';
import { Acts, actsOn } from '../kit/act.tsx';
import { at, changesOf, copied, defineScreen, type State, StateBadge } from '../kit/define-screen.tsx';
import { list, text } from '../kit/fields.tsx';
import { defineList, List } from '../kit/list.tsx';
import type { Screen } from '../screen.ts';
import { useWords } from '../text.ts';
import { Time } from '../ui/values.tsx';
import { DeliveriesScreen, DELIVERY_LIST, DeliveryScreen } from './deliveries.tsx';

type Webhook = Answer<'GET /admin/webhook/{id}'>;
type Types = NonNullable<Input<'POST /admin/webhook'>['body']>['Types'];

/** Whether a webhook gets events, and whether its receiver takes them. */
function stateOf({ DisabledReason, IsEnabled, FailingSince }: Webhook): State {
  if (DisabledReason !== null)
    return ['danger', DisabledReason === 'Gone' ? 'webhooks.state.gone' : 'webhooks.state.failed'];
  if (!IsEnabled) return ['neutral', 'webhooks.state.disabled'];
  return FailingSince === null
    ? ['success', 'webhooks.state.enabled']
    : ['warning', 'webhooks.state.failing'];
}

const FIELDS = [
  text('Name', { label: 'webhooks.name', hint: 'webhooks.name.hint' }),
  text('Url', { label: 'webhooks.url', hint: 'webhooks.url.hint', spellcheck: false }),
  list('Types', {
    label: 'webhooks.types',
    hint: 'webhooks.types.hint',
    initial: (webhook?: Webhook) => webhook?.Types ?? ['*'],
    required: true,
    as: (types) => types as Types, // the API refuses names of events that do not exist
  }),
] as const;

const CHANGED = [
  'GET /admin/webhook',
  'GET /admin/webhook/{id}',
  'GET /admin/hook-delivery',
  'GET /admin/hook-delivery/{id}',
] as const;
const act = actsOn<Webhook>(...CHANGED);
const ofWebhook = ({ Id }: Webhook) => ({ path: { id: Id } });

const secretOnce = ({ Secret }: { Secret: string }) =>
  ({
    secret: Secret,
    title: 'webhooks.secret.once',
    label: 'webhooks.secret',
    copy: 'webhooks.secret.copy',
    lead: 'webhooks.secret.lead',
  }) as const;

/** Says that no events are sent in this installation, and how that is changed. */
function WebhooksOff() {
  const words = useWords();
  const { me } = useConsole();
  return me.HasWebhooks ? null : <Notice meaning="information">{words('webhooks.off')}</Notice>;
}

const CREATE = actsOn<undefined>(...CHANGED)({
  label: 'webhooks.create',
  button: 'create',
  kind: 'primary',
  if: (_, me) => me.HasWebhooks,
  fields: FIELDS,
  run: (callApi, _, body) => callApi('POST /admin/webhook', { body }),
  secret: secretOnce,
  next: ({ Id }) => `/console/webhooks/${Id}`,
});

const TEST = act({
  label: 'webhooks.test',
  button: 'at once',
  if: ({ IsEnabled }, me) => IsEnabled && me.HasWebhooks,
  run: (callApi, webhook) => callApi('POST /admin/webhook/{id}/test', ofWebhook(webhook)),
  done: 'webhooks.tested',
});

const EDIT = act({
  label: 'webhooks.edit',
  submit: 'webhooks.edit.submit',
  fields: FIELDS,
  run: (callApi, webhook, body) => callApi('PATCH /admin/webhook/{id}', { ...ofWebhook(webhook), body }),
  done: 'webhooks.changed',
});

const ROTATE = act({
  label: 'webhooks.rotate',
  if: (_, me) => me.HasWebhooks,
  title: 'webhooks.rotate.title',
  lead: 'webhooks.rotate.lead',
  run: (callApi, webhook) => callApi('POST /admin/webhook/{id}/rotate', ofWebhook(webhook)),
  secret: secretOnce,
});

const SWITCH = act({
  label: ({ IsEnabled }) => (IsEnabled ? 'webhooks.disable' : 'webhooks.enable'),
  title: ({ IsEnabled }) => (IsEnabled ? 'webhooks.disable.title' : 'webhooks.enable.title'),
  lead: ({ IsEnabled }) => (IsEnabled ? 'webhooks.disable.lead' : 'webhooks.enable.lead'),
  run: (callApi, webhook) =>
    callApi('PATCH /admin/webhook/{id}', { ...ofWebhook(webhook), body: { IsEnabled: !webhook.IsEnabled } }),
  done: 'webhooks.changed',
});

const DELETE = act({
  label: 'webhooks.delete',
  title: 'webhooks.delete.title',
  lead: 'webhooks.delete.lead',
  kind: 'danger',
  typed: ({ Name }) => Name,
  run: (callApi, webhook) => callApi('DELETE /admin/webhook/{id}', ofWebhook(webhook)),
  done: 'webhooks.deleted',
  next: () => '/console/webhooks',
});

/** One webhook, and its deliveries. */
const WebhookScreen = defineScreen({
  operation: 'GET /admin/webhook/{id}',
  one: 'webhooks.one',
  title: ({ Name }) => Name,
  state: (webhook) => <StateBadge state={stateOf(webhook)} />,
  wide: true,
  notice: ({ DisabledReason: reason }, words) => (
    <>
      <WebhooksOff />
      {reason !== null && (
        <Notice meaning="danger">
          {words(reason === 'Gone' ? 'webhooks.disabled.gone' : 'webhooks.disabled.failing')}
        </Notice>
      )}
    </>
  ),
  factsTitle: 'webhooks.facts',
  facts: ({ FormerSecretUntil: until }) => [
    copied('webhooks.id', 'Id'),
    ['webhooks.url', ({ Url }) => Url],
    ['webhooks.types', ({ Types: types }) => types.join(', ')],
    at('webhooks.failingSince', 'FailingSince'),
    at('webhooks.disabledAt', 'DisabledAt'),
    until !== null && Date.parse(until) > Date.now() && at('webhooks.overlap', 'FormerSecretUntil'),
    at('webhooks.created', 'CreatedAt'),
    changesOf('webhooks.changes'),
  ],
  acts: [TEST, EDIT, ROTATE, SWITCH, DELETE],
  menu: 'webhooks.actions',
  lists: (id, words) => (
    <>
      <h2>{words('webhooks.deliveries')}</h2>
      <List {...DELIVERY_LIST} query={{ webhookId: id, count: true }} />
    </>
  ),
  all: ['webhooks', 'webhooks.all'],
});

/** The webhooks that events are posted to. */
const WebhooksScreen = defineList({
  operation: 'GET /admin/webhook',
  caption: 'c.webhooks.title',
  none: 'webhooks.none',
  first: (words) => <p>{words('webhooks.none.lead')}</p>,
  extra: () => <WebhooksOff />,
  columns: ({ words }) => [
    {
      head: words('webhooks.name'),
      cell: ({ Id, Name }) => <a href={`/console/webhooks/${Id}`}>{Name}</a>,
      isClipped: true,
    },
    { head: words('webhooks.state'), cell: (webhook) => <StateBadge state={stateOf(webhook)} /> },
    { head: words('webhooks.url'), cell: ({ Url }) => Url, isClipped: true },
    { head: words('webhooks.types'), cell: ({ Types: types }) => types.join(', '), isClipped: true },
    { head: words('webhooks.created'), cell: ({ CreatedAt }) => <Time at={CreatedAt} /> },
  ],
  actions: ({ words }) => (
    <>
      <ButtonLink href="/console/webhooks/deliveries">{words('webhooks.deliveries')}</ButtonLink>
      <Acts acts={[CREATE]} row={undefined} />
    </>
  ),
});

export const webhookScreens: readonly Screen[] = [
  {
    path: '/webhooks',
    component: WebhooksScreen,
    nav: { label: 'c.webhooks.title', icon: 'webhooks', key: 'w' },
  },
  // Must precede `/webhooks/:id`. No webhook has the id "deliveries".
  { path: '/webhooks/deliveries', component: DeliveriesScreen },
  { path: '/webhooks/deliveries/:id', component: DeliveryScreen },
  { path: '/webhooks/:id', component: WebhookScreen },
];
