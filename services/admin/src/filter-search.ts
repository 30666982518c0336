import { invalidRequest } from '@gatehouse/http';

/** The minimum length: a shorter text matches too many accounts for a bulk change. */
export const SEARCH_MIN = 3;

/** The search text of a bulk change. */
export function filterSearch(text: string | undefined): string | undefined {
  const search = text?.trim();
  if (search === undefined || search.length >= SEARCH_MIN) return search;
  throw invalidRequest(undefined, {
    errors: [
      {
        pointer: '/Filter/Search',
        message: `must have at least ${SEARCH_MIN} characters`,
        code: 'too_short',
      },
    ],
  });
}
