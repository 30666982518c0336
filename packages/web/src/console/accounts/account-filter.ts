import type { Answer, Input } from '../api/call-api.ts';
import { momentOf } from '../ui/moment.ts';

export type ListedAccount = Answer<'GET /admin/account'>['Items'][number];
export type AccountQuery = NonNullable<Input<'GET /admin/account'>['query']>;
export type AccountFilter = NonNullable<Input<'POST /admin/account/bulk'>['body']>['Filter'];

/** The accounts that a change targets: all that match a filter, or the selected ones (their emails, by their ids). */
export type Target =
  { filter: AccountFilter; query: AccountQuery } | { selected: ReadonlyMap<string, string> };

type Values = Readonly<Record<string, string>>;

const TEXTS = [
  'search',
  'email',
  'role',
  'loginStatus',
  'hasTwoFactor',
  'hasPasskey',
  'isThrottled',
  'isService',
] as const;
const YES_OR_NO: ReadonlySet<string> = new Set(['hasTwoFactor', 'hasPasskey', 'isThrottled', 'isService']);
const MOMENTS = ['createdFrom', 'createdTo', 'lastLoginBefore'] as const;

/** The filters in the address, as query parameters of the API. */
export function queryOf(values: Values): AccountQuery {
  const query = {
    ...Object.fromEntries(TEXTS.map((name) => [name, values[name]])),
    ...Object.fromEntries(MOMENTS.map((name) => [name, momentOf(values[name])])),
  };
  // The address may contain any value: the API rejects the invalid ones.
  return query;
}

/** The filters in the address, as the `Filter` of a bulk change; `undefined` if there are none. */
export function filterOf(values: Values): AccountFilter | undefined {
  const given = Object.entries(queryOf(values)).filter(([, value]) => value !== undefined && value !== '');
  if (given.length === 0) return undefined;
  return Object.fromEntries(
    given.map(([name, value]) => [`${name.charAt(0).toUpperCase()}${name.slice(1)}`, valueOf(name, value)]),
  );
}

/** Converts text to its JSON type. An invalid boolean stays unchanged, so that the API rejects it. */
function valueOf(name: string, value: unknown): unknown {
  if (name === 'loginStatus') return Number(value);
  if (!YES_OR_NO.has(name)) return value;
  return value === 'true' || (value === 'false' ? false : value);
}
