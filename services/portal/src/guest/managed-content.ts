import type { Sharing } from '@gatehouse/accounts';
import type { Caller } from '@gatehouse/auth-core';
import { accounts, contentDefinitions } from '@gatehouse/db';
import type { Refuse } from '@gatehouse/http';
import type { Deps } from '../deps.ts';

/** Content that the caller may share: its owner, an administrator, or a token of the environment. */
export async function managedContent(
  refuse: Refuse<'not_found' | 'forbidden'>,
  deps: Pick<Deps, 'db'>,
  caller: Caller,
  contentId: string,
): Promise<Sharing> {
  const content = await contentDefinitions.findById(deps.db, contentId);
  if (content === undefined) throw refuse('not_found', 'Content not found');
  const accountId = caller.kind === 'session' ? caller.accountId : undefined;
  const isOwner = accountId !== undefined && content.ownerId === accountId;
  if (!isOwner && caller.role !== 'Admin' && caller.role !== 'Service') {
    throw refuse('forbidden', 'You do not own this content');
  }
  if (caller.kind === 'service') return { content, sharer: { id: caller.tokenId, account: undefined } };
  const account = await accounts.findById(deps.db, caller.accountId);
  return { content, sharer: { id: caller.accountId, account } };
}
