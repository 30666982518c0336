import { countAccounts, findAccounts } from '@gatehouse/accounts';
import { accountAdmin, type Db } from '@gatehouse/db';
import {
  countFields,
  CountedPage,
  countQuery,
  invalidRequest,
  pagingById,
  pagingQuery,
} from '@gatehouse/http';
import { isUuid, Text, Type } from '@gatehouse/schema';
import { route } from '../deps.ts';
import { accountAnswer, AccountAnswer } from '../account-answer.ts';
import { accountFilters } from './account-filters.ts';

const paging = pagingById('AccountId');

const IDS_MAX = 100;

export const listAccounts = route({
  method: 'get',
  path: '/admin/account',
  operationId: 'listAccounts',
  tag: 'Accounts',
  summary: 'List accounts, newest first',
  description:
    '`email` matches a complete email address, `search` an account ID or part of the email address or ' +
    'name, `loginStatus` the status that the next login with the correct password would return. `ids` ' +
    'returns the accounts with these IDs on one page, and cannot be combined with other parameters. A ' +
    'page can be short or empty and still have a `NextCursor`.',
  access: ['Admin'],
  query: Type.Object({
    ...pagingQuery(),
    ...countQuery(),
    ...accountFilters.query,
    ids: Type.Optional(
      Text(IDS_MAX * 37, { description: `1 to ${IDS_MAX} account IDs, separated by commas` }),
    ),
  }),
  response: CountedPage(AccountAnswer),
  handler: async ({ query, deps, request }) => {
    const { limit: _limit, count, ids, ...others } = query;
    if (ids !== undefined) {
      refuseOthers(others);
      const Items = await findInOrder(deps.db, readIds(ids));
      return { Items, ...countFields(count === true ? { count: Items.length, isExact: true } : undefined) };
    }
    const filter = accountFilters.ofQuery(query);
    return paging.answer(query, {
      find: (page) => findAccounts(deps, filter, page),
      count: () => countAccounts(deps, filter, request),
      items: (rows) => rows.map(accountAnswer),
    });
  },
});

async function findInOrder(db: Db, ids: readonly string[]) {
  const found = new Map((await accountAdmin.findMany(db, ids)).map((account) => [account.id, account]));
  return ids.flatMap((id) => found.get(id) ?? []).map(accountAnswer);
}

function refuseOthers(others: Record<string, unknown>): void {
  const given = Object.keys(others).filter((name) => others[name] !== undefined);
  if (given.length === 0) return;
  throw invalidRequest(undefined, {
    errors: ['ids', ...given].map((name) => ({
      pointer: `/query/${name}`,
      message: 'ids cannot be combined with other parameters',
      code: 'does_not_go_with',
    })),
  });
}

function readIds(text: string): string[] {
  const ids = text.split(',').map((id) => id.trim().toLowerCase());
  const fault = ids.every(isUuid)
    ? ids.length > IDS_MAX && ({ message: `must have at most ${IDS_MAX} IDs`, code: 'too_many' } as const)
    : ({ message: 'must be UUIDs separated by commas', code: 'not_a_uuid' } as const);
  if (!fault) return [...new Set(ids)];
  throw invalidRequest(undefined, { errors: [{ pointer: '/query/ids', ...fault }] });
}
