import type { Person } from '@gatehouse/db';

/**
 * The tag of a person's editable fields: name, notes, external id. The counts are not part of it, so that a newly
 * reported face does not invalidate an edit.
 */
export function etagOf({ version }: Pick<Person, 'version'>): string {
  return `"${version}"`;
}

/**
 * Tells whether a person is in the state that the caller of a change saw (RFC 9110 §13.1.1): one of the tags of `If-Match`,
 * compared strongly, is theirs; `*` is anybody's who is there. Without the header every state will do.
 */
export function matcherOf(ifMatch: string | undefined): (person: Pick<Person, 'version'>) => boolean {
  if (ifMatch === undefined || ifMatch.trim() === '*') return () => true;
  const tags = ifMatch.split(',').map((tag) => tag.trim());
  return (person) => tags.includes(etagOf(person));
}
