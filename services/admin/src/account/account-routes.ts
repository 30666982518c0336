import { getAccount, listAccounts } from './account.ts';
import { inviteAccounts, updateAccounts } from './bulk.ts';
import { createAccount, updateAccount } from './change.ts';
import { changeEmail, inviteAccount, resetPassword } from './owner.ts';

/** In the order of the documents. */
export const accountRoutes = [
  ...[listAccounts, getAccount, createAccount, updateAccount, updateAccounts],
  ...[changeEmail, inviteAccounts, inviteAccount, resetPassword],
];
