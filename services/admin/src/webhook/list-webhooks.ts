import { countRows } from '@gatehouse/accounts';
import { webhooks } from '@gatehouse/db';
import { CountedPage, countQuery, pagingById, pagingQuery } from '@gatehouse/http';
import { Type } from '@gatehouse/schema';
import { route } from '../deps.ts';
import { by, defineFilters } from '../filters.ts';
import { webhookAnswer, WebhookAnswer } from './webhook-answer.ts';

const paging = pagingById('WebhookId');

const filters = defineFilters({ isEnabled: by(Type.Boolean()) });

export const listWebhooks = route({
  method: 'get',
  path: '/admin/webhook',
  operationId: 'listWebhooks',
  tag: 'Webhooks',
  summary: 'List webhooks, newest first',
  access: ['Admin'],
  query: Type.Object({ ...pagingQuery(), ...countQuery(), ...filters.query }),
  response: CountedPage(WebhookAnswer),
  handler: ({ query, deps, request }) => {
    const filter = filters.ofQuery(query);
    return paging.answer(query, {
      find: (page) => webhooks.findNewest(deps.db, filter, page),
      count: () => countRows(deps, webhooks.rowsOf(filter), request),
      items: (rows) => rows.map(webhookAnswer),
    });
  },
});
