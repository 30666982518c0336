import assert from 'node:assert/strict';
import { someEmail, atOnce } from '@gatehouse/accounts/testing';
import { fieldsOf } from '@gatehouse/runtime/testing';
import { v7 as newId } from 'uuid';
import { cast } from '../testing/cast.ts';

const PATH = '/admin/mail/retry';

const LEFT = `insert into mail_delivery (
    id, kind, account_id, email, code_id, event, status, tries, last_error, next_try_at, created_at)
  values (
    :id, :kind, :accountId, :email, cast(:codeId as uuid), '{"type":"session.new-device","data":{}}', :status, 12, :error,
    case when :status in ('Pending', 'Retrying') then now() + interval '1 hour' end, :at)`;

describe('POST /admin/mail/retry', () => {
  const { boss, history, sql } = cast({});
  beforeEach(() => sql('delete from mail_delivery'));

  /** A mail as the mail worker has left it; `codeId` is the id of a code that never existed. */
  const left = async (
    given: Partial<Record<'status' | 'kind' | 'email' | 'error' | 'at' | 'codeId', string>> = {},
  ): Promise<string> => {
    const usual = { status: 'Parked', kind: 'new-device', email: someEmail(), error: '550 no such mailbox' };
    const [id, at] = [newId(), new Date().toISOString()];
    await sql(LEFT, { ...usual, at, codeId: null, ...given, id, accountId: newId() });
    return id;
  };
  const retry = async (Filter: object, DryRun = false) =>
    (await boss.post(PATH, { Filter, DryRun }).expect(200)).body;
  const statusOf = async (id: string) => (await boss.read(`/admin/mail/${id}`)).Status as string;

  it('retries parked mails that match, once, and records each', async () => {
    const [one, other] = [await left(), await left()];
    const [sent, waiting] = [await left({ status: 'Sent' }), await left({ status: 'Retrying' })];
    assert.deepEqual(await retry({ Error: 'NO SUCH' }), { Count: 2, Skipped: 0 });
    const shown = await Promise.all([one, other, sent, waiting].map(statusOf));
    assert.deepEqual(shown, ['Retrying', 'Retrying', 'Sent', 'Retrying']);
    const isDue =
      "select id from mail_delivery where status = 'Retrying' and next_try_at <= now() order by id";
    assert.deepEqual(fieldsOf(await sql<{ id: string }>(isDue), 'id'), [one, other]);
    const recorded = await history({ action: 'mail.retried' }, 'targetId');
    assert.deepEqual(new Set(recorded), new Set([one, other]));
    assert.deepEqual(await retry({ Error: 'no such' }), { Count: 0, Skipped: 0 });
  });

  it('filters by kind, email, time and part of the error', async () => {
    const email = someEmail();
    await left({ kind: 'password-changed' });
    await left({ email: email.toUpperCase() });
    await left({ at: '2026-01-01T12:00:00Z', error: '100% refused_here' });
    const count = async (filter: object) => (await retry(filter, true)).Count;
    assert.equal(await count({ Kind: 'Password-Changed' }), 1);
    assert.equal(await count({ Email: email }), 1);
    assert.equal(await count({ From: '2026-01-01T12:00:00Z', To: '2026-01-01T12:00:01Z' }), 1);
    assert.equal(await count({ To: '2026-01-01T12:00:00Z' }), 0);
    assert.equal(await count({ Error: '100% refused_' }), 1);
    assert.equal(await count({ Error: '1__% ' }), 0);
    assert.equal(await count({ From: '2020-01-01T00:00:00Z' }), 3);
    assert.equal(await count({ From: '2020-01-01T00:00:00Z', Kind: 'password-changed', Email: email }), 0);
  });

  it('skips mails with an invalid code or invitation', async () => {
    const dead = await left({ kind: 'verification-code', codeId: newId() });
    const uninvited = await left({ kind: 'invitation' });
    const living = await left();
    assert.deepEqual(await retry({ Error: '550' }), { Count: 1, Skipped: 2 });
    const shown = await Promise.all([dead, uninvited, living].map(statusOf));
    assert.deepEqual(shown, ['Parked', 'Parked', 'Retrying']);
  });

  it('retries each mail once with concurrent administrators', async () => {
    for (let index = 0; index < 20; index += 1) await left();
    const counts = await atOnce(4, async () => (await retry({ Error: '550' })).Count);
    const shown = counts.reduce((sum, count) => sum + count, 0);
    assert.equal(shown, 20);
  });
});
