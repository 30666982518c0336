import type { Answer } from '../api/call-api.ts';

export type Account = Answer<'GET /admin/account/{id}'>;

/** The reasons why the owner of an account cannot log in at present. */
export type Standing = Answer<'GET /admin/account/{id}/standing'>;
