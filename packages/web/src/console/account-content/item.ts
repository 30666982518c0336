import type { Answer } from '../api/call-api.ts';

/** A piece of content, and its relation to the account: owner, access or pending invitation. */
export type Item = Answer<'GET /admin/account/{id}/content'>['Items'][number];
