import { invalidRequest } from '@gatehouse/http';

/** What fits nearly everybody is no choice of whom to change. */
export const SEARCH_MIN = 3;

/** The text by which many are chosen at once to be changed. */
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
