import assert from 'node:assert/strict';
import { logIn, newContent, someEmail } from '@gatehouse/accounts/testing';
import { v7 as newId } from 'uuid';
import { assemble, registerWith, sendCall, type Call, type Fixtures, type Who } from './fixtures.ts';
import { startServices } from '../requests/services.ts';
import { watch } from '../roles/watch.ts';

import {
  endSession,
  FORBIDDEN,
  INVALID_CODE,
  INVALID_INVITATION,
  invite,
  NOT_FOUND,
  read,
  remove,
  resend,
  TOKEN_INVALID,
  verify,
} from './attempts.ts';
import { during } from '../testing/during.ts';

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
