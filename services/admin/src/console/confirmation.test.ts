import assert from 'node:assert/strict';
import { PASSWORD, someAddress, someEmail } from '@gatehouse/accounts/testing';
import { query } from '@gatehouse/db';
import { startAdmin, type TestAdmin } from '../testing/index.ts';

const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' };

describe('dangerous actions', () => {
  let admin: TestAdmin;
  let cookie: Record<string, string>;
  let token: string;
  before(async () => {
    admin = await startAdmin({ SINGLE_SESSION: false });
    const ann = await admin.newAccount({ role: 'Admin' });
    const answer = await admin.http
      .post('/console/session')
      .set(SAME_ORIGIN)
      .send({ Username: ann.email, Password: PASSWORD })
      .expect(200);
    const [line = ''] = answer.headers['set-cookie'] as unknown as string[];
    cookie = { ...SAME_ORIGIN, cookie: line.split(';')[0] ?? '' };
    token = (await admin.login(ann)).Token;
  });
  after(() => admin.stop());
  beforeEach(() =>
    query(admin.app.db, `update user_session set confirmed_at = now() - interval '301 seconds'`),
  );

  const confirm = () =>
    admin.http
      .post('/console/session/confirm')
      .set({ ...cookie, 'x-forwarded-for': someAddress() })
      .send({ Password: PASSWORD })
      .expect(204);
  const newId = async (): Promise<string> => (await admin.newAccount()).id;

  for (const [what, method, path, body, status] of [
    [
      'make an administrator of an account',
      'patch',
      async () => `/admin/account/${await newId()}`,
      { Role: 'Admin' },
      200,
    ],
    [
      'make an account of an administrator',
      'post',
      async () => '/admin/account',
      { Email: 'new@example.com', Role: 'Admin' },
      201,
    ],
    [
      'make a token with the rights of an administrator',
      'post',
      async () => '/admin/api-token',
      { Name: 'all', Role: 'Admin' },
      201,
    ],
  ] as const) {
    it(`${what} in a browser only after confirmation`, async () => {
      const address = await path();
      const refused = await admin.http[method](address).set(cookie).send(body);
      assert.deepEqual([refused.status, refused.body.code], [403, 'confirmation_required']);
      await confirm();
      await admin.http[method](address).set(cookie).send(body).expect(status);
    });
  }

  it('need no confirmation with a token', async () => {
    await admin.call('patch', `/admin/account/${await newId()}`, token, { Role: 'Admin' }).expect(200);
  });

  it('do not include changes of a single account', async () => {
    await admin.http
      .patch(`/admin/account/${await newId()}`)
      .set(cookie)
      .send({ IsDisabled: true })
      .expect(200);
    await admin.http.post('/admin/api-token').set(cookie).send({ Name: 'one' }).expect(201);
  });

  it('end many sessions only after confirmation', async () => {
    const ben = await admin.newAccount();
    for (let session = 0; session < 51; session += 1) await admin.login(ben);
    const change = { UserId: ben.id, Status: 4 };
    const active = async () =>
      (
        await query(admin.app.db, 'select id from user_session where account_id = ? and ended_at is null', [
          ben.id,
        ])
      ).length;
    const post = (body: object) => admin.http.post('/admin/user-session').set(cookie).send(body);
    assert.equal((await post({ ...change, DryRun: true }).expect(200)).body.Count, 51);
    assert.equal((await post(change).expect(403)).body.code, 'confirmation_required');
    assert.equal(await active(), 51);
    await confirm();
    assert.equal((await post(change).expect(200)).body.Count, 51);
    assert.equal(await active(), 0);
  });

  it('delete content in a browser only after confirmation', async () => {
    const path = `/admin/content-definition/${await admin.newContent()}`;
    assert.equal((await admin.http.delete(path).set(cookie).expect(403)).body.code, 'confirmation_required');
    await confirm();
    await admin.http.delete(path).set(cookie).expect(204);
  });

  it('import accounts in a browser only after confirmation, except for a dry run', async () => {
    const send = (search: string) =>
      admin.http
        .post(`/admin/account/import${search}`)
        .set({ ...cookie, 'content-type': 'application/x-ndjson' })
        .serialize((value: unknown) => value as string)
        .send(JSON.stringify({ Email: someEmail(), Role: 'Admin' }));
    assert.equal((await send('?dryRun=true').expect(200)).body.Imported, 1);
    assert.equal((await send('').expect(403)).body.code, 'confirmation_required');
    await confirm();
    assert.equal((await send('').expect(200)).body.Imported, 1);
  });

  it('delete many invitations only after confirmation', async () => {
    const content = await admin.newContent();
    const Emails = Array.from({ length: 51 }, someEmail);
    await admin.post(`/admin/content-definition/${content}/invite`, token, { Emails }).expect(200);
    const change = { Filter: { ContentDefinitionId: content }, Change: 'delete' };
    const pending = async () =>
      (await admin.get(`/admin/content-definition/${content}/member?count=true`, token).expect(200)).body
        .Count;
    const post = (body: object) => admin.http.post('/admin/invitation/bulk').set(cookie).send(body);
    assert.equal((await post({ ...change, DryRun: true }).expect(200)).body.Count, 51);
    assert.equal((await post(change).expect(403)).body.code, 'confirmation_required');
    assert.equal(await pending(), 51);
    await confirm();
    assert.equal((await post(change).expect(200)).body.Count, 51);
    assert.equal(await pending(), 0);
  });

  it('change many accounts only after confirmation', async () => {
    const Search = 'Fifty-one of us';
    await Promise.all(Array.from({ length: 51 }, () => admin.newAccount({ displayName: Search })));
    const change = { Filter: { Search }, Change: { TwoFactorRequired: true } };
    const changed = async () =>
      (await query(admin.app.db, 'select id from account where two_factor_required')).length;
    const post = (body: object) => admin.http.post('/admin/account/bulk').set(cookie).send(body);
    assert.equal((await post({ ...change, DryRun: true }).expect(200)).body.Count, 51);
    assert.equal((await post(change).expect(403)).body.code, 'confirmation_required');
    assert.equal(await changed(), 0);
    await confirm();
    assert.equal((await post(change).expect(200)).body.Count, 51);
    assert.equal(await changed(), 51);
  });
});
