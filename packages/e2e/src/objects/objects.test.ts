import assert from 'node:assert/strict';
import { logIn, newContent, someEmail } from '@gatehouse/accounts/testing';
import { v7 as newId } from 'uuid';
import { assemble, registerWith, sendCall, type Call, type Fixtures, type Who } from './fixtures.ts';
import { startServices } from '../requests/services.ts';
import { watch } from '../roles/watch.ts';
import { during } from '../testing/during.ts';

/** One attempt: the caller, its description, and the call. */
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
const refresh = (RefreshToken: string): Call => ['POST /account/refresh-token', { RefreshToken }];

/** What the owner alone may do. What only a role may do is tried for every route with every caller (walk.test.ts). */
const FORBIDDEN: Try[] = [
  ['bert', 'invites to content of somebody else', ({ ofAnna }) => invite(ofAnna)],
  ['ursula', 'invites to content that is shared with her', ({ ofAnna }) => invite(ofAnna)],
  ['gus', 'invites to content that is shared with him', ({ ofAnna }) => invite(ofAnna)],
  ['anna', 'invites to content that nobody owns', ({ ofNobody }) => invite(ofNobody)],
  ['bert', 'takes back what another shares, by id', (at) => remove({ UserId: at.ursula.id }, at.ofAnna)],
  ['bert', 'takes back what another shares, by email', (at) => remove({ Emails: [at.gus.email] }, at.ofAnna)],
  ['bert', 'voids an invitation of another', (at) => remove({ Emails: [at.invited.email] }, at.ofAnna)],
  ['bert', 'resends an invitation of another', (at) => resend(at.invited.email, at.ofAnna)],
  ['gus', 'resends an invitation to what is shared with him', (at) => resend(at.invited.email, at.ofAnna)],
  ['ursula', 'takes back what is shared with her', (at) => remove({ UserId: at.gus.id }, at.ofAnna)],
  ['gus', 'takes back what is shared with him', (at) => remove({ UserId: at.ursula.id }, at.ofAnna)],
  ['gus', 'removes himself', (at) => remove({ UserId: at.gus.id }, at.ofAnna)],
  ['bert', 'reads a channel of another', ({ ofAnna }) => read(ofAnna)],
  ['hedi', 'reads a channel that she was not invited to', ({ ofAnna }) => read(ofAnna)],
  ['anna', 'reads a channel that nobody owns', ({ ofNobody }) => read(ofNobody)],
  ['anna', 'learns of what kind the content of another is', ({ recording }) => read(recording)],
];

const NOT_FOUND: Try[] = [
  ['bert', 'ends a session of another', ({ anna }) => endSession(anna.sessionId)],
  ['gus', 'ends a session of another guest', ({ hedi }) => endSession(hedi.sessionId)],
  ['admin', 'ends a session of another as if it were his', ({ anna }) => endSession(anna.sessionId)],
  [
    'anna',
    'decides about the face of another person',
    ({ ada, eva }) => [`PUT /person/${ada.id}/face/${eva.faceId}`, { FaceMatchType: 4 }],
  ],
  [
    'anna',
    'decides about it among the faces of the person',
    ({ ada, eva }) => [
      `PUT /person/${ada.id}/face`,
      { Items: [ada, eva].map(({ faceId }) => ({ FaceId: faceId, FaceMatchType: 4 })) },
    ],
  ],
];

/** Codes that were mailed to one person for one purpose, used for another person or another purpose. */
const INVALID_CODE: Try[] = [
  ['nobody', 'confirms an email with the code of another', ({ one, other }) => verify(other.email, one.code)],
  ['nobody', 'confirms an email with a reset code', ({ anna, resetCode }) => verify(anna.email, resetCode)],
  ['nobody', 'confirms an email with an invitation', ({ invited }) => verify(invited.email, invited.token)],
  [
    'nobody',
    'sets a password with the code of another',
    ({ bert, resetCode }) => reset(bert.email, resetCode),
  ],
  ['nobody', 'sets a password with a verification code', ({ one }) => reset(one.email, one.code)],
  ['nobody', 'sets a password with an email change', ({ anna, changeCode }) => reset(anna.email, changeCode)],
  ['nobody', 'sets a password with an invitation', ({ invited }) => reset(invited.email, invited.token)],
  [
    'bert',
    'takes the email that another wants',
    ({ changeCode }) => ['POST /account/confirm-email', { Code: changeCode }],
  ],
  [
    'anna',
    'takes an email with a reset code',
    ({ resetCode }) => ['POST /account/confirm-email', { Code: resetCode }],
  ],
];

