import { Email, LoginStatus, OneOf, Text, Type, Uuid } from '@gatehouse/schema';
import { accountAdmin, accountSearch } from '@gatehouse/db';
import { createPaging, Page, pagingQuery } from '@gatehouse/http';
import { route } from '../deps.ts';
import { keyOfEmail } from '../key-of-email.ts';
import { accountAnswer, AccountAnswer, Role } from './account-answer.ts';

const paging = createPaging(Type.Object({ AccountId: Uuid() }));

export const listAccounts = route({
  method: 'get',
  path: '/admin/account',
  operationId: 'listAccounts',
  tag: 'Accounts',
  summary: 'List accounts, newest first',
  description:
    '`email` matches a complete email address in any spelling. `search` matches part of the email address or ' +
    'name, case-insensitively; with one or two characters it matches only the beginning of the email address or ' +
    'of a word in the name. With a large number of accounts, a page of search results can contain fewer than ' +
    '`limit` items, or none, and still have a `NextCursor`. `loginStatus` filters by the status that the next ' +
    'login with the correct password would return.',
  access: ['Admin'],
  query: Type.Object({
    ...pagingQuery(),
    search: Type.Optional(Text(254)),
    email: Type.Optional(Email()),
    role: Type.Optional(Role),
    loginStatus: Type.Optional(OneOf(LoginStatus)),
  }),
  response: Page(AccountAnswer),
  handler: async ({ query, deps }) => {
    const beforeId = paging.read(query.cursor)?.AccountId;
    const { search, role, loginStatus } = query;
    const filter = { search, emailKey: keyOfEmail(query.email), role, loginStatus };
    const found = await accountSearch.findNewest(deps.db, filter, { beforeId, max: query.limit + 1 });
    // Not by how many rows there are: an account that was removed meanwhile must not end the list.
    const shown = found.ids.slice(0, query.limit);
    const goOnBehind = found.ids.length > query.limit ? shown.at(-1) : found.goOnBehind;
    const rows = await accountAdmin.findMany(deps.db, shown);
    return {
      Items: rows.map(accountAnswer),
      ...(goOnBehind !== undefined && { NextCursor: paging.cursor({ AccountId: goOnBehind }) }),
    };
  },
});
