import type { Answer, Operation } from '../api/call-api.ts';

export type Webhook = Answer<'GET /admin/webhook/{id}'>;
export type HookDelivery = Answer<'GET /admin/hook-delivery'>['Items'][number];

/** The operations whose answers a change of a webhook may affect. */
export const SHOWING_WEBHOOKS: readonly Operation[] = [
  'GET /admin/webhook',
  'GET /admin/webhook/{id}',
  'GET /admin/hook-delivery',
  'GET /admin/hook-delivery/{id}',
];
