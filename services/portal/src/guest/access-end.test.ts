import assert from 'node:assert/strict';
import { endAccess, resendInvitation } from '@gatehouse/accounts';
import { invitationTokenIn, PASSWORD, readAudit, someEmail } from '@gatehouse/accounts/testing';
import { accounts, query } from '@gatehouse/db';
import { startPortal, type TestPortal } from '../testing/index.ts';

const HOUR_MS = 3_600_000;
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString();

describe('access with an end', () => {
  let portal: TestPortal;
  let owner: { id: string; email: string };
  let token: string;
  let content: string;
  before(async () => {
    portal = await startPortal({ MAILS_PER_HOUR: 3 });
    // What is not published stays in the outbox, where the tests look.
    await portal.app.relay.stop();
  });
  beforeEach(async () => {
    owner = await portal.newAccount();
    token = (await portal.login(owner)).Token;
    content = await portal.newContent(owner);
  });
  after(() => portal.stop());

  const sql = (text: string, values: (string | null)[] = []) =>
    query<Record<string, unknown>>(portal.app.db, text, values);
  const inviteAs = (email: string, ExpiresAt?: unknown, to = content) =>
    portal.post('/account/invite-user', token, { Emails: [email], ContentDefinitionId: to, ExpiresAt });
  const invite = async (email: string, ExpiresAt?: string | null, to = content) =>
    (await inviteAs(email, ExpiresAt, to).expect(200)).body.Items[0] as { UserId: string; Result: string };
  const register = async (email: string) => {
    const InvitationToken = invitationTokenIn(await portal.app.mailsTo(email));
    const given = { InvitationToken, Password: PASSWORD, DisplayName: 'Gus' };
    return portal.post('/account/register-guest', undefined, given);
  };
  const endOf = async (userId: string) => {
    const { body } = await portal.get(`/account/content/${content}/member?limit=200`, token).expect(200);
    return body.Items.find((one: { UserId: string }) => one.UserId === userId)?.ExpiresAt as unknown;
  };
  /** Lets the end of all access to the content come. */
  const passTime = async (to = content) => {
    await sql(`update content_access set expires_at = now() where content_definition_id = ?`, [to]);
    await sql(
      `update invitation set access_expires_at = now(), expires_at = least(expires_at, now())
       where content_definition_id = ?`,
      [to],
    );
  };
  /** What the audit tells of an account, oldest first. */
  const audited = async (targetId: string) =>
    (await readAudit(portal.app, { targetId })).entries.toReversed();
  const sweep = () => endAccess(portal.app.service);
  const told = async (userId: string, type: string) =>
    (
      await sql(
        `select event -> 'data' as data from outbox
         where event ->> 'type' = ? and event -> 'data' ->> 'UserId' = ? order by id`,
        [type, userId],
      )
    ).map(({ data }) => data as Record<string, unknown>);
  const guest = async (ExpiresAt?: string | null) => {
    const email = someEmail();
    const { UserId } = await invite(email, ExpiresAt);
    assert.equal((await register(email)).status, 200);
    return { id: UserId, email, ...(await portal.login({ id: UserId })) };
  };

  it('ends by itself, like access that is taken back', async () => {
    const gus = await guest(inHours(1));
    const channel = `/user-session/${content}`;
    await portal.get(channel, gus.Token).expect(200);
    assert.equal(await sweep(), 0);
    await passTime();
    assert.ok((await sweep()) >= 1);
    const { body } = await portal.get('/account/profile', gus.Token).expect(401);
    assert.equal(body.code, 'invite_deleted');
    assert.equal((await accounts.findById(portal.app.db, gus.id))?.isExpired, true);
    const [event, more] = await told(gus.id, 'guest.removed');
    assert.deepEqual(
      [event?.['ContentDefinitionId'], event?.['RemovedBy'], more],
      [content, undefined, undefined],
    );
    assert.equal((await portal.app.mailsTo(gus.email)).at(-1)?.type, 'guest.removed');
    const entry = (await audited(gus.id)).find(({ action }) => action === 'user.removed');
    assert.deepEqual(
      [entry?.actorKind, entry?.details],
      ['System', { ContentDefinitionId: content, Result: 'AccessRevoked' }],
    );
    assert.equal(await sweep(), 0);
  });

  it('is over at its moment, whenever it is swept up', async () => {
    const gus = await guest(inHours(1));
    const user = await portal.newAccount();
    await invite(user.email, inHours(1));
    const { Token } = await portal.login(user);
    await passTime();
    for (const who of [gus.Token, Token]) {
      await portal.get(`/user-session/${content}`, who).expect(403);
      assert.deepEqual((await portal.get('/account/content', who).expect(200)).body.Items, []);
    }
    const { body } = await portal.get(`/account/content/${content}/member`, token).expect(200);
    assert.deepEqual(
      body.Items.map(({ UserId }: { UserId: string }) => UserId),
      [owner.id],
    );
    const shown = (await portal.get(`/user-session/${content}`, token).expect(200)).body;
    assert.ok(!JSON.stringify(shown).includes(gus.id) && !JSON.stringify(shown).includes(user.id));
    await sweep();
    // Who is no guest stays signed in.
    await portal.get('/account/profile', Token).expect(200);
  });

  it('is shown to who has it and to who manages it', async () => {
    const end = inHours(2);
    const gus = await guest(end);
    assert.equal(await endOf(gus.id), end);
    assert.equal((await portal.get('/account/content', gus.Token)).body.Items[0].ExpiresAt, end);
    const lasting = await portal.newAccount();
    await invite(lasting.email);
    assert.equal(await endOf(lasting.id), null);
    const [granted] = await told(lasting.id, 'guest.access-granted');
    assert.equal(granted?.['AccessExpiresAt'], undefined);
    const [invited] = await told(gus.id, 'guest.invited');
    assert.equal(invited?.['AccessExpiresAt'], end);
  });

  it('keeps its expiry on a new invitation without one, and otherwise uses the new one', async () => {
    const user = await portal.newAccount();
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
    assert.equal((await portal.app.mailsTo(user.email)).length, 1);
    const entries = await audited(user.id);
    assert.deepEqual(
      entries.map(({ details }) => [details['Result'], details['ExpiresAt']]),
      [
        ['AccessGranted', first],
        ['AlreadyHasAccess', second],
        ['AlreadyHasAccess', null],
      ],
    );
  });

  it('applies to the invitation: its link expires with it, and can be changed without another mail', async () => {
    const email = someEmail();
    const end = inHours(3);
    const { UserId } = await invite(email, inHours(1));
    const links = async () =>
      (
        await sql(
          'select expires_at as link, access_expires_at as access from invitation where account_id = ?',
          [UserId],
        )
      )[0];
    await invite(email, end);
    assert.deepEqual(await links(), { link: new Date(end), access: new Date(end) });
    // The third mail of the hour is the last one.
    await invite(email);
    assert.deepEqual((await links())?.['access'], new Date(end));
    const sooner = inHours(1);
    assert.equal((await invite(email, sooner)).Result, 'Reinvited');
    assert.deepEqual(await links(), { link: new Date(sooner), access: new Date(sooner) });
    assert.equal((await portal.app.mailsTo(email)).length, 3);
    assert.equal((await register(email)).status, 200);
    assert.equal(await endOf(UserId), sooner);
  });

  it('refuses a link whose access has expired, which cannot be renewed', async () => {
    const email = someEmail();
    const { UserId } = await invite(email, inHours(1));
    await passTime();
    const { body } = await register(email);
    assert.equal(body.code, 'invalid_invitation');
    const [invitation] = await sql('select id from invitation where account_id = ?', [UserId]);
    const actor = { kind: 'System' } as const;
    const origin = { traceId: 'test', dueAt: Infinity };
    const resent = await resendInvitation(portal.app, String(invitation?.['id']), actor, origin);
    assert.deepEqual(resent, { kind: 'refused', reason: 'gone' });
    await sweep();
    const [entry] = (await audited(UserId)).filter(({ action }) => action === 'user.removed');
    assert.equal(entry?.details['Result'], 'InvitationDeleted');
    assert.equal((await portal.app.mailsTo(email)).length, 1);
    // Invited again, without an end, all is as at first.
    assert.equal((await invite(email)).Result, 'Invited');
    assert.equal((await register(email)).status, 200);
    assert.equal(await endOf(UserId), null);
  });

  it('is given again while it is being swept up: there is access then, whichever came first', async () => {
    for (let round = 0; round < 15; round += 1) {
      const gus = await guest(inHours(1));
      const user = await portal.newAccount();
      await invite(user.email, inHours(1));
      await passTime();
      const [, , , again] = await Promise.all([
        sweep(),
        sweep(),
        invite(user.email, inHours(2)),
        invite(gus.email, inHours(2)),
      ]);
      await sweep();
      assert.equal(typeof (await endOf(user.id)), 'string');
      const account = await accounts.findById(portal.app.db, gus.id);
      // Swept first, the guest starts over by a link; else nothing has ended.
      assert.deepEqual(
        [account?.signup, (await told(gus.id, 'guest.removed')).length, account?.isExpired],
        again.Result === 'Invited' ? ['invitation', 1, false] : ['complete', 0, false],
      );
      const { status } = await portal.get('/account/profile', gus.Token);
      assert.equal(status, again.Result === 'Invited' ? 401 : 200);
    }
  });

  it('ends once, however many instances sweep at once', async () => {
    const other = await portal.newContent(owner);
    const emails = Array.from({ length: 40 }, someEmail);
    const { body } = await portal
      .post('/account/invite-user', token, {
        Emails: emails,
        ContentDefinitionId: other,
        ExpiresAt: inHours(1),
      })
      .expect(200);
    const user = await portal.newAccount();
    await invite(user.email, inHours(1), other);
    await passTime(other);
    const counts = await Promise.all(Array.from({ length: 6 }, sweep));
    const rest = await sweep();
    assert.equal(
      [...counts, rest].reduce((sum, count) => sum + count, 0),
      41,
    );
    for (const { UserId } of [...body.Items, { UserId: user.id }])
      assert.equal((await told(UserId, 'guest.removed')).length, 1);
    assert.equal(
      (await portal.app.mailsTo(user.email)).filter(({ type }) => type === 'guest.removed').length,
      1,
    );
  });

  it('takes a moment in the future alone', async () => {
    const email = someEmail();
    for (const end of [inHours(-1), '1999-12-31T23:59:60Z', 'tomorrow', 7, '']) {
      const { body } = await inviteAs(email, end).expect(400);
      assert.deepEqual([body.code, body.errors[0].pointer], ['invalid_request', '/ExpiresAt']);
    }
    assert.equal((await portal.app.mailsTo(email)).length, 0);
  });

  it('does not touch what owners have as owners', async () => {
    const next = await portal.newAccount();
    await invite(next.email, inHours(1));
    await sql('update content_definition set owner_id = ? where id = ?', [next.id, content]);
    await passTime();
    await sweep();
    const { Token } = await portal.login(next);
    assert.equal((await portal.get('/account/content', Token)).body.Items[0].Relation, 'Owner');
    const types = (await portal.app.mailsTo(next.email)).map(({ type }) => type);
    assert.deepEqual(types, ['guest.access-granted']);
  });
});
