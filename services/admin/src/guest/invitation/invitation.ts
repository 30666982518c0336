import {
  actorOf,
  CHANGED_MAX,
  deleteInvitations,
  planRemails,
  recordInvitations,
  remailInvitation,
  remailInvitations,
  tryToRemoveRetiredGuests,
  UNPROVEN_MAX,
  write,
  writeRetiring,
  type RemailRefusal,
} from '@gatehouse/accounts';
import { guestAccounts, ordered, type Executor, type Transaction } from '@gatehouse/db';
import type { Refuse } from '@gatehouse/http';
import { by, computed, defineFilters, email, record, time, timeOrNull, where } from '@gatehouse/kit';
import { Enum, NameOf, Nullable, Optional, Type, Uuid } from '@gatehouse/schema';
import { changeMany, orderOf } from '../../bulk-order.ts';
import { list, one, route, routes } from '../../deps.ts';

const fields = {
  id: Uuid(),
  email: computed(Type.String(), 'a.email'),
  userId: computed(Uuid(), 'i.account_id'),
  contentDefinitionId: Uuid(),
  contentName: computed(Type.String(), 'c.name'),
  invitedBy: Nullable(Uuid(), { description: 'null if sent with a static API token' }),
  invitedAt: time(),
  expiresAt: time(),
  accessExpiresAt: timeOrNull({ description: 'When the access ends; null means never' }),
  mailStatus: computed(
    Nullable(Enum(['Pending', 'Sent', 'Retrying', 'Parked']), {
      description: 'null if no email was sent or its record has been deleted',
    }),
    // A mail that the mail worker has not recorded yet is still in the outbox.
    `coalesce(
      (select mail.status from mail_delivery mail where mail.id = i.mail_event_id),
      (select 'Pending' from outbox where outbox.id = i.mail_event_id))`,
  ),
};
const from = {
  tables: `invitation i
    join account a on a.id = i.account_id
    join content_definition c on c.id = i.content_definition_id`,
  alias: 'i',
};
const IS_PENDING = 'i.accepted_at is null and i.deleted_at is null';

/** A pending invitation as administrators see it, without its link, which may have expired … */
const Invitation = record('invitation', fields, { name: 'Invitation', from });
/** … and in any state. */
const AnyInvitation = record(
  'invitation',
  { ...fields, acceptedAt: timeOrNull(), deletedAt: timeOrNull() },
  { name: 'Invitation', title: null, from },
);

const filters = {
  id: where(by(Uuid()), ordered('i.id = :id')),
  contentDefinitionId: where(by(Uuid()), ordered('i.content_definition_id = :contentDefinitionId')),
  email: where(email(), ordered('i.account_id = (select id from account where email_key = :emailKey)')),
  invitedBy: where(by(Uuid()), ordered('i.invited_by = :invitedBy')),
  isExpired: where(by(Type.Boolean(), 'Whether the link has expired'), (isExpired) => ({
    // Same wording as in the index of the ends.
    sieve: [`i.expires_at ${isExpired ? '<=' : '>'} now()`],
    isIndexed: true,
  })),
};
const bulkFilters = defineFilters(filters, {
  title: 'InvitationFilter',
  description: 'The same filters as for listing invitations; at least one is required',
});
/** The maximum for each bulk change, so that it finishes within a request's time. */
const BULK_MAX = { delete: CHANGED_MAX, resend: 100 } as const;

