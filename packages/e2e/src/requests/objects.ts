import { logIn, newAccount, newContent, newToken, PASSWORD, someEmail } from '@gatehouse/accounts/testing';
import { contentAccess, inTransaction, mailDeliveries, query } from '@gatehouse/db';
import { NO_DEADLINE } from '@gatehouse/runtime';
import { v7 as newId } from 'uuid';
import type { Services } from './services.ts';

/** An account and one of its sessions. */
export interface Owner {
  id: string;
  sessionId: string;
}

/** The kinds of objects that a request may refer to. */
type Thing = (typeof BY_PATH)[keyof typeof BY_PATH] | (typeof BY_FIELD)[keyof typeof BY_FIELD];

/** Creates objects for requests, each on first use. They belong to a third account. */
export function createFixtures(services: Services, adminToken: string) {
  const { app, sql } = services;
  const create = async (api: 'Core' | 'Portal' | 'Admin', path: string, body: object): Promise<string> => {
    const headers = { authorization: `Bearer ${adminToken}` };
    const answer = await services.send(api, { method: 'POST', path, headers, body });
    if (answer.status >= 300) throw new Error(`POST ${path}: ${answer.status} ${answer.text}`);
    return String(answer.body['Id']);
  };

  const somebody = once(async () => {
    const person = await newAccount(app);
    return { ...person, ...(await logIn(app, person)) };
  });
  /** Content that the bystander can also access. */
  const contentOf = async (owner?: Owner): Promise<string> => {
    const { id } = await somebody();
    const contentDefinitionId = await newContent(app, owner ?? (await newAccount(app)));
    await inTransaction(app.db, NO_DEADLINE, (tx) =>
      contentAccess.grant(tx, { contentDefinitionId, accountId: id, grantedBy: undefined }),
    );
    return contentDefinitionId;
  };
  const person = once(() => create('Core', '/person', { Name: newId() }));
  const invitation = once(async () => {
    const Emails = [someEmail()];
    const ContentDefinitionId = await newContent(app);
    await create('Portal', '/account/invite-user', { Emails, ContentDefinitionId });
    const text = 'select id from invitation where content_definition_id = ?';
    const [row] = await sql(text, [ContentDefinitionId]);
    return String(row?.['id']);
  });

  const identityOf = async (accountId: string): Promise<string> => {
    const text =
      "insert into sso_identity (issuer, subject, account_id, provider) values (?, ?, ?, 'gone') returning number";
    const rows = await sql(text, [`https://${newId()}.example`, newId(), accountId]);
    return String(rows[0]?.['number']);
  };
  const identity = once(async () => identityOf((await somebody()).id));

  const client = once(() => newClient(services));
  const clientSession = once(async () => newClientSession(services, await client(), await somebody()));

  const grant = once(async () => newClientSession(services, await client(), { id: (await somebody()).id }));

  const passkeyOf = async (accountId: string): Promise<string> => {
    const text = `insert into passkey (
         id, account_id, credential_id, public_key, algorithm, is_backup_eligible, is_backed_up, name)
       values (?, ?, convert_to(?, 'utf8'), '', -7, true, true, 'Phone')
       returning id`;
    const rows = await sql(text, [newId(), accountId, newId()]);
    return String(rows[0]?.['id']);
  };
  const webhook = once(() =>
    create('Admin', '/admin/webhook', { Name: newId(), Url: 'https://hooks.example.com/', Types: ['*'] }),
  );
  const passkey = once(async () => passkeyOf((await somebody()).id));

  const makers: Record<Thing, () => Promise<string>> = {
    account: async () => (await somebody()).id,
    apiToken: once(async () => (await newToken(app)).id),
    client,
    clientSession,
    content: once(() => contentOf()),
    email: async () => (await somebody()).email,
    face: once(async () =>
      create('Core', `/person/${await person()}/face`, { SourceId: newId(), Similarity: 0.95 }),
    ),
    grant,
    hookDelivery: once(async () => parkHook(services, await webhook())),
    identity,
    invitation,
    mail: once(async () => parkMail(services, await invitation())),
    ownApp: once(async () => newConsent(services, (await somebody()).id)),
    ownGrant: grant,
    ownIdentity: identity,
    ownPasskey: passkey,
    ownSession: async () => (await somebody()).sessionId,
    passkey,
    person,
    refreshToken: async () => (await somebody()).RefreshToken,
    session: async () => (await somebody()).sessionId,
    webhook,
  };
  return {
    /**
     * The same objects, except that the content, the session, the identity and the passkey belong to this owner. So
     * only the role can be a reason to refuse a request.
     */
    of: (owner: Owner | undefined) =>
      lookups(
        owner === undefined
          ? makers
          : {
              ...makers,
              content: once(() => contentOf(owner)),
              ownApp: once(() => newConsent(services, owner.id)),
              ownGrant: once(async () => newClientSession(services, await client(), { id: owner.id })),
              ownIdentity: once(() => identityOf(owner.id)),
              ownPasskey: once(() => passkeyOf(owner.id)),
              ownSession: () => Promise.resolve(owner.sessionId),
            },
      ),
  };
}

export type Fixtures = ReturnType<typeof lookups>;

function lookups(makers: Record<Thing, () => Promise<string>>) {
  return {
    /** The value for a path parameter, by the path up to it. */
    inPath: async (pathSoFar: string): Promise<unknown> => {
      const thing = thingIn(BY_PATH, pathSoFar);
      return thing && makers[thing]();
    },
    /** The value for a field of a body, of a line or of a query. */
    inField: async (field: string): Promise<unknown> => {
      const thing = thingIn(BY_FIELD, field);
      if (thing === undefined) return PLAIN[field]?.();
      return thing === 'ownIdentity' ? Number(await makers[thing]()) : makers[thing]();
    },
  };
}

