import type { Account } from '../account/account.ts';
import { useQuery } from '../api/use-query.ts';
import type { Erasure } from './erasure-state.tsx';

interface PendingErasure {
  /** Nothing while it is not known, and for an account that is not to be erased. */
  erasure: Erasure | undefined;
  /** Whether its owner has asked for it: an administrator may still order it, and sooner. */
  isOwnWish: boolean;
}

/** The erasure of an account that is to come, and who has asked for it. */
export function usePendingErasure({ Id, ErasesAt }: Pick<Account, 'Id' | 'ErasesAt'>): PendingErasure {
  const enabled = ErasesAt !== null;
  const { data } = useQuery('GET /admin/erasure', { query: { userId: Id, state: 'Pending' } }, { enabled });
  const erasure = enabled ? data?.Items.find(({ UserId }) => UserId === Id) : undefined;
  return { erasure, isOwnWish: erasure?.AskedBy === Id };
}
