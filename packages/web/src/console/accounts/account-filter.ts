import type { Answer, Input } from '../api/call-api.ts';
import { momentOf } from '../ui/moment.ts';

export type ListedAccount = Answer<'GET /admin/account'>['Items'][number];
export type AccountQuery = NonNullable<Input<'GET /admin/account'>['query']>;
export type AccountFilter = NonNullable<Input<'POST /admin/account/bulk'>['body']>['Filter'];

/** The accounts that a change targets: all that match a filter, or those that were selected. */
export type Target = { filter: AccountFilter; query: AccountQuery } | { ids: readonly string[] };

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

/** What the address narrows the list by, as the API takes it. */
export function queryOf(values: Values): AccountQuery {
  const query = {
    ...Object.fromEntries(TEXTS.map((name) => [name, values[name]])),
    ...Object.fromEntries(MOMENTS.map((name) => [name, momentOf(values[name])])),
  };
  // What stands in an address may be anything: the API says what it takes.
  return query;
}

/** The same, as a change of all that match takes it; nothing where the list is of everybody. */
export function filterOf(values: Values): AccountFilter | undefined {
  const given = Object.entries(queryOf(values)).filter(([, value]) => value !== undefined && value !== '');
  if (given.length === 0) return undefined;
  return Object.fromEntries(
    given.map(([name, value]) => [`${name.charAt(0).toUpperCase()}${name.slice(1)}`, valueOf(name, value)]),
  );
}

/** As JSON has it; what is none of that stays as it is, so that the API refuses it. */
function valueOf(name: string, value: unknown): unknown {
  if (name === 'loginStatus') return Number(value);
  if (!YES_OR_NO.has(name)) return value;
  return value === 'true' || (value === 'false' ? false : value);
}
