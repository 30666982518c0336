import { invalidRequest } from '@gatehouse/http';
import { END_REASONS, Text, type EndReason } from '@gatehouse/schema';

/** Validates the end reasons of a filter. */
export const EndReasons = () =>
  Text(400, {
    description: `Why the session ended: one or more of these, separated by commas: ${END_REASONS.join(', ')}`,
  });

export function readEndReasons(text: string | undefined, pointer: string): EndReason[] | undefined {
  if (text === undefined) return undefined;
  const named = text.split(',').map((name) => name.trim());
  const known = END_REASONS.filter((reason) => named.includes(reason));
  if (known.length === new Set(named).size) return known;
  throw invalidRequest(undefined, {
    errors: [{ pointer, message: `must be of ${END_REASONS.join(', ')}`, code: 'unknown_value' }],
  });
}
