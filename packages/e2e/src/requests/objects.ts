import {
  addPasskey,
  newAccount,
  newClient,
  newContent,
  newToken,
  PASSWORD,
  peopleOf,
  someEmail,
} from '@gatehouse/accounts/testing';
import { mailDeliveries, query } from '@gatehouse/db';
import { insertRow } from '@gatehouse/db/testing';
import { v7 as newId } from 'uuid';
import { ask, newCaller, type Caller } from './prepared/prepared.ts';
import type { Services } from './services.ts';

export type Owner = Pick<Caller, 'id' | 'sessionId'>;

type Thing = (typeof BY_PATH)[keyof typeof BY_PATH] | (typeof BY_FIELD)[keyof typeof BY_FIELD];

/** Creates objects for requests, each on first use. They belong to a third account. */
export function createFixtures(services: Services, adminToken: string) {
  const { app } = services;
  const create = async (path: string, body: object): Promise<string> =>
    String((await ask(services, path, body, { Token: adminToken }))['Id']);

  const somebody = once(() => newCaller(services, 'User'));
  /** Content that the bystander can also access. */
  const contentOf = async (owner?: Owner): Promise<string> => {
    const { id } = await somebody();
    const contentDefinitionId = await newContent(app, owner ?? (await newAccount(app)));
    await peopleOf(() => app).grant(contentDefinitionId, id);
    return contentDefinitionId;
  };
  const person = once(() => create('/person', { Name: newId() }));
  const invitation = once(async () => {
    const Emails = [someEmail()];
    const ContentDefinitionId = await newContent(app);
    await create('/account/invite-user', { Emails, ContentDefinitionId });
    const text = 'select id from invitation where content_definition_id = ?';
    return query.onlyValue<string>(app.db, text, [ContentDefinitionId]);
  });

  const identityOf = (accountId: string) => {
    const text =
      "insert into sso_identity (issuer, subject, account_id, provider) values (?, ?, ?, 'gone') returning number";
    return query.onlyValue<string>(app.db, text, [`https://${newId()}.example`, newId(), accountId]);
  };
  const insert = async (table: string, values: Parameters<typeof insertRow>[2]): Promise<string> => {
    const id = newId();
    await insertRow(app.db, table, { id, ...values });
    return id;
  };
  const clientOf = async () => (await newClient(app)).id;
  const client = once(clientOf);
  /** A sign-in to the application, in a session or without one. */
  const signInOf = async (accountId: string, sessionId: string | null = null) => {
    const blank = { scopes: '{openid}', refreshCurrent: '', refreshNext: '' };
    return insert('client_session', { clientId: await client(), accountId, sessionId, ...blank });
  };
  const clientSession = once(async () => {
    const { id, sessionId } = await somebody();
    return signInOf(id, sessionId);
  });
  const consentOf = async (accountId: string): Promise<string> => {
    const clientId = await clientOf();
    await insertRow(app.db, 'oauth_consent', { accountId, clientId, scopes: '{openid}' });
    return clientId;
  };

  const webhook = once(() =>
    create('/admin/webhook', { Name: newId(), Url: 'https://hooks.example.com/', Types: ['*'] }),
  );
  /** What calls find only for its owner. */
  const belongingsOf = (owner: () => Promise<Owner>) => ({
    ownApp: once(async () => consentOf((await owner()).id)),
    ownGrant: once(async () => signInOf((await owner()).id)),
    ownIdentity: once(async () => identityOf((await owner()).id)),
    ownPasskey: once(async () => addPasskey(app, (await owner()).id)),
    ownSession: async () => (await owner()).sessionId,
  });
  const others = belongingsOf(somebody);

  const makers: Record<Thing, () => Promise<string>> = {
    account: async () => (await somebody()).id,
    apiToken: once(async () => (await newToken(app)).id),
    client,
    clientSession,
    content: once(() => contentOf()),
    email: async () => (await somebody()).email,
    face: once(async () => create(`/person/${await person()}/face`, { SourceId: newId(), Similarity: 0.95 })),
    grant: others.ownGrant,
    // As a hook worker leaves one that it cannot send.
    hookDelivery: once(async () => {
      const parked = { status: 'Parked', nextTryAt: null, parkedAt: new Date() };
      const event = { eventId: newId(), type: 'account.registered', body: '{}' };
      return insert('hook_delivery', { webhookId: await webhook(), ...event, ...parked });
    }),
    identity: others.ownIdentity,
    invitation,
    mail: once(async () => parkMail(services, await invitation())),
    passkey: others.ownPasskey,
    person,
    refreshToken: async () => (await somebody()).RefreshToken,
    session: async () => (await somebody()).sessionId,
    webhook,
    ...others,
  };
  return {
    /** The same objects, but those that have an owner are this one's: only the role can be a reason to refuse a request. */
    of: (owner: Owner | undefined) =>
      lookups(
        owner === undefined
          ? makers
          : {
              ...makers,
              content: once(() => contentOf(owner)),
              ...belongingsOf(() => Promise.resolve(owner)),
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

/** Parks the mail of an invitation, as a mail worker does if it cannot send it. */
async function parkMail({ app }: Services, invitationId: string): Promise<string> {
  type Event = Parameters<typeof mailDeliveries.record>[1]['event'];
  const text = `select o.event, i.account_id as "accountId"
     from invitation i
     join outbox o on o.id = i.mail_event_id
     where i.id = ?`;
  const row = await query.only<{ event: Event; accountId: string }>(app.db, text, [invitationId]);
  const mail = { ...row, kind: 'invitation', email: someEmail(), fault: '550 no such mailbox' } as const;
  if (!(await mailDeliveries.record(app.db, mail))) throw new Error('the mail is recorded already');
  return row.event.id;
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}