const INVALID_INVITATION: Try[] = [
  ['nobody', 'accepts an invitation by its id', ({ invited }) => registerWith(invited.invitationId)],
  ['nobody', 'accepts an invitation by the id of its guest', ({ invited }) => registerWith(invited.id)],
  ['bert', 'accepts an invitation by its email', ({ invited }) => registerWith(invited.email)],
  ['nobody', 'accepts an invitation with a code', ({ resetCode }) => registerWith(resetCode)],
  ['nobody', 'accepts an invitation with an access token', ({ tokens }) => registerWith(tokens.anna)],
  ['nobody', 'accepts an invitation that was accepted', ({ gus }) => registerWith(gus.token)],
];

const TOKEN_INVALID: Try[] = [
  ['nobody', 'refreshes with an access token', ({ tokens }) => refresh(tokens.anna)],
  ['nobody', 'refreshes with a static token', ({ tokens }) => refresh(tokens.adminToken)],
  ['nobody', 'refreshes with an invitation', ({ invited }) => refresh(invited.token)],
  ['nobody', 'refreshes with the id of a session', ({ anna }) => refresh(anna.sessionId)],
];

describe('resources of others', function () {
  this.timeout(60_000);
  const services = during(() => startServices({ SINGLE_SESSION: false }));
  let fixtures: Fixtures;
  let look: ReturnType<typeof watch>;
  before(async () => {
    fixtures = await assemble(services);
    look = watch(services.app);
    await look();
  });

  const send = (who: Who, call: Call) =>
    sendCall(services, call, who === 'nobody' ? undefined : fixtures.tokens[who]);
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

  it('are unchanged when named together with one’s own, and not revealed', async () => {
    const { hedi, ofAnna } = fixtures;
    const byId = await send('anna', remove({ UserId: hedi.id }, ofAnna));
    assert.deepEqual(byId.body, { Items: [{ UserId: hedi.id, Result: 'NoAccess' }] });
    const byEmail = await send('anna', remove({ Emails: [hedi.email] }, ofAnna));
    assert.deepEqual(byEmail.body, { Items: [{ Email: hedi.email, Result: 'NoAccess' }] });
    assert.deepEqual(await look(), []);
  });

  it('are answered like unknown ones if their existence is secret', async () => {
    for (const who of ['bert', 'gus', 'admin'] as const) {
      const theirs = await send(who, endSession(fixtures.anna.sessionId));
      const none = await send(who, endSession(newId()));
      assert.deepEqual({ ...theirs.body, traceId: '' }, { ...none.body, traceId: '' });
    }
  });

  it('are in no list of one’s own', async () => {
    for (const who of ['anna', 'bert', 'gus', 'hedi'] as const) {
      const { body } = await send(who, ['GET /account/session']);
      const ids = (body['Items'] as { Id: string }[]).map(({ Id }) => Id);
      assert.deepEqual(ids, [fixtures[who].sessionId]);
    }
  });

  it('are accessible to those with permission (control)', async () => {
    for (const who of ['anna', 'ursula', 'gus', 'admin', 'service', 'adminToken'] as const) {
      assert.equal(await statusOf(who, read(fixtures.ofAnna)), 200, who);
    }
    for (const who of ['anna', 'admin', 'service', 'adminToken'] as const) {
      assert.equal(await statusOf(who, invite(fixtures.ofAnna)), 200, who);
    }
    const { sessionId } = await logIn(services.app, fixtures.anna);
    assert.equal(await statusOf('anna', endSession(sessionId)), 204);
    const { email, code } = fixtures.one;
    assert.equal(await statusOf('nobody', verify(email, code)), 200);
    assert.equal(await statusOf('nobody', registerWith(fixtures.invited.token)), 200);
    assert.equal(await statusOf('anna', ['POST /account/confirm-email', { Code: fixtures.changeCode }]), 200);
  });

  it('are inaccessible after access is revoked, also for existing sessions', async () => {
    const { ofBert, ursula, share } = fixtures;
    await share(ofBert, ursula);
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
    for (const call of taken) {
      assert.equal(await statusOf('anna', call), 403);
    }
    assert.equal(await statusOf('bert', invite(id)), 200);
  });
});
