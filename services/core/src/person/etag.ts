import type { Person } from '@gatehouse/db';
import type { Refuse } from '@gatehouse/http';

/**
 * The tag of what people edit of a person: name, notes, external id. The counts beside them are not in it: a face
 * that is reported meanwhile spoils nobody's edit.
 */
export function etagOf({ version }: Pick<Person, 'version'>): string {
  return `"${version}"`;
}

/**
 * Holds a change to the state that its caller saw (RFC 9110 §13.1.1): one of the tags of `If-Match`, compared
 * strongly, is the person's; `*` is anybody's who is there. Without the header every state will do.
 *
 * @throws {ApiError} 412 when the person was changed meanwhile.
 */
export function requireMatch(
  refuse: Refuse<'precondition_failed'>,
  ifMatch: string | undefined,
  person: Pick<Person, 'version'>,
): void {
  if (ifMatch === undefined || ifMatch.trim() === '*') return;
  const tags = ifMatch.split(',').map((tag) => tag.trim());
  if (!tags.includes(etagOf(person))) throw refuse('precondition_failed');
}
