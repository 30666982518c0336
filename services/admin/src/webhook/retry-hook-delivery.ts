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
    'Sends it within a second, with all its attempts. Returns 409 if it is not parked, its webhook is ' +
    'disabled, or its application has no `BackchannelLogoutUri` any more.',
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
      case 'unwanted':
        throw refuse('conflict', 'The webhook is disabled, or the application has no logout address');
      case 'not_parked':
        throw refuse('conflict', `Only a parked delivery can be retried; this one is ${outcome.status}`);
    }
  },
});
