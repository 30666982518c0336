import type { Answer } from '../api/call-api.ts';

export type Content = Answer<'GET /admin/content-definition/{id}'>;
export type Member = Answer<'GET /admin/content-definition/{id}/member'>['Items'][number];

export const KINDS: readonly Content['Kind'][] = ['LiveChannel', 'Recording', 'Document'];