/** Whether one of these fields, or of these paths up to a parameter, refers to an object that has an owner. */
export function namesOwnedObject({ paths, fields }: { paths: string[]; fields: string[] }): boolean {
  const fixtures = [
    ...paths.map((path) => thingIn(BY_PATH, path)),
    ...fields.map((field) => thingIn(BY_FIELD, field)),
  ];
  return fixtures.some((thing) => thing !== undefined && OWNED.includes(thing));
}

const thingIn = (things: Partial<Record<string, Thing>>, name: string) => things[name];

/** Objects that calls find only for their owner. */
const OWNED: readonly Thing[] = ['content', 'ownApp', 'ownGrant', 'ownIdentity', 'ownPasskey', 'ownSession'];

const BY_PATH = {
  '/account/session/:id': 'ownSession',
  '/account/passkey/:id': 'ownPasskey',
  '/account/app/:id': 'ownApp',
  '/account/grant/:id': 'ownGrant',
  '/user-session/:id': 'content',
  '/person/:id': 'person',
  '/person/:id/face/:faceId': 'face',
  '/admin/user-session/:id': 'session',
  '/admin/account/:id': 'account',
  '/account/content/:id': 'content',
  '/admin/account/:id/identity/:number': 'identity',
  '/admin/account/:id/passkey/:passkeyId': 'passkey',
  '/admin/account/:id/grant/:grantId': 'grant',
  '/admin/content-definition/:id': 'content',
  '/admin/api-token/:id': 'apiToken',
  '/admin/oauth-client/:id': 'client',
  '/admin/oauth-client/:id/session/:sessionId': 'clientSession',
  '/admin/mail/:id': 'mail',
  '/admin/webhook/:id': 'webhook',
  '/admin/hook-delivery/:id': 'hookDelivery',
  '/admin/invitation/:id': 'invitation',
} as const;

const BY_FIELD = {
  Username: 'email',
  RefreshToken: 'refreshToken',
  refreshToken: 'refreshToken',
  ContentDefinitionId: 'content',
  ContentId: 'content',
  UserId: 'account',
  OwnerId: 'account',
  SessionId: 'session',
  Number: 'ownIdentity',
  PersonId: 'person',
  FaceId: 'face',
} as const;

const PLAIN: Record<string, () => unknown> = {
  // Text that has the form of a token.
  logout_token: () => 'a.b.c',
  // A field that the filters of mails and of invitations have in common.
  Filter: () => ({ Email: someEmail() }),
  Url: () => 'https://hooks.example.com/',
  Email: someEmail,
  Emails: () => [someEmail()],
  Password: () => PASSWORD,
  CurrentPassword: () => PASSWORD,
  Name: newId,
  SourceId: newId,
  Similarity: () => 0.95,
  // Changes the session; 1 would leave it unchanged.
  Status: () => 2,
};

/** Parks a delivery to a webhook, as a hook worker does if it cannot send it. */
async function parkHook({ sql }: Services, webhookId: string): Promise<string> {
  const text = `insert into hook_delivery (id, webhook_id, event_id, type, body, status, next_try_at, parked_at)
     values (?, ?, ?, 'account.registered', '{}', 'Parked', null, now())
     returning id`;
  const rows = await sql(text, [newId(), webhookId, newId()]);
  return String(rows[0]?.['id']);
}

/** Parks the mail of an invitation, as a mail worker does if it cannot send it. */
async function parkMail({ app }: Services, invitationId: string): Promise<string> {
  type Event = Parameters<typeof mailDeliveries.record>[1]['event'];
  const text = `select o.event, i.account_id as "accountId"
     from invitation i
     join outbox o on o.id = i.mail_event_id
     where i.id = ?`;
  const [row] = await query<{ event: Event; accountId: string }>(app.db, text, [invitationId]);
  if (row === undefined) throw new Error('nothing was mailed');
  const mail = { ...row, kind: 'invitation', email: someEmail(), fault: '550 no such mailbox' } as const;
  if (!(await mailDeliveries.record(app.db, mail))) throw new Error('the mail is recorded already');
  return row.event.id;
}

/** Adds an application, and returns its id. */
async function newClient({ sql }: Services): Promise<string> {
  const text = `insert into oauth_client (id, name, is_public, secret_hash, redirect_uris, scopes, grant_types, is_trusted, roles)
     values (?, 'App', false, convert_to(?, 'utf8'), '{https://app.example.com}', '{openid}', '{authorization_code}',
       true, '{User}')
     returning id`;
  const rows = await sql(text, [newId(), newId()]);
  return String(rows[0]?.['id']);
}

/** Signs somebody in to an application. */
async function newClientSession(
  { sql }: Services,
  clientId: string,
  owner: { id: string; sessionId?: string },
): Promise<string> {
  const text = `insert into client_session (id, client_id, account_id, session_id, scopes, refresh_current, refresh_next)
     values (?, ?, ?, cast(nullif(?, '') as uuid), '{openid}', '', '') returning id`;
  const rows = await sql(text, [newId(), clientId, owner.id, owner.sessionId ?? '']);
  return String(rows[0]?.['id']);
}

/** Lets an application sign somebody in, and returns its id. */
async function newConsent(services: Services, accountId: string): Promise<string> {
  const id = await newClient(services);
  const text =
    "insert into oauth_consent (account_id, client_id, scopes) values (?, ?, '{openid}') returning client_id";
  await services.sql(text, [accountId, id]);
  return id;
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}
