import assert from 'node:assert/strict';
import { statusesOf, atOnce } from '@gatehouse/accounts/testing';
import { eventually } from '@gatehouse/runtime/testing';
import { cast, refusesEach } from '../testing/cast.ts';

const PATH = '/admin/api-token';
const LATER = '2999-01-01T00:00:00.000Z';

describe('static API tokens that end', () => {
  const { boss, get, sql } = cast();

  const create = async (given: object = {}) =>
    (await boss.post(PATH, { Name: 'Deploy', Role: 'Admin', ...given }).expect(201)).body;
  const rotate = (id: string, OverlapSeconds = 60) => boss.post(`${PATH}/${id}/rotate`, { OverlapSeconds });
  const find = async (id: string) =>
    (await boss.read(PATH)).Items.find((one: { Id: string }) => one.Id === id);
  const use = (token: string, address?: string) =>
    address === undefined ? get(PATH, token) : get(PATH, token).set({ 'x-forwarded-for': address });
  /** Simulates that this much time has passed for a token. */
  const age = (id: string, seconds: number) =>
    sql(`update api_token set expires_at = expires_at - make_interval(secs => ?) where id = ?`, [
      seconds,
      id,
    ]);
  const isRefusedSoon = (token: string) => eventually(async () => (await use(token)).status === 401, 2);

  it('are refused once they have expired', async () => {
    const ExpiresAt = new Date(Date.now() + 60_000).toISOString();
    const { Id, Token, ExpiresAt: shown } = await create({ ExpiresAt });
    assert.equal(shown, ExpiresAt);
    await use(Token).expect(200);
    await age(Id, 61);
    await isRefusedSoon(Token);
    await rotate(Id).expect(409);
  });

  it('are not created with a past expiry or an invalid network', async () => {
    await refusesEach(
      (given: object) => boss.post(PATH, { Name: 'x', ...given }),
      [
        [{ ExpiresAt: '2020-01-01T00:00:00Z' }, '/ExpiresAt'],
        [{ Networks: [] }, '/Networks'],
        [{ Networks: ['10.0.0.0/8', 'example.com'] }, '/Networks/1'],
        [{ Networks: ['10.0.0.1,0.0.0.0/0'] }, '/Networks/0'],
      ],
    );
  });

  it('are accepted only from their networks, and show where they were last used', async () => {
    const Networks = ['192.0.2.0/24', '2001:db8:7::/48'];
    const { Id, Token, Networks: shown } = await create({ Networks });
    assert.deepEqual(shown, Networks);
    for (const address of ['198.51.100.1', '2001:db8:8::1', '::1']) {
      assert.equal((await use(Token, address).expect(401)).body.code, 'token_invalid');
    }
    await use(Token, '2001:db8:7::9').expect(200);
    await use(Token, '192.0.2.9').expect(200);
    await eventually(async () => (await find(Id)).LastUsedIp === '192.0.2.9');
  });

  it('match their networks in every notation of an address, but not a forged client address', async () => {
    const { Token } = await create({ Networks: ['192.0.2.0/24', 'fe80::/10', '::ffff:203.0.113.7'] });
    for (const [address, status] of [
      ['::ffff:192.0.2.9', 200],
      ['::ffff:c000:209', 200],
      ['fe80::1%eth0', 200],
      ['203.0.113.7', 200],
      ['198.51.100.1, 192.0.2.9', 200],
      ['192.0.2.9, 198.51.100.1', 401],
      ['::ffff:198.51.100.1', 401],
      ['203.0.113.8', 401],
      ['192.0.2.9.evil.example', 401],
      ['192.0.2', 401],
    ] as const)
      assert.equal((await use(Token, address)).status, status, address);
  });

  it('stay valid for the overlap after rotation, and not beyond', async () => {
    const older = await create({ Networks: ['3fff::/20'] });
    const { body: newer } = await rotate(older.Id).expect(201);
    assert.deepEqual([newer.Name, newer.Role, newer.Networks], ['Deploy', 'Admin', ['3fff::/20']]);
    assert.notEqual(newer.Token, older.Token);
    assert.equal(newer.ExpiresAt, null);
    for (const { Token } of [older, newer]) await use(Token).expect(200);
    const { ExpiresAt, ReplacedBy } = await find(older.Id);
    assert.equal(ReplacedBy, newer.Id);
    assert.ok(Math.abs(Date.parse(ExpiresAt) - Date.now() - 60_000) < 10_000);
    await age(older.Id, 61);
    await isRefusedSoon(older.Token);
    await use(newer.Token).expect(200);
    await rotate(newer.Id, 0).expect(201);
    await isRefusedSoon(newer.Token);
  });

  it('get their lifetime again on rotation, and do not end later than before', async () => {
    const older = await create({ ExpiresAt: new Date(Date.now() + 30_000).toISOString() });
    const { body: newer } = await rotate(older.Id, 3600).expect(201);
    assert.equal((await find(older.Id)).ExpiresAt, older.ExpiresAt);
    const lifetime = Date.parse(newer.ExpiresAt) - Date.parse(newer.CreatedAt);
    assert.ok(Math.abs(lifetime - 30_000) < 5000, String(lifetime));
  });

  it('are rotated once by concurrent requests', async () => {
    const { Id } = await create({ ExpiresAt: LATER });
    const answers = await atOnce(8, () => rotate(Id));
    assert.deepEqual(statusesOf(answers), [201, 409, 409, 409, 409, 409, 409, 409]);
    const audited = await boss.get(`/admin/audit?action=api-token.rotated&targetId=${Id}`).expect(200);
    assert.equal(audited.body.Items.length, 1);
  });

  it('end when revoked during the overlap or the rotation, and leave the new token valid', async () => {
    const older = await create();
    const { body: newer } = await rotate(older.Id, 3600).expect(201);
    await boss.delete(`${PATH}/${older.Id}`).expect(204);
    await isRefusedSoon(older.Token);
    await use(newer.Token).expect(200);
    for (let round = 0; round < 5; round += 1) {
      const { Id, Token } = await create();
      const [rotated, revoked] = await Promise.all([rotate(Id, 3600), boss.delete(`${PATH}/${Id}`)]);
      assert.equal(revoked.status, 204);
      assert.ok([201, 409].includes(rotated.status));
      await isRefusedSoon(Token);
      if (rotated.status === 201) await use(rotated.body.Token).expect(200);
      assert.notEqual((await find(Id)).RevokedAt, null);
    }
  });

  it('are not rotated if revoked, or for too long an overlap', async () => {
    const { Id } = await create();
    await boss.delete(`${PATH}/${Id}`).expect(204);
    await rotate(Id).expect(409);
    for (const OverlapSeconds of [-1, 30 * 86_400 + 1]) await rotate(Id, OverlapSeconds).expect(400);
  });
});
