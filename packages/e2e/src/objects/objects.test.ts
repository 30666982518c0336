import assert from 'node:assert/strict';
import {
  codeIn,
  invitationTokenIn,
  logIn,
  newContent,
  newToken,
  PASSWORD,
  peopleOf,
  someEmail,
} from '@gatehouse/accounts/testing';
import { v7 as newId } from 'uuid';
import { query } from '@gatehouse/db';
import { during, eventually } from '@gatehouse/runtime/testing';
import { ask, newCaller } from '../requests/prepared/prepared.ts';
import { startServices, type Services } from '../requests/services.ts';
import { watch } from '../roles/watch.ts';

type Try = [who: Who, what: string, call: (fixtures: Fixtures) => Call];

const invite = (ContentDefinitionId: string): Call => [
  'POST /account/invite-user',
  { Emails: [someEmail()], ContentDefinitionId },
];
const remove = (whom: { UserId: string } | { Emails: string[] }, ContentId: string): Call => [
  'POST /account/remove-user',
  { ...whom, ContentId },
];
const resend = (email: string, content: string): Call => [
  `POST /account/content/${content}/resend`,
  { Emails: [email] },
];
const read = (content: string): Call => [`GET /user-session/${content}`];
const endSession = (id: string): Call => [`DELETE /account/session/${id}`];
const verify = (Email: string, Code: string): Call => ['POST /account/verify', { Email, Code }];
const reset = (Email: string, Code: string): Call => [
  'POST /account/reset-password',
  { Email, Code, Password: 'a password of the thief' },
];
const confirmEmail = (Code: string): Call => ['POST /account/confirm-email', { Code }];
const refresh = (RefreshToken: string): Call => ['POST /account/refresh-token', { RefreshToken }];

/** What the owner alone may do, for those who come close to it: walk.test.ts tries everybody else at every route. */
const FORBIDDEN: Try[] = [
  ['ursula', 'invites to content that is shared with her', ({ ofAnna }) => invite(ofAnna)],
  ['gus', 'invites to content that is shared with him', ({ ofAnna }) => invite(ofAnna)],
  ['anna', 'invites to content that nobody owns', ({ ofNobody }) => invite(ofNobody)],
  ['bert', 'takes back what another shares, by email', (at) => remove({ Emails: [at.gus.email] }, at.ofAnna)],
  ['bert', 'voids an invitation of another', (at) => remove({ Emails: [at.invited.email] }, at.ofAnna)],
  ['gus', 'resends an invitation to what is shared with him', (at) => resend(at.invited.email, at.ofAnna)],
  ['ursula', 'takes back what is shared with her', (at) => remove({ UserId: at.gus.id }, at.ofAnna)],
  ['gus', 'takes back what is shared with him', (at) => remove({ UserId: at.ursula.id }, at.ofAnna)],
  ['gus', 'removes himself', (at) => remove({ UserId: at.gus.id }, at.ofAnna)],
  ['anna', 'reads a channel that nobody owns', ({ ofNobody }) => read(ofNobody)],
  ['anna', 'learns of what kind the content of another is', ({ recording }) => read(recording)],
];

const NOT_FOUND: Try[] = [
  [
    'anna',
    'decides about the face of another person',
    ({ ada, eva }) => [`PUT /person/${ada.id}/face/${eva.faceId}`, { FaceMatchType: 4 }],
  ],
];

/** Codes that were mailed to one person for one purpose, used for another person or another purpose. */
const INVALID_CODE: Try[] = [
  ['nobody', 'confirms an email with the code of another', ({ one, other }) => verify(other.email, one.code)],
  ['nobody', 'confirms an email with a reset code', ({ anna, resetCode }) => verify(anna.email, resetCode)],
  ['nobody', 'confirms an email with an invitation', ({ invited }) => verify(invited.email, invited.token)],
  ['nobody', 'sets a password with the code of another', (at) => reset(at.bert.email, at.resetCode)],
  ['nobody', 'sets a password with a verification code', ({ one }) => reset(one.email, one.code)],
  ['nobody', 'sets a password with an email change', ({ anna, changeCode }) => reset(anna.email, changeCode)],
  ['nobody', 'sets a password with an invitation', ({ invited }) => reset(invited.email, invited.token)],
  ['bert', 'takes the email that another wants', ({ changeCode }) => confirmEmail(changeCode)],
  ['anna', 'takes an email with a reset code', ({ resetCode }) => confirmEmail(resetCode)],
];

