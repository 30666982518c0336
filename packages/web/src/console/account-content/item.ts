import type { Answer } from '../api/call-api.ts';

/** One content of an account, and how it stands to it. */
export type Item = Answer<'GET /admin/account/{id}/content'>['Items'][number];
