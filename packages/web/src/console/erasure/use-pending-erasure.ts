import type { Account } from '../account/account.ts';
import { useQuery } from '../api/use-query.ts';
import type { Erasure } from './erasure-state.tsx';

interface PendingErasure {
  /** `undefined` while it is loading, and if no erasure is pending. */
  erasure: Erasure | undefined;
  /** Whether the owner requested the erasure: an administrator can still order an earlier one. */
  isOwnWish: boolean;
}

/** The pending erasure of an account, and whether its owner requested it. */
export function usePendingErasure({ Id, ErasesAt }: Pick<Account, 'Id' | 'ErasesAt'>): PendingErasure {
  const enabled = ErasesAt !== null;
  const { data } = useQuery('GET /admin/erasure', { query: { userId: Id, state: 'Pending' } }, { enabled });
  const erasure = enabled ? data?.Items.find(({ UserId }) => UserId === Id) : undefined;
  return { erasure, isOwnWish: erasure?.AskedBy === Id };
}
