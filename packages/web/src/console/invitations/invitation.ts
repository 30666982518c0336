import type { Answer, Input } from '../api/call-api.ts';

export type Invitation = Answer<'GET /admin/invitation'>['Items'][number];

export type InvitationFilter = NonNullable<Input<'POST /admin/invitation/bulk'>['body']>['Filter'];
