import {
  actorOf,
  deleteContent,
  distinctEmails,
  InvitedUsers,
  invitedUsers,
  InviteFields,
  inviteUsers,
  removeAccess,
  removedFrom,
  RemovedUsers,
  removedUsers,
  RemoveFields,
  write,
  sharingBy,
} from '@gatehouse/accounts';
import type { Caller } from '@gatehouse/auth-core';
import {
  accounts,
  contains,
  contentMembers,
  countRows,
  notEnded,
  ordered,
  searchKey,
  sieve,
  type Transaction,
  contentDefinitions,
} from '@gatehouse/db';
import {
  exactlyOneOf,
  invalidField,
  readFutureMoment,
  type Refuse,
  countFields,
  CountedPage,
  countQuery,
  createPaging,
  pagingQuery,
} from '@gatehouse/http';
import { by, computed, pascal, record, sql, where, time, timeOrNull } from '@gatehouse/kit';
import { Enum, isUuid, NameOf, Nullable, Optional, Text, Type, Uuid } from '@gatehouse/schema';
import { creates, list, one, route, routes, type Deps } from '../../deps.ts';

const Relation = NameOf(['Owner', 'Access', 'Pending']);
const paging = createPaging(Type.Object({ MemberId: Uuid(), Relation }));

const Member = record(
  'content_access',
  {
    userId: Uuid(),
    email: Type.String(),
    displayName: Nullable(Type.String()),
    isGuest: Type.Boolean(),
    relation: Relation,
    since: time(),
    by: Nullable(Uuid(), {
      description: 'The account that granted access or sent the invitation, if any',
    }),
    expiresAt: timeOrNull({ description: 'When the access ends; null means never' }),
    invitationId: Nullable(Uuid(), { description: 'Of a pending invitation' }),
    linkExpiresAt: timeOrNull({
      description: 'Only for a pending invitation; its link may have expired',
    }),
  },
  { name: 'ContentMember' },
);

const listContentMembers = route('GET /admin/content-definition/:id/member', {
  operationId: 'listContentDefinitionMembers',
  tag: 'Content',
  summary: 'List the members of content',
  description:
    'Lists the owner, everybody with access, and pending invitations; the newest accounts come first.',
  query: Type.Object({ ...pagingQuery(), ...countQuery(), relation: Type.Optional(Relation) }),
  response: CountedPage(Member.Answer),
  errors: ['not_found'],
  handler: async ({ params: { id }, query, deps, request, refuse }) => {
    if ((await contentDefinitions.findById(deps.db, id)) === undefined)
      throw refuse('not_found', 'Content not found');
    const { limit, relation } = query;
    const key = paging.read(query.cursor);
    const after = key && { userId: key.MemberId, relation: key.Relation };
    const [rows, counted] = await Promise.all([
      contentMembers.findMembers(deps.db, id, { relation, after, max: limit + 1 }),
      query.count === true ? countRows(deps, contentMembers.rowsOf(id, relation), request) : undefined,
    ]);
    const page = paging.page(rows, limit, {
      key: ({ userId, relation: of }) => ({ MemberId: userId, Relation: of }),
      item: Member.answer,
    });
    return { ...page, ...countFields(counted) };
  },
});

const Kind = NameOf(['LiveChannel', 'Recording', 'Document']);
const OwnerId = Nullable(Uuid(), {
  description: 'The account that can share it, in addition to administrators; null if none',
});

const Content = record(
  'content_definition',
  { id: Uuid(), name: Type.String(), kind: Kind, ownerId: OwnerId },
  { name: 'ContentDefinition', noun: 'content', nouns: 'content', hidden: ['updatedAt'] },
);

const body = { Name: Text(200), Kind, OwnerId: Type.Optional(OwnerId) };

const COUNTED_MAX = 1000;
const count = (of: string) =>
  Optional.Integer({
    maximum: COUNTED_MAX + 1,
    description: `With \`members=true\`: number of ${of}; ${COUNTED_MAX + 1} if there are more than ${COUNTED_MAX}`,
  });

