import {
  countInvitations,
  distinctEmails,
  holdContent,
  inviteByLink,
  InvitedUsers,
  invitedUsers,
  InviteFields,
  inviteUsers,
  awaitsGuest,
  removeAccess,
  removedFrom,
  RemovedUsers,
  removedUsers,
  RemoveFields,
  sharingBy,
  write,
} from '@gatehouse/accounts';
import type { Caller } from '@gatehouse/auth-core';
import { contentAccess, contentMembers, guestAccounts, invitations, LAST_ID, notEnded } from '@gatehouse/db';
import type { Transaction } from '@gatehouse/db';
import { createPaging, exactlyOneOf, Page, pagingQuery, readFutureMoment } from '@gatehouse/http';
import type { Refuse } from '@gatehouse/http';
import { record, time, timeOrNull } from '@gatehouse/kit';
import { contentAddress, Enum, NameOf, Optional, Type, Uuid } from '@gatehouse/schema';
import { routeOf, type Deps } from '../deps.ts';

const route = routeOf({ tag: 'Guests' });

/** Content that an account owns or has access to. */
const OwnContent = record(
  'content_definition',
  {
    id: Uuid(),
    name: Type.String(),
    kind: Enum(['LiveChannel', 'Recording', 'Document']),
    relation: Enum(['Owner', 'Access']),
    since: time(),
    expiresAt: timeOrNull({ description: 'When the access ends; null means never' }),
  },
  {
    name: 'OwnContent',
    from: {
      tables: `(
        select id, name, kind, 'Owner' as relation, created_at as since, null::timestamptz as expires_at
        from content_definition
        where owner_id = :accountId
        union all
        select c.id, c.name, c.kind, 'Access', access.granted_at, access.expires_at
        from content_access access
        join content_definition c on c.id = access.content_definition_id
        where access.account_id = :accountId and ${notEnded('access.expires_at')}
          and c.owner_id is distinct from cast(:accountId as uuid)
      ) own`,
      alias: 'own',
    },
  },
);
const { ExpiresAt, ...ownProperties } = OwnContent.properties;
const ownPaging = createPaging(Type.Object({ OwnContentId: Uuid() }));

export const listOwnContent = route('GET /account/content', {
  operationId: 'listOwnContent',
  summary: 'List the content that you own or have access to',
  description:
    'Newest first. `Since` is when the content was created, for its owner, or when access was granted.',
  access: 'session',
  query: Type.Object(pagingQuery()),
  response: Page(
    Type.Object(
      {
        ...ownProperties,
        Url: Optional.String({ description: 'The URL of the content, if `CONTENT_URL` is configured' }),
        ExpiresAt,
      },
      { title: 'OwnContent' },
    ),
  ),
  handler: async ({ query: { limit, cursor }, caller: { accountId }, deps: { db, contentUrl } }) => {
    const beforeId = ownPaging.read(cursor)?.OwnContentId ?? LAST_ID;
    const rest = 'where own.id < :beforeId order by own.id desc limit :max';
    const rows = await OwnContent.rows(db, rest, { accountId, beforeId, max: limit + 1 });
    return ownPaging.page(rows, limit, {
      key: ({ id }) => ({ OwnContentId: id }),
      item: (row) => ({
        ...OwnContent.answer(row),
        ...(contentUrl !== undefined && { Url: contentAddress(contentUrl, row.id) }),
      }),
    });
  },
});

const Relation = NameOf(['Owner', 'Access', 'Pending']);
const memberPaging = createPaging(Type.Object({ MemberId: Uuid(), Relation }));

const Member = record(
  'content_access',
  {
    userId: Uuid(),
    email: Type.String(),
    displayName: Type.String({ description: 'The name, or the email address if there is none' }),
    isGuest: Type.Boolean(),
    relation: Relation,
    since: time(),
    expiresAt: timeOrNull({ description: 'When the access ends; null means never' }),
  },
  { name: 'Member' },
);

export const listMembers = route('GET /account/content/:id/member', {
  operationId: 'listContentMembers',
  summary: 'List the members of content that you own',
  description: 'Lists the owner, everybody with access, and pending invitations, for any kind of content.',
  access: ['User', 'Admin', 'Service'],
  query: Type.Object({ ...pagingQuery(), relation: Type.Optional(Relation) }),
  response: Page(Member.Answer),
  errors: ['not_found', 'forbidden'],
  handler: async ({ params, query, caller, deps, refuse }) => {
    const { content } = await managedContent(refuse, deps, caller, params.id);
    const { limit, relation } = query;
    const key = memberPaging.read(query.cursor);
    const after = key && { userId: key.MemberId, relation: key.Relation };
    const rows = await contentMembers.findMembers(deps.db, content.id, { relation, after, max: limit + 1 });
    return memberPaging.page(rows, limit, {
      key: ({ userId, relation: of }) => ({ MemberId: userId, Relation: of }),
      item: ({ displayName, ...member }) => {
        // The invited address: other addresses, and names before the invitation is accepted, are private.
        const email = member.invitedEmail ?? member.email;
        const name = (member.relation === 'Pending' ? undefined : displayName) ?? email;
        return Member.answer({ ...member, email, displayName: name });
      },
    });
  },
});

const { Emails, ...AccessFields } = InviteFields;

