import type { Answer, Operation } from '../api/call-api.ts';

export type Account = Answer<'GET /admin/account/{id}'>;

/** The operations whose answers a change of an account may affect. */
export const SHOWING_ACCOUNTS: readonly Operation[] = [
  'GET /admin/account/{id}',
  'GET /admin/account/{id}/standing',
  'GET /admin/account/{id}/grant',
  'GET /admin/account',
  'GET /admin/user-session',
  'GET /admin/audit',
];
