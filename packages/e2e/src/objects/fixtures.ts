import { ALL_ROUTES } from '@gatehouse/codegen';
import assert from 'node:assert/strict';
import {
  codeIn,
  invitationTokenIn,
  logIn,
  newAccount,
  newContent,
  newToken,
  PASSWORD,
  someEmail,
} from '@gatehouse/accounts/testing';
import { contentAccess, inTransaction } from '@gatehouse/db';
import { NO_DEADLINE } from '@gatehouse/runtime';
import { eventually } from '@gatehouse/runtime/testing';
import { v7 as newId } from 'uuid';
import type { Services } from '../requests/services.ts';
import type { Received } from '../requests/send.ts';

/** A call, for example `POST /account/login`, and its body. */
export type Call = readonly [line: string, body?: object | undefined];

/** The caller. */
export type Who = keyof Fixtures['tokens'] | 'nobody';

/** All people and objects: what Anna and Bert own, who has access to it, and the codes that were mailed to them. */
export type Fixtures = Awaited<ReturnType<typeof assemble>>;

/** Sends a call to the service that has this route, with or without a token. */
export function sendCall(services: Services, [line, body]: Call, token?: string): Promise<Received> {
  const [method = '', path = ''] = line.split(' ');
  const entry = ALL_ROUTES.find(
    ({ route }) =>
      route.method.toUpperCase() === method &&
      new RegExp(`^${route.path.replaceAll(/:\w+/g, '[^/]+')}$`).test(path),
  );
  if (entry === undefined) throw new Error(`no service has ${line}`);
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return services.send(entry.api, { method, path, headers, body });
}

export async function assemble(services: Services) {
  const { app } = services;
  const person = async (role: 'User' | 'Admin' | 'Guest' = 'User') => {
    const made = await newAccount(app, { role });
    return { ...made, ...(await logIn(app, made)) };
  };
  const [anna, bert, ursula] = [await person(), await person(), await person()];
  const [hedi, admin] = [await person('Guest'), await person('Admin')];
  const tell = async (call: Call, token?: string): Promise<Record<string, unknown>> => {
    const { status, text, body } = await sendCall(services, call, token);
    assert.ok(status < 300, `${call[0]}: ${text}`);
    return body;
  };

  const ofAnna = await newContent(app, anna);
  const ofBert = await newContent(app, bert);
  const share = (contentDefinitionId: string, { id: accountId }: { id: string }) =>
    inTransaction(app.db, NO_DEADLINE, (tx) =>
      contentAccess.grant(tx, { contentDefinitionId, accountId, grantedBy: undefined }),
    );
  await share(ofAnna, ursula);
  await share(ofBert, hedi);

  const invited = await invite(services, { owner: anna.Token, content: ofAnna });
  const accepted = await invite(services, { owner: anna.Token, content: ofAnna });
  await tell(registerWith(accepted.token));
  const gus = { ...accepted, ...(await logIn(app, accepted)) };

  const newcomer = async () => {
    const email = someEmail();
    await tell(['POST /account/register', { Email: email, Password: PASSWORD }]);
    return { email, code: codeIn(await app.mailsTo(email)) };
  };
  /** Bert requests codes too. So when he uses Anna's codes, only their owner is wrong. */
  const askForCodes = async ({ Token, email }: { Token: string; email: string }) => {
    const newAddress = someEmail();
    await tell(['POST /account/change-email', { Email: newAddress, Password: PASSWORD }], Token);
    await tell(['POST /account/forgot-password', { Email: email }]);
    return {
      changeCode: codeIn(await app.mailsTo(newAddress)),
      // A job of Core mails it after the response.
      resetCode: await eventually(async () => codeIn(await app.mailsTo(email))),
    };
  };
  await askForCodes(bert);
  const withFace = async () => {
    const id = String((await tell(['POST /person', { Name: newId() }], admin.Token))['Id']);
    const face = { SourceId: newId(), Similarity: 0.95 };
    return { id, faceId: String((await tell([`POST /person/${id}/face`, face], admin.Token))['Id']) };
  };
  return {
    anna,
    bert,
    ursula,
    hedi,
    gus,
    invited,
    ofAnna,
    ofBert,
    ofNobody: await newContent(app),
    recording: await newContent(app, bert, { kind: 'Recording' }),
    one: await newcomer(),
    other: await newcomer(),
    ...(await askForCodes(anna)),
    ada: await withFace(),
    eva: await withFace(),
    share,
    tokens: {
      anna: anna.Token,
      bert: bert.Token,
      ursula: ursula.Token,
      hedi: hedi.Token,
      gus: gus.Token,
      admin: admin.Token,
      service: (await newToken(app)).Token,
      adminToken: (await newToken(app, { role: 'Admin' })).Token,
    },
  };
}

/** Invites a new person to content. Returns the token that accepts the invitation. */
async function invite(services: Services, { owner, content }: { owner: string; content: string }) {
  const email = someEmail();
  const { status, text } = await sendCall(
    services,
    ['POST /account/invite-user', { Emails: [email], ContentDefinitionId: content }],
    owner,
  );
  assert.equal(status, 200, text);
  const [row] = await services.sql(
    `select i.id as "invitationId", a.id
     from invitation i
     join account a on a.id = i.account_id
     where a.email = ?`,
    [email],
  );
  const { invitationId = '', id = '' } = row ?? {};
  return { email, id, invitationId, token: invitationTokenIn(await services.app.mailsTo(email)) };
}

/** The call that accepts an invitation. */
export function registerWith(InvitationToken: string): Call {
  return ['POST /account/register-guest', { InvitationToken, Password: PASSWORD, DisplayName: 'Gus' }];
}
