import { Text, Type } from '@gatehouse/schema';
import type { ApiError } from './errors.ts';
import { invalidField } from './refusals.ts';

export const SessionTag = Type.Optional(
  Text(32, {
    description:
      'The kind of device, a tag of `SESSION_SLOTS` such as `mobile`; by default that of the account pages',
  }),
);

/** @throws {ApiError} which names the known ones, for an unknown tag. */
export function readSessionTag(tag: string | undefined, known: readonly string[], pointer = '/SessionTag') {
  if (tag === undefined || known.includes(tag)) return tag;
  throw unknownTag(pointer, known);
}

function unknownTag(pointer: string, known: readonly string[]): ApiError {
  const message =
    known.length === 0 ? 'is not a tag: SESSION_SLOTS names none' : `must be one of: ${known.join(', ')}`;
  return invalidField(pointer, message, 'unknown_value');
}

/** Times that have passed or have a year above 9999 are refused. */
export function readFutureMoment(text: string, pointer: string, now: number): Date {
  const moment = new Date(text);
  if (moment.getTime() > now && moment.getUTCFullYear() <= 9999) return moment;
  throw invalidField(pointer, 'must be a moment in the future', 'malformed');
}
