import type { Answer, Operation } from '../api/call-api.ts';

export type Application = Answer<'GET /admin/oauth-client/{id}'>;

/** The operations whose answers a change of an application may affect. */
export const SHOWING_APPLICATIONS: readonly Operation[] = [
  'GET /admin/oauth-client',
  'GET /admin/oauth-client/{id}',
  'GET /admin/oauth-client/{id}/session',
];
