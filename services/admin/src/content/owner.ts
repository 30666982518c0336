import { accounts } from '@gatehouse/db';
import { ApiError } from '@gatehouse/http';
import type { Deps } from '../deps.ts';

/** The owner that content is to have: an account that may invite, or nobody. */
export async function readOwner(deps: Deps, ownerId: string | null): Promise<string | null> {
  if (ownerId === null) return null;
  const owner = await accounts.findById(deps.db, ownerId);
  if (owner !== undefined && owner.role !== 'Guest') return owner.id;
  throw new ApiError('invalid_request', undefined, {
    errors: [{ pointer: '/OwnerId', message: 'must be an account that is no guest' }],
  });
}
