import type { Input } from '../api/ask.ts';

export type SessionFilter = NonNullable<NonNullable<Input<'POST /admin/user-session'>['body']>['Filter']>;

/** The statuses of sessions; 6 is for invitations alone. */
export const STATUSES = [1, 2, 3, 4, 5, 7, 8] as const;

/** The filter of a list as a change takes it; nothing where the list is of everybody. */
export function filterOf(values: Readonly<Record<string, string>>): SessionFilter | undefined {
  const filter = {
    ...(values['status'] && { Status: Number(values['status']) as (typeof STATUSES)[number] }), // else the API refuses it
    ...(values['search'] && { Search: values['search'] }),
    ...(values['isOnline'] && { IsOnline: values['isOnline'] === 'true' }),
    ...(values['userId'] && { UserId: values['userId'] }),
    ...(values['contentDefinitionId'] && { ContentDefinitionId: values['contentDefinitionId'] }),
  };
  return Object.keys(filter).length === 0 ? undefined : filter;
}