const INVALID_INVITATION: Try[] = [
  ['nobody', 'accepts an invitation with a code', ({ resetCode }) => registerWith(resetCode)],
  ['nobody', 'accepts an invitation with an access token', ({ tokens }) => registerWith(tokens.anna)],
];

const TOKEN_INVALID: Try[] = [
  ['nobody', 'refreshes with an access token', ({ tokens }) => refresh(tokens.anna)],
  ['nobody', 'refreshes with a static token', ({ tokens }) => refresh(tokens.adminToken)],
  ['nobody', 'refreshes with an invitation', ({ invited }) => refresh(invited.token)],
];

describe('resources of others', () => {
  const services = during(() => startServices({ SINGLE_SESSION: false }));
  const { grant } = peopleOf(() => services.app);
  let fixtures: Fixtures;
  let look: ReturnType<typeof watch>;
  before(async () => {
    fixtures = await assemble(services);
    look = watch(services.app);
    await look();
  });

  const send = (who: Who, [line, body]: Call) =>
    services.call(line, { body, token: who === 'nobody' ? undefined : fixtures.tokens[who] });
  const statusOf = async (who: Who, call: Call): Promise<number> => (await send(who, call)).status;

  for (const [status, code, tries] of [
    [403, 'forbidden', FORBIDDEN],
    [404, 'not_found', NOT_FOUND],
    [400, 'invalid_code', INVALID_CODE],
    [400, 'invalid_invitation', INVALID_INVITATION],
    [401, 'token_invalid', TOKEN_INVALID],
  ] as const) {
    for (const [who, what, call] of tries) {
      it(`respond with ${code} and are unchanged when ${who} ${what}`, async () => {
        const { status: found, body, text } = await send(who, call(fixtures));
        const changed = await look();
        assert.deepEqual([found, body['code'], changed], [status, code, []], text);
      });
    }
  }

  it('are answered like unknown ones if their existence is secret', async () => {
    for (const who of ['bert', 'gus', 'admin'] as const) {
      const theirs = await send(who, endSession(fixtures.anna.sessionId));
      const none = await send(who, endSession(newId()));
      assert.deepEqual({ ...theirs.body, traceId: '' }, { ...none.body, traceId: '' });
    }
  });

  it('are accessible to those with permission (control)', async () => {
    for (const who of ['anna', 'ursula', 'gus', 'admin', 'service', 'adminToken'] as const)
      assert.equal(await statusOf(who, read(fixtures.ofAnna)), 200, who);
    for (const who of ['anna', 'admin', 'service', 'adminToken'] as const)
      assert.equal(await statusOf(who, invite(fixtures.ofAnna)), 200, who);
    const { sessionId } = await logIn(services.app, fixtures.anna);
    assert.equal(await statusOf('anna', endSession(sessionId)), 204);
    const { email, code } = fixtures.one;
    assert.equal(await statusOf('nobody', verify(email, code)), 200);
    assert.equal(await statusOf('nobody', registerWith(fixtures.invited.token)), 200);
    assert.equal(await statusOf('anna', confirmEmail(fixtures.changeCode)), 200);
  });

  it('are inaccessible after access is revoked, also for existing sessions', async () => {
    const { ofBert, ursula } = fixtures;
    await grant(ofBert, ursula.id);
    assert.equal(await statusOf('ursula', read(ofBert)), 200);
    assert.equal(await statusOf('bert', remove({ UserId: ursula.id }, ofBert)), 200);
    assert.equal(await statusOf('ursula', read(ofBert)), 403);
  });

  it('are no longer accessible to a former owner', async () => {
    const id = await newContent(services.app, fixtures.anna);
    assert.equal(await statusOf('anna', invite(id)), 200);
    const given = { Name: 'Theirs now', Kind: 'LiveChannel', OwnerId: fixtures.bert.id };
    assert.equal(await statusOf('admin', [`PUT /admin/content-definition/${id}`, given]), 200);
    const taken = [invite(id), remove({ UserId: fixtures.gus.id }, id), read(id), resend(someEmail(), id)];
    for (const call of taken) assert.equal(await statusOf('anna', call), 403);
    assert.equal(await statusOf('bert', invite(id)), 200);
  });
});

