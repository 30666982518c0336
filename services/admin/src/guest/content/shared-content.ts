import type { Sharing } from '@gatehouse/accounts';
import type { Caller } from '@gatehouse/auth-core';
import { accounts, contentDefinitions } from '@gatehouse/db';
import type { Deps } from '../../deps.ts';

/** Content with the administrator or static token that shares it; `undefined` if it does not exist. */
export async function sharedContent(
  { db }: Pick<Deps, 'db'>,
  contentId: string,
  caller: Caller,
): Promise<Sharing | undefined> {
  const content = await contentDefinitions.findById(db, contentId);
  if (content === undefined) return undefined;
  if (caller.kind === 'service') return { content, sharer: { id: caller.tokenId, account: undefined } };
  const account = await accounts.findById(db, caller.accountId);
  return { content, sharer: { id: caller.accountId, account } };
}
