import { hookDeliveryAdmin } from '@gatehouse/db';
import { Nullable, Type, Uuid } from '@gatehouse/schema';
import { route } from '../deps.ts';
import { hookDeliveryAnswer, HookDeliveryAnswer, HookDeliveryPath } from './hook-delivery-answer.ts';

export const getHookDelivery = route({
  method: 'get',
  path: '/admin/hook-delivery/:id',
  operationId: 'getHookDelivery',
  tag: 'Webhooks',
  summary: 'Get a delivery and what is sent',
  access: ['Admin'],
  params: HookDeliveryPath,
  response: Type.Object({
    ...HookDeliveryAnswer.properties,
    Body: Nullable(Type.String(), { description: 'The event as it is sent to a webhook' }),
    UserId: Nullable(Uuid(), { description: 'Whose session has ended, as an application is told' }),
    SessionId: Nullable(Uuid()),
  }),
  errors: ['not_found'],
  handler: async ({ params, deps, refuse }) => {
    const hook = await hookDeliveryAdmin.findById(deps.db, params.id);
    if (hook === undefined) throw refuse('not_found', 'Delivery not found');
    return {
      ...hookDeliveryAnswer(hook),
      Body: hook.body,
      UserId: hook.accountId,
      SessionId: hook.sessionId,
    };
  },
});
