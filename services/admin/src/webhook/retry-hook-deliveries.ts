import { CHANGED_MAX, retryHooks } from '@gatehouse/accounts';
import { eventTypes } from '@gatehouse/events';
import { NameOf, Type, Uuid } from '@gatehouse/schema';
import { changeInBulk } from '../bulk-order.ts';
import { route } from '../deps.ts';
import { by, defineFilters, moment } from '../filters.ts';
import { HookErrorName } from './hook-delivery-answer.ts';

const filters = defineFilters(
  {
    webhookId: by(Uuid()),
    clientId: by(Uuid()),
    type: by(NameOf(eventTypes)),
    from: moment(),
    to: moment(),
    error: by(HookErrorName),
  },
  { title: 'ParkedHookDeliveryFilter' },
);

export const retryHookDeliveries = route({
  method: 'post',
  path: '/admin/hook-delivery/retry',
  operationId: 'retryHookDeliveries',
  tag: 'Webhooks',
  summary: 'Retry all matching parked deliveries',
  description:
    'Retries every parked delivery that matches the filter, and skips those of disabled webhooks, and of ' +
    'applications without a `BackchannelLogoutUri`. An empty filter is refused. ' +
    `Returns 409 if more than ${CHANGED_MAX} deliveries match.`,
  access: ['Admin'],
  recent: { never: 'it sends again what was sent to the same addresses' },
  body: Type.Object({ Filter: filters.body, DryRun: Type.Optional(Type.Boolean()) }),
  response: Type.Object({
    Count: Type.Integer({ description: 'Deliveries that are sent again' }),
    Skipped: Type.Integer({ description: 'Matching deliveries that their receivers do not want any more' }),
  }),
  errors: ['conflict'],
  handler: async ({ body, deps, ...asked }) => {
    const filter = filters.ofBody(body.Filter);
    const most = { max: CHANGED_MAX, things: 'deliveries' };
    const { count, skipped } = await changeInBulk({ ...asked, body }, most, (order) =>
      retryHooks(deps, filter, order),
    );
    return { Count: count, Skipped: skipped };
  },
});
