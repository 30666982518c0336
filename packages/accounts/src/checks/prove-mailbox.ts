import { accounts, inTransaction, type Account, type Transaction } from '@gatehouse/db';
import type { AccountsDeps, MailDeps, Origin, ThrottleDeps } from '../deps.ts';
import { allowsEmailLogin } from './allows-email-login.ts';
import type { Throttled } from './attempts.ts';
import { checkCode } from './code-check.ts';
import { mailCode } from './mailing.ts';

/** What a caller shows: the code from the mail, as typed. */
export interface MailboxInput {
  mailCode?: string | undefined;
  addressGroup: string;
}

/**
 * Whether the caller reads the account's mails. `use` uses the code up, and returns `false` if another request used it
 * first. `needed`: a code is on its way to the account's address.
 */
export type MailboxProof =
  | { kind: 'proved'; use: (tx: Transaction) => Promise<boolean> }
  | { kind: 'mailbox'; is: 'needed' | 'wrong' }
  | Throttled;

type Deps = ThrottleDeps & MailDeps & Pick<AccountsDeps, 'relay'>;

/**
 * Checks a code that was mailed to the account's present address, or mails one. Where the mailbox opens the account, a
 * change of what opens it must not be possible with a stolen session alone, or leave its owner with a mailbox that they
 * cannot read. Elsewhere nothing is asked.
 */
export async function proveMailbox(
  deps: Deps,
  account: Account,
  { mailCode: typed, addressGroup }: MailboxInput,
  origin: Origin,
): Promise<MailboxProof> {
  if (!allowsEmailLogin(deps.settings, account)) return { kind: 'proved', use: () => Promise.resolve(true) };
  if (typed === undefined) {
    await inTransaction(deps.db, origin, async (tx) => {
      const locked = await accounts.lockById(tx, account.id);
      if (locked !== undefined) await mailCode(deps, tx, locked, 'mailbox', origin);
    });
    deps.relay.wake();
    return { kind: 'mailbox', is: 'needed' };
  }
  const code = await checkCode(deps, { account, purpose: 'mailbox', typed, addressGroup });
  if (code.kind === 'throttled') return code;
  return code.kind === 'failed' ? { kind: 'mailbox', is: 'wrong' } : { kind: 'proved', use: code.use };
}
