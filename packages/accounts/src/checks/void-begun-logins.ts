import { begunLogins, loginCodes, type Transaction } from '@gatehouse/db';

/**
 * Makes logins of an account invalid that were begun: mailed codes, and the tokens that stand for a first factor or for a
 * whole proof. What proved enough for the account may be too little once its role or its email has changed.
 */
export async function voidBegunLogins(tx: Transaction, accountId: string): Promise<void> {
  await loginCodes.deleteAll(tx, accountId);
  await begunLogins.deleteOf(tx, [accountId]);
}
