import type { Answer } from '../api/call-api.ts';

export type Account = Answer<'GET /admin/account/{id}'>;
