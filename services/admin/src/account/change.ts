import { actorOf, changeAccount, describePasswordFault, insertAccount, write } from '@gatehouse/accounts';
import type { AccountsDeps } from '@gatehouse/accounts';
import { accountAdmin, query, type AccountChange } from '@gatehouse/db';
import { newEvent } from '@gatehouse/events';
import { type ApiError, confirmationRequired, invalidField, invalidPassword, reply } from '@gatehouse/http';
import {
  DisplayName,
  distinctGroups,
  Email,
  Groups,
  Locale,
  normalizeEmail,
  Nullable,
  Optional,
  Password,
  Text,
  Timestamp,
  Type,
} from '@gatehouse/schema';
import type { Static, TObject } from '@gatehouse/schema';
import {
  accountAnswer,
  AccountAnswer,
  NEEDS_PROOF,
  NewRole,
  Role,
  SessionLimit,
  unknownAccount,
} from '../account-answer.ts';
import { routeOf } from '../deps.ts';
import { mailInvitation } from './owner.ts';

const route = routeOf({ tag: 'Accounts', access: ['Admin'] });

export const createAccount = route('POST /admin/account', {
  operationId: 'createAccount',
  summary: 'Create an account',
  description:
    'An account with a password can log in immediately; one without is completed by its owner with a ' +
    'mailed code (`LoginStatus` 5, or 6 with `IsMigrated`; with `Invite` in a mail now). Guest accounts are created only by ' +
    'invitation. With `IsService` the account is for a program, and needs a `Password` and the role ' +
    '`User`.',
  recent: { when: 'the account gets the role Admin or groups, or is a service account' },
  body: Type.Object({
    Email: Email(),
    Password: Type.Optional(Password()),
    DisplayName: Type.Optional(DisplayName()),
    Locale: Type.Optional(Locale()),
    Role: Type.Optional(NewRole),
    IsMigrated: Optional.Boolean(),
    IsService: Optional.Boolean(),
    Groups: Type.Optional(Groups()),
    Invite: Optional.Boolean({
      description:
        'Mails the owner a link that works for seven days and completes the account, which then must not get a ' +
        '`Password`. `false` by default: nobody is told',
    }),
  }),
  response: AccountAnswer,
  headers: { response: { Location: 'The URL of the account' } },
  status: 201,
  errors: ['email_taken', 'not_found', 'confirmation_required'],
  handler: async ({ body, caller, deps, request, isConfirmed, refuse }) => {
    const groups = distinctGroups(body.Groups ?? []);
    const isLasting = body.Role === 'Admin' || body.IsService === true || groups.length > 0;
    if (isLasting && !(await isConfirmed())) throw confirmationRequired(refuse);
    const { Password: password, IsMigrated: isMigrated = false } = body;
    const email = normalizeEmail(body.Email) ?? body.Email;
    const fault = password === undefined ? undefined : await describePasswordFault(deps, password, email);
    if (fault !== undefined) throw invalidPassword(fault);
    const isInvited = body.Invite === true;
    if (isMigrated && password !== undefined) throw notWithPassword('/IsMigrated');
    if (isInvited && password !== undefined) throw notWithPassword('/Invite');
    const { Role: role = 'User', IsService: isService = false } = body;
    if (isService && role !== 'User')
      throw invalidField('/Role', 'must be User with IsService', 'does_not_go_with');
    if (isService && password === undefined)
      throw invalidField('/Password', 'is required with IsService', 'required');
    const passwords = deps.passwords.from(request.addressGroup);
    const passwordHash = password === undefined ? undefined : await passwords.hash(password);
    const { DisplayName: displayName, Locale: locale } = body;
    const given = { email, passwordHash, displayName, locale, role, isMigrated, isService, groups };
    const by = { actor: actorOf(caller), origin: request };
    const id = await write(deps, { ...by, target: { kind: 'Account', id: undefined } }, async (tx) => {
      const created = await insertAccount(tx, given, by);
      if (created === undefined) throw refuse('email_taken');
      const account = isInvited ? await accountAdmin.lock(tx, created) : undefined;
      if (account !== undefined) await mailInvitation(deps, tx, account, request);
      return created;
    });
    request.addToLog({ targetId: id });
    const account = await accountAdmin.find(deps.db, id);
    if (account === undefined) throw unknownAccount(refuse);
    return reply({ headers: { Location: `/admin/account/${id}` }, body: accountAnswer(account) });
  },
});

function notWithPassword(pointer: string): ApiError {
  return invalidField(pointer, 'cannot be combined with Password', 'does_not_go_with');
}

/** The fields that disable an account, besides the `Reason` of a change. */
export const BAN_FIELDS = {
  IsDisabled: Optional.Boolean(),
  DisabledUntil: Type.Optional(
    Nullable(Timestamp(), {
      description: 'With `IsDisabled: true`: when the account is enabled by itself; null means never',
    }),
  ),
  TellReason: Optional.Boolean({
    description: 'With `IsDisabled: true`: whether the login tells the owner the end and the `Reason`',
  }),
};

