import { accountAdmin, accounts, accountSearch, countRows, loginThrottle } from '@gatehouse/db';
import { throttledSubjectOf, type Executor } from '@gatehouse/db';
import {
  CountedPage,
  countFields,
  countQuery,
  invalidField,
  invalidRequest,
  pagingById,
  pagingQuery,
} from '@gatehouse/http';
import { by, defineFilters, email, moment, search } from '@gatehouse/kit';
import { Group, isUuid, LoginStatus, OneOf, Text, Type, Uuid } from '@gatehouse/schema';
import { accountAnswer, AccountAnswer, Role, unknownAccount } from '../account-answer.ts';
import { routeOf } from '../deps.ts';

const route = routeOf({ tag: 'Accounts', access: ['Admin'] });

const FILTERS = {
  search: search(254),
  email: email(),
  role: by(Role),
  loginStatus: by(OneOf(LoginStatus)),
  hasTwoFactor: by(Type.Boolean(), 'Whether two-factor authentication is enabled'),
  hasPassword: by(Type.Boolean()),
  hasPasskey: by(Type.Boolean()),
  isService: by(Type.Boolean()),
  disabledUntilBefore: moment(),
  group: by(Group(), 'Accounts that have this group'),
  createdFrom: moment(),
  createdTo: moment(),
  lastLoginBefore: moment(),
  isThrottled: by(Type.Boolean(), 'Whether logins currently have to wait after failed attempts'),
};

const accountFilters = defineFilters(FILTERS);

/** Which accounts a bulk change applies to: also by their ids, which the list does not combine with filters. */
export const accountBulkFilters = defineFilters(
  { ids: by(Type.Array(Uuid(), { minItems: 1, maxItems: 1000 })), ...FILTERS },
  {
    title: 'AccountFilter',
    description: 'The same filters as for listing accounts; at least one is required',
  },
);
/** Which accounts are requested; an account must meet all given conditions. */
type AccountQuery = ReturnType<typeof accountBulkFilters.ofBody>;

const paging = pagingById('AccountId');

const IDS_MAX = 100;

export const listAccounts = route('GET /admin/account', {
  operationId: 'listAccounts',
  summary: 'List accounts, newest first',
  description:
    '`email` matches a complete email address, `search` an account ID or part of the email address or ' +
    'name, `loginStatus` the status that the next login with the correct password would return. `ids` ' +
    'returns the accounts with these IDs on one page, and cannot be combined with other parameters. A ' +
    'page can be short or empty and still have a `NextCursor`.',
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
      find: async (page) => accountSearch.findNewest(deps.db, await conditionsFor(deps.db, filter), page),
      count: async () => countRows(deps, accountSearch.rowsOf(await conditionsFor(deps.db, filter)), request),
      items: (rows) => rows.map(accountAnswer),
    });
  },
});

async function findInOrder(db: Executor, ids: readonly string[]) {
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
  throw invalidField('/query/ids', fault.message, fault.code);
}

/** More waiting keys at one time are an attack; the list then contains those that wait longest. */
const WAITING_MAX = 10_000;

/**
 * The filter in the form that the database needs. A search for the identifier of an account finds only that account.
 * The waiting keys are looked up first, because failures are not stored in the table of accounts.
 */
export async function conditionsFor(db: Executor, { isThrottled, ...asked }: AccountQuery) {
  const id = asked.search?.trim().toLowerCase() ?? '';
  const isNamed = isUuid(id) && (await accounts.findById(db, id)) !== undefined;
  const ids = asked.ids === undefined || asked.ids.includes(id) ? [id] : [];
  const filter = isNamed ? { ...asked, search: undefined, ids } : asked;
  if (isThrottled === undefined) return filter;
  const keys = await loginThrottle.findWaiting(db, WAITING_MAX);
  const emailKeys: string[] = [];
  const accountIds: string[] = [];
  for (const subject of keys.map(throttledSubjectOf)) {
    if (subject?.kind === 'email') emailKeys.push(subject.emailKey);
    else if (subject?.kind === 'second-factor') accountIds.push(subject.accountId);
  }
  return { ...filter, throttled: { is: isThrottled, emailKeys, accountIds } };
}

export const getAccount = route('GET /admin/account/:id', {
  operationId: 'getAccount',
  summary: 'Get an account',
  response: AccountAnswer,
  errors: ['not_found'],
  handler: async ({ params, deps, refuse }) => {
    const account = await accountAdmin.find(deps.db, params.id);
    if (account === undefined) throw unknownAccount(refuse);
    return accountAnswer(account);
  },
});