type Call = readonly [line: string, body?: object | undefined];

type Who = keyof Fixtures['tokens'] | 'nobody';

/** All people and objects: what Anna and Bert own, who has access to it, and the codes that were mailed to them. */
type Fixtures = Awaited<ReturnType<typeof assemble>>;

async function assemble(services: Services) {
  const { app } = services;
  const person = () => newCaller(services, 'User');
  const [anna, bert, ursula] = [await person(), await person(), await person()];
  const ofAnna = await newContent(app, anna);
  const ofBert = await newContent(app, bert);
  await peopleOf(() => app).grant(ofAnna, ursula.id);

  const invited = await newInvitation(services, { owner: anna.Token, content: ofAnna });
  const accepted = await newInvitation(services, { owner: anna.Token, content: ofAnna });
  await ask(services, '/account/register-guest', { InvitationToken: accepted.token, Password: PASSWORD });
  const gus = { ...accepted, ...(await logIn(app, accepted)) };

  const newcomer = async () => {
    const email = someEmail();
    await ask(services, '/account/register', { Email: email, Password: PASSWORD });
    return { email, code: codeIn(await app.mailsTo(email)) };
  };
  /** Bert requests codes too. So when he uses Anna's codes, only their owner is wrong. */
  const askForCodes = async (by: { Token: string; email: string }) => {
    const newAddress = someEmail();
    await ask(services, '/account/change-email', { Email: newAddress, Password: PASSWORD }, by);
    await ask(services, '/account/forgot-password', { Email: by.email });
    return {
      changeCode: codeIn(await app.mailsTo(newAddress)),
      // A job of Core mails it after the response.
      resetCode: await eventually(async () => codeIn(await app.mailsTo(by.email))),
    };
  };
  await askForCodes(bert);
  const by = { Token: services.adminToken };
  const withFace = async () => {
    const id = String((await ask(services, '/person', { Name: newId() }, by))['Id']);
    const face = { SourceId: newId(), Similarity: 0.95 };
    return { id, faceId: String((await ask(services, `/person/${id}/face`, face, by))['Id']) };
  };
  return {
    anna,
    bert,
    ursula,
    gus,
    invited,
    ofAnna,
    ofBert,
    ofNobody: await newContent(app),
    recording: await newContent(app, bert, { kind: 'Recording' }),
    ada: await withFace(),
    eva: await withFace(),
    one: await newcomer(),
    other: await newcomer(),
    ...(await askForCodes(anna)),
    tokens: {
      anna: anna.Token,
      bert: bert.Token,
      ursula: ursula.Token,
      gus: gus.Token,
      admin: services.adminToken,
      service: (await newToken(app)).Token,
      adminToken: (await newToken(app, { role: 'Admin' })).Token,
    },
  };
}

/** Invites a new person to content. Returns the token that accepts the invitation. */
async function newInvitation(services: Services, { owner, content }: { owner: string; content: string }) {
  const email = someEmail();
  const body = { Emails: [email], ContentDefinitionId: content };
  await ask(services, '/account/invite-user', body, { Token: owner });
  const sql = 'select id from account where email = ?';
  const id = await query.onlyValue<string>(services.app.db, sql, [email]);
  return { email, id, token: invitationTokenIn(await services.app.mailsTo(email)) };
}

function registerWith(InvitationToken: string): Call {
  return ['POST /account/register-guest', { InvitationToken, Password: PASSWORD, DisplayName: 'Gus' }];
}