export const contentRoutes = routes({ tag: 'Content', access: ['Admin'] }, [
  list(Content, 'GET /admin/content-definition', {
    description:
      '`search` matches part of the name, case-insensitively; with one or two letters it matches only the beginning ' +
      'of a word. An ID finds that content. With a large amount of content, a page of results can contain fewer than ' +
      '`limit` items, or none, and still have a `NextCursor`.',
    filters: {
      search: where(by(Text(200)), (text) =>
        isUuid(text) ? { ordered: ['id = :search'] } : contains(searchKey('name'))(text),
      ),
      kind: where(by(Kind), sieve('kind = :kind')),
      ownerId: where(by(Uuid()), ordered('owner_id = :ownerId')),
    },
    sieved: ['name', 'kind'],
    query: {
      members: Optional.Boolean({ description: 'Whether to count the members of each content' }),
    },
    Item: Type.Object(
      {
        ...Content.properties,
        AccessCount: count('accounts with access'),
        PendingCount: count('pending invitations'),
      },
      { title: 'ListedContentDefinition' },
    ),
    items: async (rows, { deps, query }) => {
      const ids = rows.map(({ id }) => id);
      const counts = query.members ? await contentMembers.countMembers(deps.db, ids, COUNTED_MAX) : [];
      return rows.map((row) => {
        const counted = counts.find(({ id }) => id === row.id);
        const members = counted && { AccessCount: counted.access, PendingCount: counted.pending };
        return { ...Content.answer(row), ...members };
      });
    },
  }),

  one(Content, 'GET /admin/content-definition/:id', { summary: 'Get content' }),

  listContentMembers,

  creates(Content, 'POST /admin/content-definition', {
    summary: 'Create content that can be shared',
    recent: { never: 'it gives nobody access to an account' },
    body,
    location: 'The URL of the content',
    run: async ({ tx, id, body: { Name: name, Kind: kind, OwnerId: ownerId = null } }) => {
      await lockOwner(tx, ownerId);
      tx.audit('content.created', { Kind: kind, OwnerId: ownerId });
      return { row: await Content.insert(tx, { id, name, kind, ownerId }) };
    },
  }),

  route('PUT /admin/content-definition/:id', {
    operationId: 'updateContentDefinition',
    summary: 'Update content',
    description:
      'Without `OwnerId`, the owner remains unchanged. Existing access and invitations also remain.',
    recent: { never: 'it can be undone' },
    body: Type.Object(body),
    response: Content.Answer,
    errors: ['not_found'],
    handler: ({ params: { id }, body: given, caller, deps, request, refuse }) => {
      const target = { kind: 'ContentDefinition', id } as const;
      return write(deps, { actor: actorOf(caller), origin: request, target }, async (tx) => {
        // Accounts are locked before content.
        const { Name: name, Kind: kind, OwnerId: ownerId } = given;
        await lockOwner(tx, ownerId ?? null);
        const [before] = await Content.rows(tx, 'where id = ? for no key update', [id]);
        if (before === undefined) throw refuse('not_found', 'Content not found');
        const row = await Content.update(tx, id, { name, kind, ownerId, updatedAt: sql`now()` });
        const changed = (['name', 'kind', 'ownerId'] as const).filter(
          (field) => row[field] !== before[field],
        );
        tx.audit('content.changed', { Changed: changed.map(pascal), Kind: kind, OwnerId: row.ownerId });
        return Content.answer(row);
      });
    },
  }),

  route('DELETE /admin/content-definition/:id', {
    operationId: 'deleteContentDefinition',
    summary: 'Delete content',
    description:
      'Also deletes all access and invitations to it and ends the sessions of its guests. A guest without any ' +
      'remaining content is expired or removed (`GUEST_WITHOUT_CONTENT`).',
    recent: 'session',
    errors: ['not_found'],
    handler: async ({ params, caller, deps, request, refuse }) => {
      if (!(await deleteContent(deps, params.id, actorOf(caller), request)))
        throw refuse('not_found', 'Content not found');
      return undefined;
    },
  }),

  route('POST /admin/content-definition/:id/invite', {
    operationId: 'inviteUsersToContentDefinition',
    summary: 'Share content with people by email address',
    description:
      'The same as Portal’s `/account/invite-user`, in the name of the administrator: people with an account get ' +
      'access immediately, everyone else receives an email with a link. Either all are invited or none. An ' +
      'administrator can send up to 200 invitations a day.',
    recent: { never: 'every owner of content may do the same, and it can be undone' },
    body: Type.Object(InviteFields),
    response: InvitedUsers,
    errors: ['not_found', 'too_many_requests'],
    handler: async ({ params, body: given, caller, deps, request, refuse }) => {
      const sharing = await sharingOf(deps, params.id, caller, refuse);
      const { Emails, ExpiresAt: end, Locale: locale } = given;
      const accessExpiresAt = typeof end === 'string' ? readFutureMoment(end, '/ExpiresAt', deps.now()) : end;
      const invitation = { ...sharing, emails: distinctEmails(Emails), accessExpiresAt, locale };
      return invitedUsers(await inviteUsers(deps, invitation, request, refuse));
    },
  }),

  route('POST /admin/content-definition/:id/remove', {
    operationId: 'removeUsersFromContentDefinition',
    summary: 'Revoke access to content',
    description:
      'The same as Portal’s `/account/remove-user`, in the name of the administrator. Send either `UserId` ' +
      'or `Emails`. Ends the sessions of guests; a guest without any remaining content is expired or ' +
      'removed (`GUEST_WITHOUT_CONTENT`).',
    recent: { never: 'those concerned can be invited again' },
    body: Type.Object(RemoveFields, { oneOfFields: { ByUserId: ['UserId'], ByEmails: ['Emails'] } }),
    response: RemovedUsers,
    errors: ['not_found'],
    handler: async ({ params, body: given, caller, deps, request, refuse }) => {
      const from = removedFrom(given);
      if (from === undefined) throw exactlyOneOf('UserId', 'Emails');
      const sharing = await sharingOf(deps, params.id, caller, refuse);
      return removedUsers(await removeAccess(deps, { ...sharing, from }, request), from);
    },
  }),
]);

