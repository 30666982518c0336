import assert from 'node:assert/strict';
import { someEmail } from '@gatehouse/accounts/testing';
import { accounts } from '@gatehouse/db';
import { cast } from '../testing/cast.ts';
import { inHours, useLimitedContent } from '../testing/limited-content.ts';

describe('expired access', () => {
  const portal = cast({ MAILS_PER_HOUR: 3 });
  const { app, get, login, mailTypes, mailsTo, member, newContent, sql } = portal;
  const at = useLimitedContent(portal);
  const { olga } = at;

  it('ends by itself, like revoked access', async () => {
    const gus = await at.guest(inHours(1));
    const channel = `/user-session/${olga.content}`;
    await get(channel, gus.Token).expect(200);
    assert.equal(await at.sweep(), 0);
    await at.passTime();
    assert.ok((await at.sweep()) >= 1);
    const { body } = await get('/account/profile', gus.Token).expect(401);
    assert.equal(body.code, 'invite_deleted');
    assert.equal((await accounts.findById(app().db, gus.id))?.isExpired, true);
    const [event, more] = await at.told(gus.id, 'guest.removed');
    assert.deepEqual(
      [event?.['ContentDefinitionId'], event?.['RemovedBy'], more],
      [olga.content, undefined, undefined],
    );
    assert.equal((await mailsTo(gus.email)).at(-1)?.type, 'guest.removed');
    const entry = (await at.audited(gus.id)).find(({ action }) => action === 'user.removed');
    assert.deepEqual(
      [entry?.actorKind, entry?.details],
      ['System', { ContentDefinitionId: olga.content, Result: 'AccessRevoked' }],
    );
    assert.equal(await at.sweep(), 0);
  });

  it('ends on time, before the cleanup', async () => {
    const gus = await at.guest(inHours(1));
    const user = await member();
    await at.invite(user.email, inHours(1));
    const { Token } = await login(user);
    await at.passTime();
    for (const who of [gus.Token, Token]) {
      await get(`/user-session/${olga.content}`, who).expect(403);
      assert.deepEqual((await get('/account/content', who).expect(200)).body.Items, []);
    }
    const { body } = await get(`/account/content/${olga.content}/member`, olga.Token).expect(200);
    assert.deepEqual(
      body.Items.map(({ UserId }: { UserId: string }) => UserId),
      [olga.id],
    );
    const shown = (await get(`/user-session/${olga.content}`, olga.Token).expect(200)).body;
    assert.ok(!JSON.stringify(shown).includes(gus.id) && !JSON.stringify(shown).includes(user.id));
    await at.sweep();
    // Users who are not guests stay signed in.
    await get('/account/profile', Token).expect(200);
  });

  it('can be granted again during the cleanup, in any order', async () => {
    for (let round = 0; round < 15; round += 1) {
      const gus = await at.guest(inHours(1));
      const user = await member();
      await at.invite(user.email, inHours(1));
      await at.passTime();
      const [, , , again] = await Promise.all([
        at.sweep(),
        at.sweep(),
        at.invite(user.email, inHours(2)),
        at.invite(gus.email, inHours(2)),
      ]);
      await at.sweep();
      assert.equal(typeof (await at.endOf(user.id)), 'string');
      const account = await accounts.findById(app().db, gus.id);
      // If the sweep came first, the guest starts over with a link; otherwise nothing has ended.
      assert.deepEqual(
        [account?.signup, (await at.told(gus.id, 'guest.removed')).length, account?.isExpired],
        again.Result === 'Invited' ? ['invitation', 1, false] : ['complete', 0, false],
      );
      const { status } = await get('/account/profile', gus.Token);
      assert.equal(status, again.Result === 'Invited' ? 401 : 200);
    }
  });

  it('ends once with concurrent cleanups', async () => {
    const other = await newContent(olga);
    const emails = Array.from({ length: 40 }, someEmail);
    const limited = { ContentDefinitionId: other, ExpiresAt: inHours(1) };
    const { body } = await olga.invites(emails, limited).expect(200);
    const user = await member();
    await at.invite(user.email, inHours(1), other);
    await at.passTime(other);
    const counts = await Promise.all(Array.from({ length: 6 }, () => at.sweep()));
    const rest = await at.sweep();
    assert.equal(
      [...counts, rest].reduce((sum, count) => sum + count, 0),
      41,
    );
    for (const { UserId } of [...body.Items, { UserId: user.id }])
      assert.equal((await at.told(UserId, 'guest.removed')).length, 1);
    assert.equal((await mailsTo(user.email)).filter(({ type }) => type === 'guest.removed').length, 1);
  });

  it('does not affect owners', async () => {
    const next = await member();
    await at.invite(next.email, inHours(1));
    await sql('update content_definition set owner_id = ? where id = ?', [next.id, olga.content]);
    await at.passTime();
    await at.sweep();
    const { Token } = await login(next);
    assert.equal((await get('/account/content', Token)).body.Items[0].Relation, 'Owner');
    const types = await mailTypes(next.email);
    assert.deepEqual(types, ['guest.access-granted']);
  });
});
