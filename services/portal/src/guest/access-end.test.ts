import assert from 'node:assert/strict';
import { endAccess } from '@gatehouse/accounts';
import { someEmail } from '@gatehouse/accounts/testing';
import { accounts } from '@gatehouse/db';
import { cast, problem } from '../testing/cast.ts';
import { fieldsOf } from '@gatehouse/runtime/testing';

const HOUR_MS = 3_600_000;
const inHours = (hours: number): string => new Date(Date.now() + hours * HOUR_MS).toISOString();

describe('access with an expiry', () => {
  const people = cast({ MAILS_PER_HOUR: 3 });
  const { accept, app, audit, eventsOf, get, linkTo, login, mailsTo, member, newContent, sql } = people;
  const olga = people.useOwner();

  const invite = (email: string, ExpiresAt?: string | null, to = olga.content) =>
    olga.invite(email, { ExpiresAt, ContentDefinitionId: to });
  const register = async (email: string) => accept(await linkTo(email));
  const endOf = async (userId: string): Promise<unknown> => {
    const { body } = await get(`/account/content/${olga.content}/member?limit=200`, olga).expect(200);
    return body.Items.find((one: { UserId: string }) => one.UserId === userId)?.ExpiresAt;
  };
  const passTime = async (to = olga.content) => {
    await sql(`update content_access set expires_at = now() where content_definition_id = ?`, [to]);
    const links = 'update invitation set access_expires_at = now(), expires_at = least(expires_at, now())';
    await sql(`${links} where content_definition_id = ?`, [to]);
  };
  const audited = async (targetId: string) => (await audit({ targetId })).entries.toReversed();
  const sweep = () => endAccess(app().service);
  const told = async (userId: string, type: string) => (await eventsOf(userId, type)).map(([, data]) => data);
  const newGuest = async (ExpiresAt?: string | null) => {
    const email = someEmail();
    const { UserId } = await invite(email, ExpiresAt);
    await accept(await linkTo(email)).expect(200);
    return { id: UserId, email, ...(await login({ id: UserId })) };
  };

  it('is shown to members and managers', async () => {
    const end = inHours(2);
    const gus = await newGuest(end);
    assert.equal(await endOf(gus.id), end);
    assert.equal((await get('/account/content', gus.Token)).body.Items[0].ExpiresAt, end);
    const lasting = await member();
    await invite(lasting.email);
    assert.equal(await endOf(lasting.id), null);
    const [granted] = await told(lasting.id, 'guest.access-granted');
    assert.equal(granted?.['AccessExpiresAt'], undefined);
    const [invited] = await told(gus.id, 'guest.invited');
    assert.equal(invited?.['AccessExpiresAt'], end);
  });

  it('keeps its expiry on a new invitation without one, and otherwise uses the new one', async () => {
    const user = await member();
    const [first, second] = [inHours(1), inHours(5)];
    assert.equal((await invite(user.email, first)).Result, 'AccessGranted');
    assert.equal((await invite(user.email)).Result, 'AlreadyHasAccess');
    assert.equal(await endOf(user.id), first);
    await invite(user.email, second);
    assert.equal(await endOf(user.id), second);
    await invite(user.email, second);
    await invite(user.email, null);
    assert.equal(await endOf(user.id), null);
    const ends = (await told(user.id, 'guest.access-granted')).map((data) => data['AccessExpiresAt']);
    assert.deepEqual(ends, [first, second, undefined]);
    assert.equal((await mailsTo(user.email)).length, 1);
    const details = (await audited(user.id)).map((entry) => entry.details);
    assert.deepEqual(fieldsOf(details, 'Result', 'ExpiresAt'), [
      ['AccessGranted', first],
      ['AlreadyHasAccess', second],
      ['AlreadyHasAccess', null],
    ]);
  });

  it('applies to the invitation: its link expires with it, and can be changed without another mail', async () => {
    const email = someEmail();
    const end = inHours(3);
    const { UserId } = await invite(email, inHours(1));
    const ends =
      'select expires_at as link, access_expires_at as access from invitation where account_id = ?';
    const links = () => sql<{ link: Date; access: Date }>(ends, [UserId]);
    await invite(email, end);
    assert.deepEqual(await links(), [{ link: new Date(end), access: new Date(end) }]);
    // The third mail within an hour is the last one.
    await invite(email);
    assert.deepEqual((await links())[0]?.access, new Date(end));
    const sooner = inHours(1);
    assert.equal((await invite(email, sooner)).Result, 'Reinvited');
    assert.deepEqual(await links(), [{ link: new Date(sooner), access: new Date(sooner) }]);
    assert.equal((await mailsTo(email)).length, 3);
    assert.equal((await register(email)).status, 200);
    assert.equal(await endOf(UserId), sooner);
  });

  it('refuses a link whose access has expired, which cannot be renewed', async () => {
    const email = someEmail();
    const { UserId } = await invite(email, inHours(1));
    await passTime();
    assert.equal((await register(email)).body.code, 'invalid_invitation');
    const resent = await people.resendAsAdministrator(UserId);
    assert.deepEqual(resent, { kind: 'refused', reason: 'gone' });
    await sweep();
    const [entry] = (await audited(UserId)).filter(({ action }) => action === 'user.removed');
    assert.equal(entry?.details['Result'], 'InvitationDeleted');
    assert.equal((await mailsTo(email)).length, 1);
    // A new invitation without an end restores the initial state.
    assert.equal((await invite(email)).Result, 'Invited');
    assert.equal((await register(email)).status, 200);
    assert.equal(await endOf(UserId), null);
  });

  it('must be in the future', async () => {
    const email = someEmail();
    for (const end of [inHours(-1), '1999-12-31T23:59:60Z', 'tomorrow', 7, ''])
      await olga.invites([email], { ExpiresAt: end }).expect(problem('invalid_request', '/ExpiresAt'));
    assert.equal((await mailsTo(email)).length, 0);
  });

  it('ends by itself, like revoked access', async () => {
    const gus = await newGuest(inHours(1));
    const channel = `/user-session/${olga.content}`;
    await get(channel, gus.Token).expect(200);
    assert.equal(await sweep(), 0);
    await passTime();
    assert.ok((await sweep()) >= 1);
    await get('/account/profile', gus.Token).expect(problem('invite_deleted'));
    assert.equal((await accounts.findById(app().db, gus.id))?.isExpired, true);
    const removed = await told(gus.id, 'guest.removed');
    assert.deepEqual(fieldsOf(removed, 'ContentDefinitionId', 'RemovedBy'), [[olga.content, undefined]]);
    assert.equal((await mailsTo(gus.email)).at(-1)?.type, 'guest.removed');
    const entry = (await audited(gus.id)).find(({ action }) => action === 'user.removed');
    const details = { ContentDefinitionId: olga.content, Result: 'AccessRevoked' };
    assert.deepEqual([entry?.actorKind, entry?.details], ['System', details]);
    assert.equal(await sweep(), 0);
  });

  it('ends on time, before the cleanup', async () => {
    const gus = await newGuest(inHours(1));
    const user = await member();
    await invite(user.email, inHours(1));
    const { Token } = await login(user);
    await passTime();
    for (const who of [gus.Token, Token]) {
      await get(`/user-session/${olga.content}`, who).expect(403);
      assert.deepEqual((await get('/account/content', who).expect(200)).body.Items, []);
    }
    const { body } = await get(`/account/content/${olga.content}/member`, olga.Token).expect(200);
    assert.deepEqual(fieldsOf(body.Items, 'UserId'), [olga.id]);
    const shown = (await get(`/user-session/${olga.content}`, olga.Token).expect(200)).body;
    assert.ok(!JSON.stringify(shown).includes(gus.id) && !JSON.stringify(shown).includes(user.id));
    await sweep();
    // Users who are not guests stay signed in.
    await get('/account/profile', Token).expect(200);
  });

  it('can be granted again during the cleanup, in any order', async () => {
    for (let round = 0; round < 15; round += 1) {
      const gus = await newGuest(inHours(1));
      const user = await member();
      await invite(user.email, inHours(1));
      await passTime();
      const sweeps = Promise.all([sweep(), sweep()]);
      const invites = [user, gus].map(({ email }) => invite(email, inHours(2)));
      const [, again = assert.fail()] = await Promise.all(invites);
      await sweeps;
      await sweep();
      assert.equal(typeof (await endOf(user.id)), 'string');
      const account = await accounts.findById(app().db, gus.id);
      // If the sweep came first, the guest starts over with a link; otherwise nothing has ended.
      assert.deepEqual(
        [account?.signup, (await told(gus.id, 'guest.removed')).length, account?.isExpired],
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
    await invite(user.email, inHours(1), other);
    await passTime(other);
    const counts = await Promise.all(Array.from({ length: 6 }, () => sweep()));
    const rest = await sweep();
    const total = [...counts, rest].reduce((sum, count) => sum + count, 0);
    assert.equal(total, 41);
    for (const { UserId } of [...body.Items, { UserId: user.id }])
      assert.equal((await told(UserId, 'guest.removed')).length, 1);
    assert.equal((await mailsTo(user.email)).filter(({ type }) => type === 'guest.removed').length, 1);
  });

  it('does not affect owners', async () => {
    const next = await member();
    await invite(next.email, inHours(1));
    await sql('update content_definition set owner_id = ? where id = ?', [next.id, olga.content]);
    await passTime();
    await sweep();
    const { Token } = await login(next);
    assert.equal((await get('/account/content', Token)).body.Items[0].Relation, 'Owner');
    assert.deepEqual(await next.mailTypes(), ['guest.access-granted']);
  });
});
