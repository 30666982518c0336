import { countRows } from '@gatehouse/accounts';
import { hookDeliveryAdmin } from '@gatehouse/db';
import { eventTypes } from '@gatehouse/events';
import { CountedPage, countQuery, pagingById, pagingQuery } from '@gatehouse/http';
import { NameOf, Type, Uuid } from '@gatehouse/schema';
import { route } from '../deps.ts';
import { by, defineFilters, moment } from '../filters.ts';
import { hookDeliveryAnswer, HookDeliveryAnswer, HookStatus } from './hook-delivery-answer.ts';

const paging = pagingById('HookDeliveryId');

const filters = defineFilters({
  webhookId: by(Uuid()),
  clientId: by(Uuid()),
  status: by(HookStatus),
  type: by(NameOf(eventTypes)),
  eventId: by(Uuid()),
  from: moment(),
  to: moment(),
});

export const listHookDeliveries = route({
  method: 'get',
  path: '/admin/hook-delivery',
  operationId: 'listHookDeliveries',
  tag: 'Webhooks',
  summary: 'List deliveries to webhooks and applications, newest first',
  description:
    'Lists what the hook worker has recorded in the last `WEBHOOK_KEEP_DAYS`. `from` and `to` filter by the time when ' +
    'it was recorded. A page can be short or empty and still have a `NextCursor`.',
  access: ['Admin'],
  query: Type.Object({ ...pagingQuery(), ...countQuery(), ...filters.query }),
  response: CountedPage(HookDeliveryAnswer),
  handler: ({ query, deps, request }) => {
    const filter = filters.ofQuery(query);
    return paging.answer(query, {
      find: (page) => hookDeliveryAdmin.findNewest(deps.db, filter, page),
      count: () => countRows(deps, hookDeliveryAdmin.rowsOf(filter), request),
      items: (rows) => rows.map(hookDeliveryAnswer),
    });
  },
});
