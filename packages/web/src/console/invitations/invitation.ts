import type { Answer, Input } from '../api/call-api.ts';

export type Invitation = Answer<'GET /admin/invitation'>['Items'][number];

export type InvitationFilter = NonNullable<Input<'POST /admin/invitation/bulk'>['body']>['Filter'];

/** The filters in the address, as the `Filter` of a bulk change; `undefined` if there are none. */
export function filterOf(values: Readonly<Record<string, string>>): InvitationFilter | undefined {
  const { id, email, contentDefinitionId, invitedBy, isExpired } = values;
  const filter = {
    ...(id && { Id: id }),
    ...(email && { Email: email }),
    ...(contentDefinitionId && { ContentDefinitionId: contentDefinitionId }),
    ...(invitedBy && { InvitedBy: invitedBy }),
    ...(isExpired && { IsExpired: isExpired === 'true' }),
  };
  return Object.keys(filter).length === 0 ? undefined : filter;
}
