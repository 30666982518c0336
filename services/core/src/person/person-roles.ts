import { PERSON_ACCESS } from './person-answer.ts';

/** A role that may be allowed to manage persons. */
export type PersonRole = (typeof PERSON_ACCESS)[number];

/** Parses `PERSON_ROLES`, ignoring case; `undefined` if it is empty or contains an unknown role. */
export function readPersonRoles(text: string): [PersonRole, ...PersonRole[]] | undefined {
  const names = text.split(',').map((name) => name.trim().toLowerCase());
  const roles = PERSON_ACCESS.filter((role) => names.includes(role.toLowerCase()));
  const [first, ...others] = roles;
  const areKnown = names.every((name) => PERSON_ACCESS.some((role) => role.toLowerCase() === name));
  return first === undefined || !areKnown ? undefined : [first, ...others];
}
