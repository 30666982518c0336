import assert from 'node:assert/strict';
import { hookDeliveries, deliveryTable, inTransaction, query } from '@gatehouse/db';
import { newEvent } from '@gatehouse/events';
import { createMetrics, NO_DEADLINE } from '@gatehouse/runtime';
import { duringEach, eventually, fieldsOf } from '@gatehouse/runtime/testing';
import { Webhook } from 'standardwebhooks';
import { v7 as uuid } from 'uuid';
import { forgetHooks } from './record-hook.ts';
import { startHookRig } from './testing/index.ts';
import { waitAfter, signatureHeaders } from './deliver-hook.ts';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

describe('the hook worker', () => {
  const rig = duringEach(startHookRig);

  const webhookOf = async (id: string) => {
    const sql = `select is_enabled as "isEnabled", disabled_reason as reason, failing_since as "failingSince"
       from webhook where id = ?`;
    type Row = { isEnabled: boolean; reason: string | null; failingSince: Date | null };
    const [row] = await query<Row>(rig.db, sql, [id]);
    return row ?? assert.fail();
  };

  it('signs each delivery as Standard Webhooks do, so that no byte can be changed', async () => {
    const { secret } = await rig.newWebhook();
    await rig.startWorker();
    const event = await rig.publish();
    await rig.hasStatus(event.id, 'Sent');
    const [{ headers, body } = assert.fail()] = rig.receiver.received;
    const receiver = new Webhook(secret);
    assert.deepEqual(receiver.verify(body, headers), event);
    assert.equal(headers['webhook-id'], event.id);
    assert.equal(headers['content-type'], 'application/cloudevents+json');
    for (let at = 0; at < body.length; at += 1) {
      const altered = body.slice(0, at) + (body[at] === '1' ? '2' : '1') + body.slice(at + 1);
      assert.throws(() => receiver.verify(altered, headers), at.toString());
    }
    for (const changed of [{ 'webhook-id': uuid() }, { 'webhook-timestamp': String(Date.now() / 1000 + 1) }])
      assert.throws(() => receiver.verify(body, { ...headers, ...changed }));
    assert.throws(() => new Webhook('whsec_AAAA').verify(body, headers));
  });

  it('signs with both secrets after a rotation, until the former one ends', async () => {
    const { id, secret: former } = await rig.newWebhook();
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    const sql = `update webhook
       set former_secret = secret, former_secret_until = now() + interval '1 hour', secret = ?
       where id = ?`;
    await query(rig.db, sql, [rig.seal(id, secret), id]);
    await rig.startWorker();
    await rig.hasStatus((await rig.publish()).id, 'Sent');
    await query(rig.db, 'update webhook set former_secret_until = now()');
    await rig.hasStatus((await rig.publish()).id, 'Sent');
    const [during = assert.fail(), after = assert.fail()] = rig.receiver.received;
    for (const one of [former, secret]) new Webhook(one).verify(during.body, during.headers);
    new Webhook(secret).verify(after.body, after.headers);
    assert.throws(() => new Webhook(former).verify(after.body, after.headers));
  });

  it('delivers an event once to each webhook that wants its type, however often it arrives', async () => {
    await rig.newWebhook({ path: '/all' });
    await rig.newWebhook({ path: '/guests', types: ['guest.*'] });
    await rig.newWebhook({ path: '/one', types: ['guest.registered', 'account.erased'] });
    const { id } = await rig.newWebhook({ path: '/disabled' });
    await query(rig.db, 'update webhook set is_enabled = false, disabled_at = now() where id = ?', [id]);
    await rig.startWorker();
    const registered = await rig.publish(newEvent('guest.registered', { UserId: uuid() }));
    await rig.hasStatus(registered.id, 'Sent');
    await rig.publish(registered);
    const other = await rig.publish();
    await rig.hasStatus(other.id, 'Sent');
    const paths = rig.receiver.received.map(({ path }) => path);
    assert.deepEqual(paths.toSorted(), ['/all', '/all', '/guests', '/one']);
  });

  it('sends nothing that is encrypted for the mail worker, and no reason that somebody typed', async () => {
    await rig.newWebhook();
    await rig.startWorker();
    const UserId = uuid();
    for (const event of [
      newEvent('account.verification-requested', { UserId, Mail: 'AAAA' }),
      newEvent('account.deleted', { UserId, Reason: 'called twice, very rude' }),
    ]) {
      await rig.publish(event);
      await rig.hasStatus(event.id, 'Sent');
      const sent = JSON.parse(rig.receiver.received.at(-1)?.body ?? '') as unknown;
      assert.deepEqual(sent, { ...event, data: { UserId } });
    }
  });

  it('sends a test event only to its webhook, whatever its types', async () => {
    await rig.newWebhook({ path: '/other' });
    const { id } = await rig.newWebhook({ path: '/tested', types: ['guest.removed'] });
    await rig.startWorker();
    const event = await rig.publish(newEvent('webhook.test-requested', { WebhookId: id }));
    await rig.hasStatus(event.id, 'Sent');
    assert.deepEqual(fieldsOf(rig.receiver.received, 'path'), ['/tested']);
  });

  it('retries after failures, no sooner than a receiver asks, and records status and duration but nothing of the answer', async () => {
    await rig.newWebhook();
    rig.receiver.answer = (_request, response) =>
      response.writeHead(503, { 'retry-after': '3600' }).end('a secret of the receiver');
    await rig.startWorker();
    const event = await rig.publish();
    const [row = assert.fail()] = await rig.hasStatus(event.id, 'Retrying');
    assert.deepEqual([row['status_code'], row['last_error'], row['tries']], [503, 'status', 1]);
    assert.ok(Number(row['duration_ms']) >= 0);
    const waitSeconds = (Number(row['next_try_at']) - Date.now()) / 1000;
    assert.ok(waitSeconds > 3500 && waitSeconds < 3700, String(waitSeconds));
    assert.doesNotMatch(JSON.stringify([row, rig.lines]), /secret of the receiver/);
    rig.answers(200);
    await rig.dueAgain(event.id);
    await rig.hasStatus(event.id, 'Sent');
  });

  it('disables a webhook whose receiver is gone, and parks what waits for it', async () => {
    const { id } = await rig.newWebhook();
    const { id: other } = await rig.newWebhook({ path: '/other' });
    rig.receiver.answer = ({ path }, response) => response.writeHead(path === '/' ? 410 : 200).end();
    const metrics = createMetrics('hook-worker');
    const waiting = await rig.publish();
    await hookDeliveries.record(rig.own, waiting, '{}');
    await query(rig.db, "update hook_delivery set next_try_at = now() + interval '1 hour'");
    await rig.startWorker({ metrics });
    await rig.publish();
    const webhook = await eventually(async () => {
      const found = await webhookOf(id);
      return !found.isEnabled && found;
    });
    assert.equal(webhook.reason, 'Gone');
    const rows = await rig.deliveries(waiting.id);
    const parked = rows.find((row) => row['webhook_id'] === id);
    assert.deepEqual([parked?.['status'], parked?.['last_error']], ['Parked', 'webhook_disabled']);
    assert.equal((await webhookOf(other)).isEnabled, true);
    assert.deepEqual(await query(rig.db, 'select id from webhook where not is_reported'), [{ id }]);
    assert.match(await metrics.metrics(), /gatehouse_webhooks_disabled_total\{[^}]*\} 1/);
  });

  it('disables a webhook after five days of failures alone, and a success starts them anew', async () => {
    const { id } = await rig.newWebhook();
    rig.answers(500);
    await rig.startWorker();
    const first = await rig.publish();
    await rig.hasStatus(first.id, 'Retrying');
    await eventually(async () => (await webhookOf(id)).failingSince);
    rig.answers(200);
    await rig.dueAgain(first.id);
    await rig.hasStatus(first.id, 'Sent');
    await eventually(async () => (await webhookOf(id)).failingSince === null);
    await query(rig.db, "update webhook set failing_since = now() - interval '5 days'");
    rig.answers(500);
    await rig.publish();
    await eventually(async () => (await webhookOf(id)).reason === 'Failing');
  });

  it('gives up a delivery after three days, and sends it again when an administrator retries it', async () => {
    await rig.newWebhook();
    rig.answers(500);
    await rig.startWorker();
    const event = await rig.publish();
    const [{ id } = assert.fail()] = await rig.hasStatus(event.id, 'Retrying');
    const sql = "update hook_delivery set created_at = now() - interval '3 days', next_try_at = now()";
    await query(rig.db, sql);
    await rig.hasStatus(event.id, 'Parked');
    rig.answers(200);
    await inTransaction(rig.db, NO_DEADLINE, (tx) => deliveryTable('hook_delivery').retry(tx, [String(id)]));
    await rig.hasStatus(event.id, 'Sent');
  });

  it('sends at most four at once to a webhook, from all workers together, and a hanging one delays no other', async () => {
    const { id } = await rig.newWebhook({ path: '/hangs' });
    const open = new Set<() => void>();
    let most = 0;
    rig.receiver.answer = ({ path }, response) => {
      if (path !== '/hangs') return response.end();
      open.add(() => response.end());
      most = Math.max(most, open.size);
    };
    await Promise.all([rig.startWorker(), rig.startWorker()]);
    const hanging = [];
    for (let count = 0; count < 20; count += 1) hanging.push(await rig.publish());
    await eventually(() => open.size === 4);
    await rig.newWebhook({ path: '/quick' });
    const begun = Date.now();
    const event = await rig.publish();
    await eventually(async () =>
      (await rig.deliveries(event.id)).some((row) => row['webhook_id'] !== id && row['status'] === 'Sent'),
    );
    assert.ok(Date.now() - begun < 3000, `${Date.now() - begun} ms`);
    for (const { id: one } of hanging)
      await eventually(async () => {
        for (const end of open) end();
        open.clear();
        return (await rig.deliveries(one)).every((row) => row['status'] === 'Sent');
      });
    assert.equal(most, 4);
  });

  it('sends what a killed worker had claimed', async () => {
    await rig.newWebhook();
    const event = newEvent('account.registered', { UserId: uuid() });
    assert.equal(await hookDeliveries.record(rig.own, event, JSON.stringify(event)), 1);
    const claim = { limit: 9, perReceiver: 4, holdSeconds: 1, takesOver: false, own: [] };
    assert.equal((await hookDeliveries.claimDue(rig.own, claim)).length, 1);
    assert.equal((await hookDeliveries.claimDue(rig.own, claim)).length, 0);
    await rig.startWorker();
    await rig.hasStatus(event.id, 'Sent');
    assert.equal(rig.receiver.received.length, 1);
  });

  it('forgets deliveries when they are old', async () => {
    await rig.newWebhook();
    await rig.startWorker();
    const event = await rig.publish();
    await rig.hasStatus(event.id, 'Sent');
    const later = await rig.publish();
    await rig.hasStatus(later.id, 'Sent');
    const old = '01000000-0000-7000-8000-000000000000';
    const sql =
      "update hook_delivery set id = ?, created_at = now() - interval '31 days', sent_at = now() - interval '31 days' where event_id = ?";
    await query(rig.db, sql, [old, event.id]);
    await forgetHooks(rig.own, 30, 1);
    assert.deepEqual(await rig.deliveries(event.id), []);
    assert.equal((await rig.deliveries(later.id)).length, 1);
  });
});