export const inviteUser = route('POST /account/invite-user', {
  operationId: 'inviteUsers',
  summary: 'Share content with people by email address',
  description:
    'People with an account get access immediately and are notified by email (`AccessGranted`); everyone ' +
    'else receives a link to register as a guest (`Invited`, `Reinvited`). Either all are invited or ' +
    'none. An inviter can send up to 200 invitations a day.',
  access: ['User', 'Admin', 'Service'],
  body: Type.Object({ Emails, ContentDefinitionId: Uuid(), ...AccessFields }),
  response: InvitedUsers,
  errors: ['not_found', 'forbidden', 'too_many_requests'],
  handler: async ({ body, caller, deps, request, refuse }) => {
    const sharing = await managedContent(refuse, deps, caller, body.ContentDefinitionId);
    const { ExpiresAt: end, Locale: locale } = body;
    const accessExpiresAt = typeof end === 'string' ? readFutureMoment(end, '/ExpiresAt', deps.now()) : end;
    const invitation = { ...sharing, emails: distinctEmails(body.Emails), accessExpiresAt, locale };
    return invitedUsers(await inviteUsers(deps, invitation, request, refuse));
  },
});

export const resendContentInvitations = route('POST /account/content/:id/resend', {
  operationId: 'resendContentInvitations',
  summary: 'Resend pending invitations to content that you own',
  description:
    'Sends a new link to each of these addresses that has been invited and has not registered yet ' +
    '(`Reinvited`), and invalidates the previous one. Other addresses are not invited (`NotInvited`). ' +
    'Counts towards the same quotas as inviting.',
  access: ['User', 'Admin', 'Service'],
  body: Type.Object({ Emails }),
  response: Type.Object({
    Items: Type.Array(
      Type.Object(
        { Email: Type.String(), Result: Enum(['Reinvited', 'NotInvited']) },
        { title: 'ResentInvitation' },
      ),
    ),
  }),
  errors: ['not_found', 'forbidden', 'too_many_requests'],
  handler: async ({ params, body, caller, deps, request, refuse }) => {
    const { content, sharer, actor } = await managedContent(refuse, deps, caller, params.id);
    const emails = distinctEmails(body.Emails);
    const reinvited = await write(deps, { actor, origin: request }, async (tx) => {
      const invited = await lockInvited(tx, content.id, [...emails.keys()]);
      await holdContent(tx, content.id, refuse);
      await countInvitations(tx, { inviterId: sharer.id, count: invited.length }, refuse);
      // An account that an administrator disabled or expired has the same result, but gets no mail. The end of the access
      // stays as it is.
      const again = { isFirst: false, accessExpiresAt: undefined, origin: request };
      for (const account of invited) {
        await inviteByLink(deps, tx, account, { content, sharer }, again);
        const details = { ContentDefinitionId: content.id, Result: 'Reinvited' };
        tx.audit('user.invited', details, { kind: 'Account', id: account.id });
      }
      return new Set(invited.map(({ emailKey }) => emailKey));
    });
    return {
      Items: [...emails].map(([key, email]) => ({
        Email: email,
        Result: reinvited.has(key) ? ('Reinvited' as const) : ('NotInvited' as const),
      })),
    };
  },
});

async function lockInvited(tx: Transaction, contentDefinitionId: string, emailKeys: readonly string[]) {
  const accountIds = await contentAccess.findByAccessEmails(tx, { contentDefinitionId, emailKeys });
  const locked = await guestAccounts.lockMany(tx, accountIds);
  const ids = locked.map(({ id }) => id);
  const pending = new Set(await invitations.findPending(tx, contentDefinitionId, ids));
  const holdersOfAny = new Set(await contentAccess.findHoldersOfAny(tx, ids));
  return locked.filter(
    (account) =>
      // If an account has changed its email since, its old email must not reveal it.
      emailKeys.includes(account.emailKey) &&
      pending.has(account.id) &&
      awaitsGuest(account, holdersOfAny.has(account.id)),
  );
}

export const removeUser = route('POST /account/remove-user', {
  operationId: 'removeUsers',
  summary: 'Revoke access to content',
  description:
    'Send either `UserId` or `Emails`. Ends the sessions of guests; a guest without any remaining content ' +
    'is expired or removed (`GUEST_WITHOUT_CONTENT`). An email address matches both the account that has ' +
    'it now and the account that was invited with it.',
  access: ['User', 'Admin', 'Service'],
  body: Type.Object(
    { ...RemoveFields, ContentId: Uuid() },
    { oneOfFields: { ByUserId: ['UserId'], ByEmails: ['Emails'] } },
  ),
  response: RemovedUsers,
  errors: ['not_found', 'forbidden'],
  handler: async ({ body, caller, deps, request, refuse }) => {
    const from = removedFrom(body);
    if (from === undefined) throw exactlyOneOf('UserId', 'Emails');
    const sharing = await managedContent(refuse, deps, caller, body.ContentId);
    return removedUsers(await removeAccess(deps, { ...sharing, from }, request), from);
  },
});

/** Content that the caller may share: its owner, an administrator, or a token of the environment. */
async function managedContent(
  refuse: Refuse<'not_found' | 'forbidden'>,
  { db }: Pick<Deps, 'db'>,
  caller: Caller,
  contentId: string,
) {
  const sharing = await sharingBy(db, contentId, caller);
  if (sharing === undefined) throw refuse('not_found', 'Content not found');
  const isOwner = caller.kind === 'session' && sharing.content.ownerId === caller.accountId;
  if (!isOwner && caller.role !== 'Admin' && caller.role !== 'Service')
    throw refuse('forbidden', 'You do not own this content');
  return sharing;
}
