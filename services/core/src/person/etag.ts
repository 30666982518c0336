import type { Person } from '@gatehouse/db';

/**
 * The tag of a person's editable fields: name, notes, external id. The counts are not part of it, so that a newly
 * reported face does not invalidate an edit.
 */
export function etagOf({ version }: Pick<Person, 'version'>): string {
  return `"${version}"`;
}

/**
 * Whether a person is in the state that the caller of a change has seen (RFC 9110 §13.1.1): one of the tags in `If-Match`
 * matches by strong comparison; `*` matches any existing person. Without the header every state matches.
 */
export function matcherOf(ifMatch: string | undefined): (person: Pick<Person, 'version'>) => boolean {
  if (ifMatch === undefined || ifMatch.trim() === '*') return () => true;
  const tags = ifMatch.split(',').map((tag) => tag.trim());
  return (person) => tags.includes(etagOf(person));
}
