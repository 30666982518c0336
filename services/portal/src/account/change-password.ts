import {
  accountUpdated,
  byOwner,
  describePasswordFault,
  endSessions,
  mailNotice,
  publishSessions,
  type ProvedAccount,
} from '@gatehouse/accounts';
import { Password, SessionStatus, Type } from '@gatehouse/schema';
import {
  accountCodes,
  accounts,
  audit,
  inTransaction,
  outbox,
  passwordProofs,
  userSessions,
} from '@gatehouse/db';
import { unfitPassword, type Refuse, type RequestFacts } from '@gatehouse/http';
import { route, type Deps } from '../deps.ts';
import { provePassword } from './own-password.ts';

export const changePassword = route({
  method: 'post',
  path: '/account/change-password',
  operationId: 'changePassword',
  tag: 'Account',
  summary: 'Change your password',
  description:
    'Ends all other sessions of the account and invalidates all codes that were emailed to it. A wrong current ' +
    'password counts as a failed login.',
  access: 'session',
  body: Type.Object({ CurrentPassword: Password(), Password: Password() }),
  response: Type.Object({}),
  errors: ['wrong_password', 'too_many_requests'],
  handler: async ({ body, caller, deps, request, refuse }) => {
    const own = await accounts.findById(deps.db, caller.accountId);
    const fault = describePasswordFault(deps, body.Password, own?.email ?? '');
    if (fault !== undefined) throw unfitPassword(fault);
    const proved = await provePassword(deps, caller.accountId, body.CurrentPassword, request, refuse);
    const passwordHash = await deps.passwords.hash(body.Password);
    await setPassword(deps, proved, passwordHash, caller.sessionId, request, refuse);
    return {};
  },
});

/** What others may have got hold of with the older password is void: sessions, and codes that wait for use. */
async function setPassword(
  deps: Deps,
  { account: checked, proof }: ProvedAccount,
  passwordHash: string,
  sessionId: string,
  request: RequestFacts,
  refuse: Refuse<'wrong_password'>,
): Promise<void> {
  const { id } = checked;
  const change = { status: SessionStatus.Deactivated, reason: 'password_changed', changedBy: id };
  const ended = await inTransaction(deps.db, request, async (tx) => {
    const account = await accounts.lockById(tx, id);
    // The password that was checked is not the account's any more.
    if (account?.passwordVersion !== checked.passwordVersion) throw refuse('wrong_password');
    if (!(await passwordProofs.changePassword(tx, id, { proof, passwordHash })))
      throw refuse('wrong_password');
    const changed = account.isNewPasswordRequired ? ['NewPasswordRequired'] : [];
    await outbox.add(tx, accountUpdated(id, changed, { changedBy: id, origin: request }));
    await userSessions.followPassword(tx, sessionId);
    await accountCodes.deleteAll(tx, id);
    const told = { UserId: id, Reason: 'change' };
    await mailNotice(deps, tx, account, 'account.password-changed', told, request);
    await audit.append(tx, [byOwner('password.changed', id)], request);
    return endSessions(deps, tx, { accountId: id, exceptSessionId: sessionId }, change, request);
  });
  await publishSessions(deps, ended);
}
