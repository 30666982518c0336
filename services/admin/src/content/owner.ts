import { accounts, type Transaction } from '@gatehouse/db';
import { invalidRequest } from '@gatehouse/http';

/** The owner that content is to have, locked: an account that may invite, or nobody. */
export async function lockOwner(tx: Transaction, ownerId: string | null): Promise<string | null> {
  if (ownerId === null) return null;
  const owner = await accounts.lockById(tx, ownerId);
  if (owner !== undefined && owner.role !== 'Guest') return owner.id;
  throw invalidRequest(undefined, {
    errors: [
      {
        pointer: '/OwnerId',
        message: 'must be an account with a role other than Guest',
        code: 'unknown_object',
      },
    ],
  });
}
