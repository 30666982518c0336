import assert from 'node:assert/strict';
import { acceptInvitation, distinctEmails, endAccess, inviteUsers } from '@gatehouse/accounts';
import {
  invitationTokenIn,
  newContent,
  PASSWORD,
  someAddress,
  someEmail,
  unexpected,
} from '@gatehouse/accounts/testing';
import { accounts, contentDefinitions, query } from '@gatehouse/db';
import { v7 as newId } from 'uuid';
import { during, startCore } from '../testing/index.ts';
import { requestMailed } from './testing.ts';

const ORIGIN = { traceId: 'test', dueAt: Infinity };

describe('a guest without a password', () => {
  const core = during(() => startCore({ EMAIL_LOGIN: 'guests' }));

  const invite = async (email = someEmail()) => {
    const content = await contentDefinitions.findById(core.app.db, await newContent(core.app));
    assert.ok(content);
    const sharer = { id: newId(), account: undefined };
    const sharing = { content, sharer, emails: distinctEmails([email]), actor: { kind: 'System' } as const };
    await inviteUsers(core.app, sharing, ORIGIN, unexpected);
    return { email, content, token: invitationTokenIn(await core.app.mailsTo(email)) };
  };
  const accept = (token: string, password?: string) =>
    acceptInvitation(core.app, { token, password, displayName: undefined }, ORIGIN);
  /** Accepts without a password, and returns the code that opens the first session. */
  const acceptAlone = async (email?: string) => {
    const invited = await invite(email);
    const accepted = await accept(invited.token);
    assert.ok(accepted.kind === 'accepted' && accepted.loginCode !== undefined);
    return { ...invited, accountId: accepted.accountId, HandoverCode: accepted.loginCode };
  };
  const exchange = (body: object) =>
    core.http
      .post('/account/handover/exchange')
      .set({ 'x-forwarded-for': someAddress(), 'sec-fetch-site': 'same-origin' })
      .send(body);

  it('has a session with the press that accepts, once, and later ones by mailed codes', async () => {
    const { email, accountId, HandoverCode } = await acceptAlone();
    const account = await accounts.findById(core.app.db, accountId);
    assert.deepEqual([account?.passwordScheme, account?.signup], [null, 'complete']);
    await exchange({ HandoverCode, DryRun: true }).expect(200, { Email: email });
    const { headers } = await exchange({ HandoverCode }).expect(204);
    assert.match(String(headers['set-cookie']), /HttpOnly/);
    await exchange({ HandoverCode }).expect(400);
    const [session] = await query<{ status: number; by: string[] }>(
      core.app.db,
      'select status, authenticated_by as by from user_session where account_id = ?',
      [accountId],
    );
    assert.deepEqual(session, { status: 5, by: ['mail-code'] });
    const { body } = await core.post('/account/login', await requestMailed(core, email)).expect(200);
    assert.equal(await core.pingWith(body.Token), 1);
  });

  it('opens one session of thirty exchanges at once', async () => {
    const { accountId, HandoverCode } = await acceptAlone();
    const answers = await Promise.all(Array.from({ length: 30 }, () => exchange({ HandoverCode })));
    assert.equal(answers.filter(({ status }) => status === 204).length, 1);
    const sessions = await query(core.app.db, 'select id from user_session where account_id = ?', [
      accountId,
    ]);
    assert.equal(sessions.length, 1);
  });

  it('has no session with a code after a minute, or once access has ended, or as another role', async () => {
    const late = await acceptAlone();
    await query(core.app.db, `update guest_login set expires_at = now() where account_id = ?`, [
      late.accountId,
    ]);
    await exchange(late).expect(400);
    const removed = await acceptAlone();
    await query(core.app.db, 'update account set expires_at = now() where id = ?', [removed.accountId]);
    await exchange(removed).expect(400);
    const promoted = await acceptAlone();
    await query(core.app.db, `update account set role = 'Admin' where id = ?`, [promoted.accountId]);
    await exchange(promoted).expect(400);
    for (const { accountId } of [late, removed, promoted]) {
      const rows = await query(core.app.db, 'select id from user_session where account_id = ?', [accountId]);
      assert.equal(rows.length, 0);
    }
  });

  it('loses the session when the access ends', async () => {
    const { accountId, content, HandoverCode } = await acceptAlone();
    await exchange({ HandoverCode }).expect(204);
    const ended = 'update content_access set expires_at = now() where content_definition_id = ?';
    await query(core.app.db, ended, [content.id]);
    await endAccess(core.app);
    const living = 'select id from user_session where account_id = ? and ended_at is null';
    assert.equal((await query(core.app.db, living, [accountId])).length, 0);
  });

  it('gets no first session where a second factor is required, or with a password', async () => {
    const invited = await invite();
    await query(core.app.db, 'update account set two_factor_required = true where email = ?', [
      invited.email,
    ]);
    const strict = await accept(invited.token);
    assert.ok(strict.kind === 'accepted');
    assert.equal(strict.loginCode, undefined);
    const typed = await accept((await invite()).token, PASSWORD);
    assert.ok(typed.kind === 'accepted');
    assert.equal(typed.loginCode, undefined);
  });
});
