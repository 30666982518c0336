import assert from 'node:assert/strict';
import { atOnce, statusesOf } from '@gatehouse/accounts/testing';
import { TEST_SECRET } from '@gatehouse/auth-core/testing';
import { hookDeliveries } from '@gatehouse/db';
import { insertRow } from '@gatehouse/db/testing';
import { createHookUnseal, newEvent } from '@gatehouse/events';
import { v7 as newId } from 'uuid';
import { cast } from '../testing/cast.ts';
import type { TestAdmin } from '../testing/index.ts';
import { deleteFormerSecrets, reportDisabledWebhooks } from './webhook.ts';

const PATH = '/admin/webhook';
const DELIVERIES = '/admin/hook-delivery';
const URL_OUTSIDE = 'https://hooks.example.com/gatehouse';

describe('webhooks', () => {
  const { admin, another, app, audit, boss, history, mailsTo, sql } = cast({});
  beforeEach(() => sql('delete from webhook'));

  const create = async (given: object = {}) =>
    (await boss.post(PATH, { Name: 'Billing', Url: URL_OUTSIDE, Types: ['guest.*'], ...given }).expect(201))
      .body as { Id: string; Secret: string };
  const storedSecret = async (column: 'secret' | 'former_secret') => {
    const [row] = await sql<Record<string, string>>(`select ${column} from webhook`);
    return row?.[column] ?? '';
  };
  /** A parked delivery, of a webhook or of an application. */
  const park = async (given: Parameters<typeof insertRow>[2]): Promise<string> => {
    const [id, parkedAt] = [newId(), new Date().toISOString()];
    const usual = { id, eventId: id, type: 'guest.removed', body: '{}', lastError: 'status' };
    const row = { ...usual, status: 'Parked', nextTryAt: null, parkedAt, ...given };
    await insertRow(app().db, 'hook_delivery', row);
    return id;
  };

  it('are created with a secret that is shown once, and that only the hook worker can read', async () => {
    const { Id, Secret } = await create();
    assert.match(Secret, /^whsec_[\w+/]{43}=$/);
    const shown = await boss.read(`${PATH}/${Id}`);
    const found = [shown.Name, shown.Url, shown.Types, shown.IsEnabled];
    assert.deepEqual(found, ['Billing', URL_OUTSIDE, ['guest.*'], true]);
    assert.doesNotMatch(JSON.stringify(shown), /whsec|Secret":/);
    const open = createHookUnseal(TEST_SECRET);
    assert.equal(open(Id, await storedSecret('secret')), Secret);
    assert.equal(open(newId(), await storedSecret('secret')), undefined);
    assert.deepEqual((await boss.read(PATH)).Items, [shown]);
    const { entries, text } = await audit({ action: 'webhook.created', targetId: Id });
    assert.equal(entries.length, 1);
    assert.doesNotMatch(text, /whsec/);
  });

  it('are refused with an inner address, and with types that do not exist', async () => {
    const { Id } = await create();
    const Url = 'https://10.0.0.1/';
    for (const given of [{ Url }, { Types: ['guest'] }, { Types: ['nothing.*'] }]) {
      await boss.post(PATH, { Name: 'x', Url: URL_OUTSIDE, Types: ['*'], ...given }).expect(400);
      await boss.patch(`${PATH}/${Id}`, given).expect(400);
    }
  });

  it('have the address that every parser reads in what was typed', async () => {
    const Url = ' https://HOOKS.example.com\\a\tb\n';
    const { Id } = await create();
    await boss.patch(`${PATH}/${Id}`, { Url }).expect(200);
    for (const one of [Id, (await create({ Url })).Id])
      assert.equal((await boss.read(`${PATH}/${one}`)).Url, 'https://hooks.example.com/ab');
  });

  it('are at most fifty', async () => {
    await sql(`insert into webhook (id, name, url, types, secret)
       select gen_random_uuid(), 'x', 'https://hooks.example.com/', array['*'], '' from generate_series(1, 49)`);
    const sent = await atOnce(2, () => boss.post(PATH, { Name: 'x', Url: URL_OUTSIDE, Types: ['*'] }));
    assert.deepEqual(statusesOf(sent), [201, 409]);
  });

  it('cannot be created where they are off, which the console knows', async () => {
    const off = await another({}, { WEBHOOKS: 'off' });
    const session = async (api: TestAdmin) => (await api.get('/console/session', boss).expect(200)).body;
    assert.deepEqual([(await session(off)).HasWebhooks, (await session(admin())).HasWebhooks], [false, true]);
    await off.post(PATH, boss, { Name: 'x', Url: URL_OUTSIDE, Types: ['*'] }).expect(409);
    const told = { Name: 'x', RedirectUris: [URL_OUTSIDE], BackchannelLogoutUri: URL_OUTSIDE };
    const { errors } = (await off.post('/admin/oauth-client', boss, told).expect(400)).body;
    assert.match(errors[0].message, /Webhooks are off/);
  });

  it('get another secret, and keep the former one for a day and no longer', async () => {
    const { Id, Secret: former } = await create();
    const { Secret, FormerSecretUntil } = (await boss.post(`${PATH}/${Id}/rotate`, {}).expect(200)).body;
    const open = createHookUnseal(TEST_SECRET);
    const shown = [open(Id, await storedSecret('secret')), open(Id, await storedSecret('former_secret'))];
    assert.deepEqual(shown, [Secret, former]);
    const hours = (Date.parse(FormerSecretUntil) - Date.now()) / 3_600_000;
    assert.ok(hours > 23.9 && hours <= 24.1, `${hours} h`);
    await deleteFormerSecrets(app().db);
    assert.equal(open(Id, await storedSecret('former_secret')), former);
    await sql('update webhook set former_secret_until = now()');
    await deleteFormerSecrets(app().db);
    assert.equal(await storedSecret('former_secret'), '');
    assert.equal(open(Id, await storedSecret('secret')), Secret);
  });

  it('are changed, and park what waits when they are disabled', async () => {
    const { Id } = await create({ Types: ['*'] });
    const event = newEvent('account.registered', { UserId: newId() });
    await hookDeliveries.record(app().db, event, '{}');
    const changed = (await boss.patch(`${PATH}/${Id}`, { Name: 'Other', IsEnabled: false }).expect(200)).body;
    assert.deepEqual([changed.Name, changed.IsEnabled, changed.Url], ['Other', false, URL_OUTSIDE]);
    const [delivery] = (await boss.read(`${DELIVERIES}?eventId=${event.id}`)).Items;
    assert.deepEqual([delivery.Status, delivery.LastError], ['Parked', 'webhook_disabled']);
    await boss.post(`${DELIVERIES}/${delivery.Id}/retry`, {}).expect(409);
    await boss.post(`${PATH}/${Id}/test`, {}).expect(409);
    const enabled = (await boss.patch(`${PATH}/${Id}`, { IsEnabled: true }).expect(200)).body;
    assert.deepEqual([enabled.IsEnabled, enabled.DisabledAt], [true, null]);
    await boss.post(`${DELIVERIES}/${delivery.Id}/retry`, {}).expect(200);
    await boss.post(`${DELIVERIES}/${delivery.Id}/retry`, {}).expect(409);
  });

  it('are tested by an event that names them', async () => {
    const { Id } = await create();
    const { EventId } = (await boss.post(`${PATH}/${Id}/test`, {}).expect(202)).body;
    const statement = `select event ->> 'type' as type, event -> 'data' as data from outbox where id = ?`;
    const rows = await sql(statement, [EventId]);
    assert.deepEqual(rows, [{ type: 'webhook.test-requested', data: { WebhookId: Id } }]);
  });

  it('are deleted with their deliveries', async () => {
    const { Id } = await create();
    const delivery = await park({ webhookId: Id });
    await boss.delete(`${PATH}/${Id}`).expect(204);
    await boss.delete(`${PATH}/${Id}`).expect(404);
    await boss.get(`${DELIVERIES}/${delivery}`).expect(404);
  });

  it('have their parked deliveries retried by a filter', async () => {
    const { Id } = await create();
    const { Id: other } = await create({ Name: 'Other' });
    const parkMine = (lastError: string) => park({ webhookId: Id, lastError });
    const mine = [await parkMine('status'), await parkMine('status'), await parkMine('timeout')];
    await park({ webhookId: other });
    const Filter = { WebhookId: Id, Error: 'status' };
    const path = `${DELIVERIES}/retry`;
    const parked = async () => (await boss.read(`${DELIVERIES}?status=Parked`)).Items.length;
    assert.equal(await parked(), 4);
    assert.deepEqual((await boss.post(path, { Filter }).expect(200)).body, { Count: 2, Skipped: 0 });
    assert.equal(await parked(), 2);
    const recorded = await history({ action: 'hook-delivery.retried' }, 'targetId');
    assert.deepEqual(new Set(recorded.slice(0, 2)), new Set(mine.slice(0, 2)));
    await boss.patch(`${PATH}/${other}`, { IsEnabled: false }).expect(200);
    const skipped = (await boss.post(path, { Filter: { Type: 'guest.removed' } }).expect(200)).body;
    assert.deepEqual(skipped, { Count: 1, Skipped: 1 });
  });

  it('are listed beside what applications are told of ended sessions, which is retried in the same way', async () => {
    const { Id: webhook } = await create();
    await park({ webhookId: webhook });
    const body = { Name: 'Reports', RedirectUris: [URL_OUTSIDE], BackchannelLogoutUri: URL_OUTSIDE };
    const client = (await boss.post('/admin/oauth-client', body).expect(201)).body.Id as string;
    const about = { clientId: client, accountId: boss.id, sessionId: newId() };
    const id = await park({ ...about, type: 'session.ended', body: null });
    const idsOf = (filter: string) => boss.ids(`${DELIVERIES}?${filter}`);
    assert.deepEqual(await idsOf(`clientId=${client}`), [id]);
    assert.equal((await idsOf(`webhookId=${webhook}`)).includes(id), false);
    assert.deepEqual(await idsOf(`webhookId=${client}`), []);
    const shown = await boss.read(`${DELIVERIES}/${id}`);
    const found = [shown.ClientId, shown.WebhookId, shown.UserId, shown.SessionId, shown.Body];
    assert.deepEqual(found, [client, null, boss.id, about.sessionId, null]);
    const Filter = { ClientId: client };
    const path = `${DELIVERIES}/retry`;
    await sql('update oauth_client set backchannel_logout_uri = null where id = ?', [client]);
    assert.deepEqual((await boss.post(path, { Filter }).expect(200)).body, { Count: 0, Skipped: 1 });
    await boss.post(`${DELIVERIES}/${id}/retry`, {}).expect(409);
    await sql('update oauth_client set backchannel_logout_uri = ? where id = ?', [URL_OUTSIDE, client]);
    assert.deepEqual((await boss.post(path, { Filter }).expect(200)).body, { Count: 1, Skipped: 0 });
    const recorded = await history({ action: 'hook-delivery.retried', targetId: id }, 'details');
    assert.deepEqual(recorded, [{ ClientId: client, Type: 'session.ended' }]);
  });

  it('that the hook worker has disabled are mailed to the administrators once', async () => {
    const { Id } = await create();
    const disable = (url: string) =>
      hookDeliveries.disable(app().db, { webhookId: Id, url }, { reason: 'Gone' });
    assert.equal(await disable('https://formerly.example.com/'), false);
    assert.equal(await disable(URL_OUTSIDE), true);
    await Promise.all([1, 2].map(() => reportDisabledWebhooks(app().service)));
    const mails = (await mailsTo(boss.email)).filter(({ type }) => type === 'webhook.disabled');
    assert.equal(mails.length, 1);
    const content = mails[0]?.content ?? assert.fail();
    assert.equal('WebhookName' in content && content.WebhookName, 'Billing');
    assert.equal((await boss.read(`${PATH}/${Id}`)).DisabledReason, 'Gone');
    assert.equal((await audit({ action: 'webhook.disabled', targetId: Id })).entries.length, 1);
  });
});