describe('the schedule of retries', () => {
  const wait = (tries: number, retryAfterSeconds?: number) =>
    waitAfter({ tries, ageSeconds: 0 }, retryAfterSeconds, () => 1);

  it('grows from seconds to half a day, and ends after three days', () => {
    const waits = Array.from({ length: 10 }, (_, index) => wait(index + 1));
    assert.deepEqual(waits, [5, 60, 300, 1800, 7200, 18_000, 36_000, 43_200, 43_200, 43_200]);
    assert.equal(waitAfter({ tries: 3, ageSeconds: 3 * 86_400 }), undefined);
  });

  it('is jittered, but never sooner than a receiver asks, up to twelve hours', () => {
    const least = waitAfter({ tries: 2, ageSeconds: 0 }, 0, () => 0);
    assert.deepEqual([least, wait(1, 100), wait(1, 1_000_000), wait(3, 1)], [45, 100, 43_200, 300]);
  });

  it('of the end of a session has at least an attempt every five minutes, until it is of no use', () => {
    const until = (tries: number, ageSeconds = 0, asked = 0) =>
      waitAfter({ tries, ageSeconds, patienceSeconds: 3600 }, asked, () => 1);
    const waits = [1, 2, 3, 4, 9].map((tries) => until(tries));
    assert.deepEqual([...waits, until(9, 0, 7200)], [5, 60, 300, 300, 300, 300]);
    assert.deepEqual([until(14, 3300), until(14, 3600)], [undefined, undefined]);
  });
});

