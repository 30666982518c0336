import type { Answer, Operation } from '../api/call-api.ts';

export type Account = Answer<'GET /admin/account/{id}'>;

/** The reasons why the owner of an account cannot log in at present. */
export type Standing = Answer<'GET /admin/account/{id}/standing'>;

/** The operations whose answers a change of an account may affect. */
export const SHOWING_ACCOUNTS: readonly Operation[] = [
  'GET /admin/account/{id}',
  'GET /admin/account/{id}/standing',
  'GET /admin/account',
  'GET /admin/user-session',
  'GET /admin/audit',
];

/** Those that an erasure, or taking it back, may affect. */
export const SHOWING_ERASURES: readonly Operation[] = [
  ...SHOWING_ACCOUNTS,
  'GET /admin/erasure',
  'GET /admin/content-definition',
  'GET /admin/account/{id}/content',
];