/** The new owner must be an account that may invite. */
async function lockOwner(tx: Transaction, ownerId: string | null): Promise<void> {
  const owner = ownerId === null ? undefined : await accounts.lockById(tx, ownerId);
  if (ownerId === null || (owner !== undefined && owner.role !== 'Guest')) return;
  const message = 'must be an account with a role other than Guest';
  throw invalidField('/OwnerId', message, 'unknown_object');
}

async function sharingOf({ db }: Deps, contentId: string, caller: Caller, refuse: Refuse<'not_found'>) {
  const sharing = await sharingBy(db, contentId, caller);
  if (sharing === undefined) throw refuse('not_found', 'Content not found');
  return sharing;
}

const AccountRelation = Enum(['Access', 'Owner', 'Pending']);
const accountPaging = createPaging(Type.Object({ OfContent: Uuid(), Relation: AccountRelation }));

const RELATED = `
  select id, 'Owner' as relation, created_at as since, cast(null as uuid) as by,
    cast(null as timestamptz) as expires_at
  from content_definition where owner_id = :accountId
  union all
  select content_definition_id, 'Access', granted_at, granted_by, expires_at
  from content_access where account_id = :accountId and ${notEnded('expires_at')}
  union all
  select content_definition_id, 'Pending', invited_at, invited_by, access_expires_at
  from invitation where account_id = :accountId and accepted_at is null and deleted_at is null and ${notEnded('access_expires_at')}`;

/** Content that an account owns, has access to, or is invited to; the link of an invitation may have expired. */
const AccountContent = record(
  'content_definition',
  {
    contentDefinitionId: computed(Uuid(), 'c.id'),
    name: computed(Type.String(), 'c.name'),
    kind: computed(Enum(['LiveChannel', 'Recording', 'Document']), 'c.kind'),
    relation: AccountRelation,
    since: time(),
    by: Nullable(Uuid(), {
      description: 'The account or API token that granted access or sent the invitation; null if unknown',
    }),
    expiresAt: timeOrNull({ description: 'When the access ends; null means never' }),
  },
  {
    name: 'AccountContent',
    from: { tables: `(${RELATED}) r join content_definition c using (id)`, alias: 'r' },
  },
);

export const listAccountContent = route('GET /admin/account/:id/content', {
  operationId: 'listAccountContent',
  tag: 'Accounts',
  summary: 'List the content of an account, newest first',
  description:
    'Content that the account owns, has access to, or is invited to (also if the link has expired). Content with ' +
    'several relations is listed once for each.',
  query: Type.Object({ ...pagingQuery(), ...countQuery() }),
  response: CountedPage(AccountContent.Answer),
  errors: ['not_found'],
  handler: async ({ params: { id: accountId }, query, deps, request, refuse }) => {
    if ((await accounts.findById(deps.db, accountId)) === undefined)
      throw refuse('not_found', 'Account not found');
    const key = accountPaging.read(query.cursor);
    const [rows, counted] = await Promise.all([
      AccountContent.rows(
        deps.db,
        `${key === undefined ? '' : 'where (c.id, r.relation) < (cast(:id as uuid), :relation)'}
         order by c.id desc, r.relation desc
         limit :max`,
        { accountId, id: key?.OfContent, relation: key?.Relation, max: query.limit + 1 },
      ),
      query.count === true
        ? countRows(deps, { sql: `select 1 from (${RELATED}) r`, bindings: { accountId } }, request)
        : undefined,
    ]);
    const page = accountPaging.page(rows, query.limit, {
      key: ({ contentDefinitionId, relation }) => ({ OfContent: contentDefinitionId, Relation: relation }),
      item: AccountContent.answer,
    });
    return { ...page, ...countFields(counted) };
  },
});
