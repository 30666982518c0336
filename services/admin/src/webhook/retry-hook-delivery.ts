import { actorOf, retryHook } from '@gatehouse/accounts';
import { route } from '../deps.ts';
import { hookDeliveryAnswer, HookDeliveryAnswer, HookDeliveryPath } from './hook-delivery-answer.ts';

export const retryHookDelivery = route({
  method: 'post',
  path: '/admin/hook-delivery/:id/retry',
  operationId: 'retryHookDelivery',
  tag: 'Webhooks',
  summary: 'Retry a parked delivery',
  description:
    'Sends it within a second, with all its attempts. Returns 409 if it is not parked, or its webhook is disabled.',
  access: ['Admin'],
  recent: { never: 'it sends again what was sent to the same address' },
  params: HookDeliveryPath,
  response: HookDeliveryAnswer,
  errors: ['not_found', 'conflict'],
  handler: async ({ params, caller, deps, request, refuse }) => {
    const outcome = await retryHook(deps, params.id, actorOf(caller), request);
    switch (outcome?.kind) {
      case 'queued':
        return hookDeliveryAnswer(outcome.hook);
      case undefined:
        throw refuse('not_found', 'Delivery not found');
      case 'disabled':
        throw refuse('conflict', 'The webhook is disabled');
      case 'not_parked':
        throw refuse('conflict', `Only a parked delivery can be retried; this one is ${outcome.status}`);
    }
  },
});