const PAGE = readFileSync(new URL('../../../docs/webhooks.md', import.meta.url), 'utf8');
const SECRET = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
const FORMER = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
const BODY = '{"type":"guest.registered","data":{"Name":"Jörg"}}';

describe('the sample of docs/webhooks.md that verifies a signature', () => {
  /** What the sample says of each delivery. */
  const verdicts = (deliveries: Delivery[]): string[] => {
    const [, sample = assert.fail()] = /^```js\n([^]*?)^```/m.exec(PAGE) ?? [];
    const call = `for (const [headers, body] of ${JSON.stringify(deliveries)}) console.log(isGenuine(${JSON.stringify(SECRET)}, headers, body));`;
    const { status, stdout, stderr } = spawnSync('node', ['--input-type=module'], {
      input: `${sample}\n${call}`,
      encoding: 'utf8',
    });
    assert.equal(status, 0, stderr);
    return stdout.trim().split('\n');
  };
  const signed = (at = new Date(), secrets = [SECRET]) =>
    signatureHeaders({ id: 'id-1', body: BODY, at }, secrets);

  it('accepts a genuine delivery and one during a rotation, and refuses others', () => {
    const now = new Date();
    const said = verdicts([
      [signed(), BODY],
      [signed(now, [FORMER, SECRET]), BODY],
      [signed(), BODY.replace('guest', 'admin')],
      [signed(now, [FORMER]), BODY],
      [signed(new Date(Date.now() - 3_600_000)), BODY],
      [{ ...signed(), 'webhook-id': 'id-2' }, BODY],
    ]);
    assert.deepEqual(said, ['true', 'true', 'false', 'false', 'false', 'false']);
  });
});

type Delivery = [headers: object, body: string];
