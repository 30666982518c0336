import type { Answer } from '../api/call-api.ts';

export type Account = Answer<'GET /admin/account/{id}'>;

/** What stands in the way of its next login. */
export type Standing = Answer<'GET /admin/account/{id}/standing'>;
