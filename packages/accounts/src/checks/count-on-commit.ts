import { afterCommit, type ActivityKind, type Transaction } from '@gatehouse/db';
import type { SignInMethod } from '@gatehouse/schema';
import type { AccountsDeps } from '../deps.ts';

export function countOnCommit(
  { activity }: Pick<AccountsDeps, 'activity'>,
  tx: Transaction,
  kind: ActivityKind,
  times = 1,
): void {
  afterCommit(tx, () => activity.count(kind, times));
}

export const LOGIN_KINDS = {
  Password: 'password',
  MailCode: 'email',
  Passkey: 'passkey',
  SignOn: 'sso',
} as const satisfies Record<SignInMethod, string>;
