import assert from 'node:assert/strict';
import { atOnce } from '@gatehouse/accounts/testing';
import { mailDeliveries } from '@gatehouse/db';
import { claimMail } from '@gatehouse/db/testing';
import type { Who } from '@gatehouse/http/testing';
import { cast } from '../testing/cast.ts';
import { parkErasureMail, recordMail } from './testing.ts';

const PATH = '/admin/mail';

describe('POST /admin/mail/{id}/retry', () => {
  const { admin, app, boss, post, sql } = cast({});

  const recorded = (email?: string) => recordMail(admin(), email);
  const claimed = async ({ id }: { id: string }) => {
    const mail = await claimMail(app().db, id);
    assert.ok(mail);
    return mail;
  };
  const parked = async () => {
    const mail = await recorded();
    await mailDeliveries.park(app().db, mail.hold, '550 no such mailbox');
    return mail;
  };
  const retry = (id: string, who: Who = boss.Token) => post(`${PATH}/${id}/retry`, who);

  it('retries a parked mail at once, with a new count of attempts', async () => {
    const mail = await parked();
    const { body } = await retry(mail.id).expect(200);
    assert.deepEqual([body.Id, body.Status, body.Tries], [mail.id, 'Retrying', 0]);
    assert.equal(body.LastError, '550 no such mailbox');
    const again = await claimed(mail);
    assert.equal(again.tries, 1);
    assert.ok(again.ageSeconds < 30);
    assert.ok(again.hold > 1);
  });

  it('ignores a claim from before the retry', async () => {
    const mail = await recorded();
    const early = mail.hold;
    await mailDeliveries.park(app().db, early, 'x');
    await retry(mail.id).expect(200);
    await claimed(mail);
    await mailDeliveries.park(app().db, early, 'too late');
    assert.equal((await boss.get(`${PATH}/${mail.id}`)).body.Status, 'Retrying');
  });

  it('retries once for concurrent administrators, and records it', async () => {
    const mail = await parked();
    const answers = await atOnce(5, () => retry(mail.id));
    const statuses = answers.map(({ status }) => status);
    assert.deepEqual(
      [200, 409].map((one) => statuses.filter((status) => status === one).length),
      [1, 4],
    );
    const entries = await sql<{ details: object; actorId: string; address: string }>(
      `select details, actor_id as "actorId", host(ip_address) as address
       from audit where action = 'mail.retried' and target_id = ?`,
      [mail.id],
    );
    assert.equal(entries.length, 1);
    assert.deepEqual(entries[0]?.details, { Kind: 'verification-code', UserId: mail.accountId });
    assert.match(entries[0]?.address ?? '', /^3fff:/);
    assert.ok(entries[0]?.actorId);
  });

  it('does not retry mails in progress or sent', async () => {
    const mail = await recorded();
    assert.equal((await retry(mail.id).expect(409)).body.code, 'conflict');
    const { hold } = mail;
    await mailDeliveries.markRetry(app().db, hold, { afterSeconds: 60, error: 'x' });
    await retry(mail.id).expect(409);
    await mailDeliveries.markSent(app().db, hold);
    assert.match((await retry(mail.id).expect(409)).body.detail, /Sent/);
  });

  it('does not retry an invalid code, and reports it', async () => {
    const mail = await parked();
    await sql('update account_code set tries_left = 0 where account_id = ?', [mail.accountId]);
    const { body } = await retry(mail.id).expect(409);
    assert.equal(body.code, 'conflict');
    assert.match(body.detail, /code is no longer valid/);
    assert.equal((await boss.get(`${PATH}/${mail.id}`)).body.Status, 'Parked');
  });

  it('does not retry an invalid restore link, alone or among others, and reports it', async () => {
    for (const [what, change] of [
      ['the account was restored', 'restored_at = now(), restore_hash = null'],
      ['an administrator has ordered the erasure', 'restore_hash = null'],
      ['the erasure has begun', `counts = '{}'`],
      ['it is of an earlier erasure', `erases_at = erases_at - interval '1 minute'`],
    ] as const) {
      const { id, accountId } = await parkErasureMail(admin(), 'owner');
      await sql(`update erasure set ${change} where account_id = ?`, [accountId]);
      const { body } = await retry(id).expect(409);
      assert.match(body.detail, /restore link is no longer valid/, what);
      const all = { Filter: { Kind: 'erasure-scheduled' }, DryRun: true };
      const trial = await boss.post(`${PATH}/retry`, all).expect(200);
      assert.deepEqual(trial.body, { Count: 0, Skipped: 1 }, what);
      await sql('delete from mail_delivery where id = ?', [id]);
    }
  });

  it('retries a valid restore link, and the mail about an administrator’s order, which has none', async () => {
    for (const by of ['owner', 'administrator'] as const) {
      const { id } = await parkErasureMail(admin(), by);
      const { body } = await retry(id).expect(200);
      assert.equal(body.Status, 'Retrying', by);
    }
  });
});
