import assert from 'node:assert/strict';
import { atOnce, statusesOf, someAddress } from '@gatehouse/accounts/testing';
import { eventually } from '@gatehouse/runtime/testing';
import { cast, problem, refusesEach } from '../testing/cast.ts';

const PATH = '/admin/api-token';

describe('static API tokens', () => {
  const { boss, get, sql } = cast();

  const create = async (given: object = {}) =>
    (await boss.post(PATH, { Name: 'Deploy', Role: 'Admin', ...given }).expect(201)).body;
  const rotate = (id: string, OverlapSeconds = 60) => boss.post(`${PATH}/${id}/rotate`, { OverlapSeconds });
  const revoke = (id: string) => boss.delete(`${PATH}/${id}`);
  const find = async (id: string) =>
    (await boss.read(PATH)).Items.find((one: { Id: string }) => one.Id === id);
  const use = (token: string, address = someAddress()) =>
    get(PATH, token).set({ 'x-forwarded-for': address });
  const age = 'update api_token set expires_at = expires_at - make_interval(secs => 61) where id = ?';
  const isRefusedSoon = (token: string) => eventually(async () => (await use(token)).status === 401, 2);

  it('are shown once, when they are created', async () => {
    const answer = await boss.post(PATH, { Name: 'Importer' }).expect(201);
    assert.equal(answer.headers['cache-control'], 'no-store');
    const { Token, ...shown } = answer.body;
    assert.match(Token, /^sat_[0-9A-Za-z]{49}$/);
    const { Id, CreatedAt } = shown;
    assert.match(CreatedAt, /^\d{4}-.*Z$/);
    const Prefix = Token.slice(0, 12);
    const ends = { ExpiresAt: null, Networks: null, LastUsedIp: null, ReplacedBy: null };
    const known = { Id, CreatedAt, CreatedBy: boss.id, LastUsedAt: null, RevokedAt: null, ...ends };
    assert.deepEqual(shown, { ...known, Name: 'Importer', Prefix, Role: 'Service' });
    const { text } = await boss.get(PATH).expect(200);
    assert.ok(text.includes(Prefix) && !text.includes(Token.slice(12)));
    assert.deepEqual(await find(Id), shown);
  });

  it('have one of three roles', async () => {
    for (const Role of ['Feed', 'Service', 'Admin'])
      assert.equal((await create({ Role: Role.toLowerCase() })).Role, Role);
  });

  it('show when they were last used, with a delay, and not after they were revoked', async () => {
    const { Id, Token, LastUsedAt: atFirst } = await create();
    assert.equal(atFirst, null);
    const before = Date.now();
    await use(Token).expect(200);
    const used = await eventually(async () => (await find(Id)).LastUsedAt);
    assert.ok(Date.parse(used) >= before - 1000 && Date.parse(used) <= Date.now() + 1000);
    await revoke(Id).expect(204);
    await isRefusedSoon(Token);
    await use(Token).expect(401);
    const { LastUsedAt, RevokedAt } = await find(Id);
    assert.ok(RevokedAt && LastUsedAt && LastUsedAt <= RevokedAt);
  });

  it('are revoked once', async () => {
    const { Id } = await create();
    const answers = await atOnce(5, () => revoke(Id));
    assert.deepEqual(statusesOf(answers), [204, 204, 204, 204, 204]);
    const { RevokedAt } = await find(Id);
    await revoke(Id).expect(204);
    assert.equal((await find(Id)).RevokedAt, RevokedAt);
    assert.equal((await boss.ids(`/admin/audit?action=api-token.revoked&targetId=${Id}`)).length, 1);
  });

  it('are refused once they have expired', async () => {
    const ExpiresAt = new Date(Date.now() + 60_000).toISOString();
    const { Id, Token, ExpiresAt: shown } = await create({ ExpiresAt });
    assert.equal(shown, ExpiresAt);
    await use(Token).expect(200);
    await sql(age, [Id]);
    await isRefusedSoon(Token);
    await rotate(Id).expect(409);
  });

  it('are not created with a past expiry or an invalid network', () =>
    refusesEach(
      (given: object) => boss.post(PATH, { Name: 'x', ...given }),
      [
        [{ ExpiresAt: '2020-01-01T00:00:00Z' }, '/ExpiresAt'],
        [{ Networks: [] }, '/Networks'],
        [{ Networks: ['10.0.0.0/8', 'example.com'] }, '/Networks/1'],
        [{ Networks: ['10.0.0.1,0.0.0.0/0'] }, '/Networks/0'],
      ],
    ));

  it('are accepted only from their networks in any notation, not from a forged address, and show where they were used last', async () => {
    const Networks = ['192.0.2.0/24', '2001:db8:7::/48', 'fe80::/10', '::ffff:203.0.113.7'];
    const { Id, Token } = await create({ Networks });
    for (const [address, status] of [
      ['198.51.100.1', 401],
      ['2001:db8:8::1', 401],
      ['2001:db8:7::9', 200],
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
    await use(Token, '192.0.2.9').expect(200);
    await eventually(async () => (await find(Id)).LastUsedIp === '192.0.2.9');
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
    await sql(age, [older.Id]);
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
    const { Id } = await create({ ExpiresAt: '2999-01-01T00:00:00Z' });
    const answers = await atOnce(8, () => rotate(Id));
    assert.deepEqual(statusesOf(answers), [201, 409, 409, 409, 409, 409, 409, 409]);
    assert.equal((await boss.ids(`/admin/audit?action=api-token.rotated&targetId=${Id}`)).length, 1);
  });

  it('end when revoked during the overlap or the rotation, and leave the new token valid', async () => {
    const older = await create();
    const { body: newer } = await rotate(older.Id, 3600).expect(201);
    await revoke(older.Id).expect(204);
    await isRefusedSoon(older.Token);
    await use(newer.Token).expect(200);
    for (let round = 0; round < 5; round += 1) {
      const { Id, Token } = await create();
      const [rotated, revoked] = await Promise.all([rotate(Id, 3600), revoke(Id)]);
      assert.equal(revoked.status, 204);
      assert.ok([201, 409].includes(rotated.status));
      await isRefusedSoon(Token);
      if (rotated.status === 201) await use(rotated.body.Token).expect(200);
      assert.notEqual((await find(Id)).RevokedAt, null);
    }
  });

  it('are not rotated if revoked, or for too long an overlap', async () => {
    const { Id } = await create();
    await revoke(Id).expect(204);
    await rotate(Id).expect(409);
    for (const OverlapSeconds of [-1, 30 * 86_400 + 1]) await rotate(Id, OverlapSeconds).expect(400);
  });
});

const NETWORKS = ['127.0.0.0/8', '2001:db8::/32'];

describe('a restricted token', () => {
  const { boss, call, history, post } = cast({});
  let parent: { Id: string; Token: string; ExpiresAt: string };
  before(async () => {
    const ExpiresAt = new Date(Date.now() + 3_600_000).toISOString();
    parent = await create({ Networks: NETWORKS, ExpiresAt });
  });

  const from = (who: { Token: string }, path: string, body: object) =>
    post(path, who, body).set({ 'x-forwarded-for': '127.0.0.1' });
  const create = async (given: object, who: { Token: string } = boss) =>
    (await from(who, PATH, { Name: 'Deploy', Role: 'Admin', ...given }).expect(201)).body;
  const rotate = async (id: string, who: { Token: string }) =>
    (await from(who, `${PATH}/${id}/rotate`, { OverlapSeconds: 60 }).expect(201)).body;

  it('creates tokens with its own restrictions, and revokes them, and the audit says so with its id', async () => {
    const child = await create({}, parent);
    assert.deepEqual(
      [child.Networks, child.ExpiresAt, child.CreatedBy],
      [NETWORKS, parent.ExpiresAt, parent.Id],
    );
    await call('delete', `${PATH}/${child.Id}`, parent).set('x-forwarded-for', '127.0.0.1').expect(204);
    const details = { Role: 'Admin', Networks: NETWORKS, ExpiresAt: parent.ExpiresAt };
    assert.deepEqual(await history({ targetId: child.Id }, 'action', 'actorKind', 'actorId', 'details'), [
      ['api-token.revoked', 'ApiToken', parent.Id, {}],
      ['api-token.created', 'ApiToken', parent.Id, details],
    ]);
  });

  it('creates tokens with tighter ones', async () => {
    const ExpiresAt = new Date(Date.now() + 60_000).toISOString();
    const Networks = ['127.0.0.1', '2001:db8:7::/48'];
    const child = await create({ Networks, ExpiresAt }, parent);
    assert.deepEqual([child.Networks, child.ExpiresAt], [Networks, ExpiresAt]);
  });

  for (const [what, given, pointer] of [
    ['from everywhere', { Networks: ['0.0.0.0/0'] }, '/Networks'],
    ['from another network beside its own', { Networks: ['127.0.0.1', '198.51.100.7'] }, '/Networks'],
    ['from a wider network', { Networks: ['2001:db8::/31'] }, '/Networks'],
    ['for longer', { ExpiresAt: '2999-01-01T00:00:00Z' }, '/ExpiresAt'],
  ] as const)
    it(`creates none that works ${what}`, async () => {
      await from(parent, PATH, { Name: 'x', ...given }).expect(problem('invalid_request', pointer));
    });

  it('rotates itself and others without getting rid of its restrictions', async () => {
    const other = await rotate((await create({})).Id, parent);
    assert.deepEqual([other.Networks, other.ExpiresAt], [NETWORKS, parent.ExpiresAt]);
    const narrow = await rotate((await create({ Networks: ['127.0.0.1'] })).Id, parent);
    assert.deepEqual([narrow.Networks, narrow.ExpiresAt], [['127.0.0.1'], parent.ExpiresAt]);
    const itself = await rotate(parent.Id, parent);
    assert.deepEqual([itself.Networks, itself.ExpiresAt], [NETWORKS, parent.ExpiresAt]);
  });
});