export const invitationRoutes = routes({ tag: 'Invitations', access: ['Admin'] }, [
  list(Invitation, 'GET /admin/invitation', {
    summary: 'List pending invitations, newest first',
    description:
      'Includes invitations whose link has expired; they can be resent or deleted. With a large number of invitations, a ' +
      'page filtered by `isExpired` can contain fewer than `limit` items, or none, and still have a `NextCursor`.',
    filters,
    always: IS_PENDING,
    sieved: ['expires_at'],
  }),

  one(AnyInvitation, 'GET /admin/invitation/:id', {
    description: 'Also returns accepted and deleted invitations, which the list does not contain.',
  }),

  route('POST /admin/invitation/bulk', {
    operationId: 'bulkChangeInvitations',
    summary: 'Delete or resend all matching pending invitations',
    description:
      'Deletes or resends all matching invitations, or none if one fails. With `resend`, invitations whose ' +
      'link could not be used, or whose address has reached its hourly quota, are skipped. Returns 409 if ' +
      `more than ${BULK_MAX.delete} match to delete, or ${BULK_MAX.resend} to resend.`,
    recent: { when: `it applies to more than ${UNPROVEN_MAX} invitations` },
    body: Type.Object({
      Filter: bulkFilters.body,
      Change: NameOf(['delete', 'resend']),
      DryRun: Optional.Boolean(),
    }),
    response: Type.Object({
      Count: Type.Integer({ description: 'Invitations that were deleted or resent' }),
      Skipped: Type.Integer({ description: 'Matching invitations that were not changed' }),
    }),
    errors: ['conflict', 'confirmation_required'],
    handler: async (input) => {
      const { body, deps, request, refuse } = input;
      const { Change: change } = body;
      const filter = bulkFilters.ofBody(body.Filter);
      const max = BULK_MAX[change];
      const order = await orderOf(input);
      const { plan, made } = await changeMany(deps, order, 'Invitation', {
        plan: async (at) => {
          const wanted = { filter, always: IS_PENDING, max: max + 1, locks: false };
          const found = await Invitation.matching(at.executor, bulkFilters.sql, wanted);
          if (found.length > max)
            throw refuse('conflict', `More than ${max} invitations match; nothing was changed`);
          const accountIds = found.map(({ userId }) => userId);
          const guests = await guestAccounts.findMany(at.executor, accountIds, at);
          // Read while their accounts are locked, as everyone locks them who accepts, renews or deletes invitations.
          const ids = found.map(({ id }) => id);
          const pending = await findPending(at.executor, ids);
          const remails = change === 'resend' ? await planRemails(deps, at, pending, guests) : [];
          const mailed = remails.filter(({ refusal }) => refusal === undefined);
          const count = change === 'resend' ? mailed.length : pending.length;
          return { guests, pending, remails, count };
        },
        extent: ({ count }) => ({ count, isSensitive: false }),
        make: async (tx, { guests, pending, remails }) => {
          if (change === 'delete') await deleteInvitations(tx, pending, guests, order);
          else await remailInvitations(deps, tx, remails, 'invitation.resent', order);
          return true;
        },
      });
      if (made) await tryToRemoveRetiredGuests(deps);
      request.addToLog({ changed: made ? plan.count : 0 });
      return { Count: plan.count, Skipped: plan.pending.length - plan.count };
    },
  }),

  route('DELETE /admin/invitation/:id', {
    operationId: 'deleteInvitation',
    summary: 'Delete a pending invitation',
    description:
      'Its link stops working. A guest without any remaining content is expired or removed ' +
      '(`GUEST_WITHOUT_CONTENT`). Returns 404 if the invitation has been accepted or deleted.',
    recent: { never: 'the guest can be invited again' },
    errors: ['not_found'],
    handler: async ({ params, caller, deps, request, refuse }) => {
      const author = { actor: actorOf(caller), origin: request };
      await writeRetiring(deps, author, async (tx) => {
        const { invitation, account } = await lockPending(tx, params.id, refuse);
        await deleteInvitations(tx, [invitation], [account], author);
      });
      return undefined;
    },
  }),

  route('POST /admin/invitation/:id/resend', {
    operationId: 'resendInvitation',
    summary: 'Resend a pending invitation',
    description:
      'Sends a new link with a full lifetime and invalidates the previous one. Counts towards a separate ' +
      'hourly quota of the address (`MAILS_PER_HOUR`, 429 beyond it), but not towards the daily quota of an ' +
      'inviter. Returns 404 if the invitation has been accepted or deleted, and 409 if its link could not ' +
      'be used.',
    recent: { never: 'the link is mailed to its guest only' },
    response: Invitation.Answer,
    errors: ['not_found', 'conflict', 'too_many_requests'],
    handler: ({ params, caller, deps, request, refuse }) => {
      const author = { actor: actorOf(caller), origin: request };
      return write(deps, author, async (tx) => {
        const { invitation, account } = await lockPending(tx, params.id, refuse);
        const mailed = await remailInvitation(deps, tx, { ...invitation, account }, author);
        if (mailed.kind === 'refused') throw refuse(...REFUSALS[mailed.reason]);
        recordInvitations(tx, 'invitation.resent', [invitation]);
        return Invitation.answer({ ...invitation, expiresAt: mailed.expiresAt, mailStatus: 'Pending' });
      });
    },
  }),
]);

const UNKNOWN = 'Pending invitation not found';
const REFUSALS: Record<RemailRefusal, Parameters<Refuse<'not_found' | 'conflict' | 'too_many_requests'>>> = {
  gone: ['not_found', UNKNOWN],
  shut: ['conflict', 'The invited account was disabled or expired by an administrator'],
  not_waiting: ['conflict', 'The account has already been completed'],
  inviter_gone: [
    'conflict',
    'The inviter is disabled or no longer exists; someone else must send a new invitation',
  ],
  share_used_up: [
    'too_many_requests',
    'Hourly limit of invitations to this email address reached',
    { retryAfterSeconds: 3600 },
  ],
};

async function findPending(executor: Executor, ids: readonly string[]) {
  const rest = `where i.id = any(cast(? as uuid[])) and ${IS_PENDING} order by i.id desc`;
  const rows = await Invitation.rows(executor, rest, [ids]);
  return rows.map((row) => ({ ...row, accountId: row.userId }));
}

/** Reads an invitation again after locking its account, as everyone does who accepts, renews or deletes invitations. */
async function lockPending(tx: Transaction, id: string, refuse: Refuse<'not_found'>) {
  const accountIds = (await findPending(tx, [id])).map(({ accountId }) => accountId);
  const [account] = await guestAccounts.lockMany(tx, accountIds);
  const [invitation] = await findPending(tx, [id]);
  if (account === undefined || invitation === undefined) throw refuse('not_found', UNKNOWN);
  return { account, invitation };
}