/** `at`: where the request has them; `now` in milliseconds. The reason counts only if the change disables. */
export function readBan(
  { IsDisabled, DisabledUntil, TellReason }: Static<TObject<typeof BAN_FIELDS>>,
  { reason, at, now }: { reason: string | undefined; at: string; now: number },
): Pick<AccountChange, 'isDisabled' | 'disabledUntil' | 'disabledReason' | 'tellsReason'> {
  const disabledUntil = readExpiry(DisabledUntil, `${at}/DisabledUntil`);
  const isDisabling = IsDisabled === true;
  for (const [name, value] of Object.entries({ DisabledUntil, TellReason }))
    if (value !== undefined && !isDisabling)
      throw invalidField(`${at}/${name}`, 'requires IsDisabled: true', 'does_not_go_with');
  if (disabledUntil && disabledUntil.getTime() <= now)
    throw invalidField(`${at}/DisabledUntil`, 'must be in the future', 'too_small');
  const disabledReason = isDisabling ? reason : undefined;
  return { isDisabled: IsDisabled, disabledUntil, tellsReason: TellReason, disabledReason };
}

/** Parses the expiry of an account. Postgres and JavaScript support neither leap seconds nor the year 0. */
export function readExpiry(given: string | null | undefined, pointer: string): Date | null | undefined {
  if (given === undefined || given === null) return given;
  const moment = new Date(given);
  if (moment.getTime() >= 0 && moment.getUTCFullYear() <= 9999) return moment;
  throw invalidField(pointer, 'must be a date and time between 1970 and 9999', 'not_a_date_time');
}

const ENDED_MAX = 500;

/**
 * Records bans that have ended by themselves, for which no login waits (`is_disabled_now`), in any number of processes;
 * returns how many.
 */
export async function endBans(deps: AccountsDeps): Promise<number> {
  const author = { actor: { kind: 'System' }, target: { kind: 'Account', id: undefined } } as const;
  return write(deps, author, async (tx) => {
    const sql = `update account
      set is_disabled = false, disabled_until = null, disabled_reason = null, tells_reason = false
      where id = any(array(
        select id from account where disabled_until <= now() order by disabled_until limit ? for update skip locked))
      returning id`;
    const ended = await query<{ id: string }>(tx, sql, [ENDED_MAX]);
    for (const { id } of ended) {
      tx.audit('account.changed', { IsDisabled: false, DisabledUntil: null }, id);
      tx.event(newEvent('account.enabled', { UserId: id }));
    }
    return ended.length;
  });
}

export const updateAccount = route('PATCH /admin/account/:id', {
  operationId: 'updateAccount',
  summary: 'Update an account',
  description:
    'Omitted fields remain unchanged. Disabling or expiring the account, requiring a new password, or ' +
    'requiring a second factor that is not set up ends its sessions before the response is sent; a role ' +
    'change applies to them immediately. Returns 409 if no administrator would remain, if the erasure of ' +
    'an account to be enabled is pending, or if the change is not possible for a service account.',
  recent: { when: `the account ${NEEDS_PROOF}` },
  body: Type.Object({
    ...BAN_FIELDS,
    Reason: Type.Optional(Text(200, { description: 'Recorded in the audit, and as why it is disabled' })),
    ExpiresAt: Type.Optional(
      Nullable(Timestamp(), {
        description: 'When the account expires. A time in the past expires it now; null means never.',
      }),
    ),
    Role: Type.Optional(Role),
    IsService: Optional.Boolean(),
    TwoFactorRequired: Optional.Boolean(),
    NewPasswordRequired: Optional.Boolean(),
    DisplayName: Type.Optional(DisplayName()),
    Locale: Type.Optional(Locale()),
    SessionLimit: Type.Optional(SessionLimit()),
    Groups: Type.Optional(
      Groups({ description: 'All groups that administrators give; those of identity providers stay' }),
    ),
  }),
  response: AccountAnswer,
  errors: ['not_found', 'conflict', 'confirmation_required'],
  handler: async ({ params, body, caller, deps, request, isConfirmed, refuse }) => {
    const change = {
      ...readBan(body, { reason: body.Reason, at: '', now: deps.now() }),
      expiresAt: readExpiry(body.ExpiresAt, '/ExpiresAt'),
      role: body.Role,
      isService: body.IsService,
      isTwoFactorRequired: body.TwoFactorRequired,
      isNewPasswordRequired: body.NewPasswordRequired,
      displayName: body.DisplayName,
      locale: body.Locale,
      sessionLimit: body.SessionLimit,
      groups: body.Groups && distinctGroups(body.Groups),
    };
    request.addToLog({ targetId: params.id });
    const isUnproven = !(await isConfirmed());
    const by = { actor: actorOf(caller), origin: request, isUnproven, reason: body.Reason };
    const outcome = await changeAccount(deps, params.id, change, by);
    if (outcome.kind === 'unknown') throw unknownAccount(refuse);
    if (outcome.kind === 'unproven') throw confirmationRequired(refuse);
    if (outcome.kind === 'conflict') throw refuse('conflict', outcome.reason);
    return accountAnswer(outcome.account);
  },
});
