import type { Session } from './sessions-table.tsx';

/** The name of one of these sessions: its account's email and the address of the login. */
export function sessionName(sessions: readonly Session[] | undefined, id: string): string {
  const found = sessions?.find(({ Id }) => Id === id);
  return found === undefined ? id : [found.Email, found.IpAddress].filter(Boolean).join(' ');
}
