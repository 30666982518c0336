import assert from 'node:assert/strict';
import { oauthClients } from '@gatehouse/db';
import { fieldsOf } from '@gatehouse/runtime/testing';
import { cast, problem, refusesEach } from '../testing/cast.ts';

const PATH = '/admin/oauth-client';
const CALLBACK = 'https://app.example.com/callback';
const APP = { Name: 'App', RedirectUris: [CALLBACK] };

describe('/admin/oauth-client', () => {
  const SESSION_SLOTS = 'web:1,tv:2';
  const { another, app, audit, boss, call, member, newToken, openConsole, sql } = cast({ SESSION_SLOTS });

  const create = async (given: object = {}) => (await boss.post(PATH, { ...APP, ...given }).expect(201)).body;
  const patch = (id: string, change: object) => boss.patch(`${PATH}/${id}`, change);
  const rotate = (id: string, OverlapSeconds: number) =>
    boss.post(`${PATH}/${id}/rotate`, { OverlapSeconds });
  const works = async (id: string, secret: string): Promise<boolean> => {
    const client = await oauthClients.findWithSecrets(app().db, id);
    return app().service.clientSecrets.matches(secret, client?.secretHashes ?? []);
  };

  it('registers a client with what is usual, and shows its secret once', async () => {
    const answer = await boss.post(PATH, APP).expect(201);
    const { Id, Secret, CreatedAt, ...shown } = answer.body;
    assert.equal(answer.headers['location'], `${PATH}/${Id}`);
    assert.equal(answer.headers['cache-control'], 'no-store');
    assert.match(Secret, /^gcs_[0-9A-Za-z]{49}$/);
    assert.deepEqual(shown, {
      ...APP,
      ...{ IsPublic: false, IsTrusted: false, IsDeclared: false, RequiresPkce: true, RequiresNonce: true },
      ...{ PostLogoutRedirectUris: [], BackchannelLogoutUri: null, AnyLocalhostPort: false },
      Scopes: ['openid', 'profile', 'email', 'offline_access'],
      GrantTypes: ['authorization_code', 'refresh_token'],
      ...{ Roles: ['User', 'Admin'], Groups: [], Resources: [], IdTokenAlg: 'RS256', SessionTag: null },
      ...{ Grants: 'session', GrantMaxSeconds: null, PreviousSecretExpiresAt: null, DocumentUrl: null },
    });
    const { body, text } = await boss.get(`${PATH}/${Id}`).expect(200);
    assert.deepEqual(body, { Id, CreatedAt, ...shown });
    assert.ok(!text.includes(Secret));
    assert.ok(await works(Id, Secret));
    assert.ok(!(await works(Id, `${Secret}x`)));
  });

  it('changes of an application with a document who may use it, and nothing that the document says', async () => {
    const { Id } = await create({ IsPublic: true, Grants: 'own' });
    await sql("update oauth_client set document_url = 'https://agent.example.com/client' where id = ?", [Id]);
    const asked = { Roles: ['Admin'], Groups: ['staff'], GrantMaxSeconds: 3600 };
    const { body } = await patch(Id, asked).expect(200);
    assert.equal(body.DocumentUrl, 'https://agent.example.com/client');
    for (const change of [
      { Name: 'Another' },
      { RedirectUris: ['https://evil.example/'] },
      { IsTrusted: true },
      { Scopes: ['openid'] },
      { Resources: ['https://api.example.com'] },
      { Grants: 'session' },
    ])
      await patch(Id, change).expect(problem('invalid_request', `/${Object.keys(change)[0]}`));
    await boss.post(`${PATH}/${Id}/rotate`, { OverlapSeconds: 0 }).expect(409);
    await boss.delete(`${PATH}/${Id}`).expect(204);
  });

  it('stores, records and logs no secret', async () => {
    const { Id, Secret } = await create();
    const { Secret: next } = (await rotate(Id, 60).expect(201)).body;
    const statement = `select (select string_agg(t::text, '')
      from oauth_client t) || (select string_agg(a::text, '') from audit a) as dump`;
    const [{ dump } = { dump: '' }] = await sql<{ dump: string }>(statement);
    for (const secret of [Secret, next]) {
      assert.ok(!dump.includes(secret) && !dump.includes(Buffer.from(secret).toString('hex')));
      assert.ok(!JSON.stringify(app().lines).includes(secret));
    }
  });

  it('gives a public client no secret, and lets it do nothing that needs one', async () => {
    const { Id, Secret, RequiresPkce } = await create({ IsPublic: true });
    assert.deepEqual([Secret, RequiresPkce], [undefined, true]);
    await rotate(Id, 0).expect(problem('conflict'));
    for (const change of [
      { RequiresPkce: false },
      { RequiresNonce: false },
      { GrantTypes: ['authorization_code', 'client_credentials'] },
      { IsPublic: false },
    ])
      await patch(Id, change).expect(400);
    await patch((await create()).Id, { RequiresPkce: false, RequiresNonce: false }).expect(200);
    const [web, local] = [{ IsTrusted: true }, ['http://127.0.0.1/callback', 'com.example.app:/callback']];
    const trusted = await create({ IsPublic: true, ...web });
    for (const address of local) {
      const RedirectUris = [CALLBACK, address];
      for (const { body } of [
        await boss.post(PATH, { ...APP, IsPublic: true, ...web, RedirectUris }).expect(400),
        await patch(trusted.Id, { RedirectUris }).expect(400),
        await patch((await create({ IsPublic: true, RedirectUris })).Id, web).expect(400),
      ])
        assert.equal(body.errors[0].pointer, '/IsTrusted');
      await create({ ...web, RedirectUris });
    }
  });

  it('refuses what cannot work or is too much, naming the field', async () => {
    const { AUDIENCE } = app().settings;
    const cases: [object, string][] = [
      [{ RedirectUris: [] }, '/RedirectUris'],
      [{ RedirectUris: Array.from({ length: 21 }, (_, n) => `${CALLBACK}/${n}`) }, '/RedirectUris'],
      [{ RedirectUris: [CALLBACK, 'http://app.example.com/'] }, '/RedirectUris/1'],
      [{ PostLogoutRedirectUris: ['https://app.example.com/#a'] }, '/PostLogoutRedirectUris/0'],
      ...['com.example.app:/logout', 'https://app.example.com/#a', 'https://10.0.0.1/'].map(
        (uri): [object, string] => [{ BackchannelLogoutUri: uri }, '/BackchannelLogoutUri'],
      ),
      ...['', 'a b', 'x'.repeat(81)].map((scope): [object, string] => [
        { Scopes: ['openid', scope] },
        '/Scopes/1',
      ]),
      [{ Scopes: ['openid', ...Array.from({ length: 20 }, (_, n) => `own.${n}`)] }, '/Scopes'],
      [{ Scopes: ['email'] }, '/Scopes'],
      [{ GrantTypes: ['refresh_token'] }, '/GrantTypes'],
      [{ Roles: [] }, '/Roles'],
      [{ Groups: ['a,b'] }, '/Groups/0'],
      [{ IdTokenAlg: 'none' }, '/IdTokenAlg'],
      [{ SessionTag: 'car' }, '/SessionTag'],
      [{ Grants: 'own', SessionTag: 'web' }, '/SessionTag'],
      [{ Resources: ['orders'] }, '/Resources/0'],
      [{ Resources: [AUDIENCE] }, '/Resources/0'],
    ];
    const { Id } = await create();
    await refusesEach((given) => boss.post(PATH, { ...APP, ...given }), cases);
    for (const [given] of cases) await patch(Id, given).expect(400);
    await create({ Grants: 'own', SessionTag: 'tv' });
    await create({ SessionTag: 'tv', GrantTypes: ['client_credentials'], RedirectUris: [] });
  });

  it('takes the addresses of apps on a device as they are written', async () => {
    const addresses = [
      ...['app.immich:///oauth-callback', 'com.example.MyApp:/oauth2redirect', 'oc://ios.owncloud.com'],
      ...['audiobookshelf://oauth', 'http://localhost:8250/oidc/callback', 'https://App.Example.com:8443/cb'],
    ];
    const { RedirectUris, AnyLocalhostPort } = await create({ IsPublic: true, RedirectUris: addresses });
    assert.deepEqual([RedirectUris, AnyLocalhostPort], [addresses, true]);
  });

  it('never takes the audience of its own APIs as a resource, even if that is a URI', async () => {
    const own = await another({ AUDIENCE: 'https://gatehouse.test/api' });
    const { Token } = await own.login(await own.newAccount({ role: 'Admin' }));
    const given = { ...APP, Resources: ['https://gatehouse.test/api'] };
    await own.post(PATH, Token, given).expect(problem('invalid_request', '/Resources/0'));
  });

  it('replaces a secret with an overlap, and ends the one before at once', async () => {
    const { Id, Secret: first } = await create();
    const { Secret: second, PreviousSecretExpiresAt } = (await rotate(Id, 3600).expect(201)).body;
    assert.ok(Date.parse(PreviousSecretExpiresAt) > Date.now());
    assert.deepEqual([await works(Id, first), await works(Id, second)], [true, true]);
    const { Secret: third } = (await rotate(Id, 0).expect(201)).body;
    const shown = [await works(Id, first), await works(Id, second), await works(Id, third)];
    assert.deepEqual(shown, [false, false, true]);
    await rotate(Id, -1).expect(400);
  });

  it('changes what is given, and nothing else', async () => {
    const { Id, Secret: _, ...before } = await create({ Groups: ['b', 'a', 'b'] });
    assert.deepEqual(before.Groups, ['a', 'b']);
    const { body } = await patch(Id, { Name: 'Another', Groups: ['a'] }).expect(200);
    assert.deepEqual(body, { Id, ...before, Name: 'Another', Groups: ['a'] });
    assert.deepEqual((await patch(Id, {}).expect(200)).body, body);
  });

  it('records each change with its values, and by whom', async () => {
    const { Id } = await create();
    await patch(Id, { IsTrusted: true }).expect(200);
    await patch(Id, { IsTrusted: true }).expect(200);
    await rotate(Id, 60).expect(201);
    await boss.delete(`${PATH}/${Id}`).expect(204);
    const { entries } = await audit({ targetId: Id });
    const created = entries.at(-1)?.details;
    assert.deepEqual(fieldsOf(entries, 'action', 'actorId', 'targetKind', 'details'), [
      ['client.deleted', boss.id, 'OauthClient', { Name: 'App' }],
      ['client.rotated', boss.id, 'OauthClient', { OverlapSeconds: 60 }],
      ['client.changed', boss.id, 'OauthClient', { IsTrusted: true }],
      ['client.created', boss.id, 'OauthClient', created],
    ]);
    assert.deepEqual(created?.['RedirectUris'], [CALLBACK]);
  });

  it('asks in a browser for a fresh proof before it gives rights, not before it takes some', async () => {
    const ann = await member({ role: 'Admin' });
    const browser = await openConsole(ann.email);
    const statement = `update user_session set authenticated_at = now() - interval '301 seconds' where account_id = ?`;
    await sql(statement, [ann.id]);
    const restricted = await newToken({ role: 'Admin', expiresAt: new Date(Date.now() + 3_600_000) });
    const { Id } = await create({ Groups: ['a', 'b'], Scopes: ['openid', 'email'] });
    const ask = async (change: object) =>
      (await browser.patch(`${PATH}/${Id}`, change)).body.code as string | undefined;
    for (const change of [
      { RedirectUris: [CALLBACK, 'https://evil.example'] },
      { PostLogoutRedirectUris: ['https://evil.example'] },
      { BackchannelLogoutUri: 'https://evil.example' },
      { Scopes: ['openid', 'email', 'groups'] },
      { GrantTypes: ['authorization_code', 'refresh_token', 'client_credentials'] },
      { Roles: ['User', 'Admin', 'Guest'] },
      { Groups: ['a', 'b', 'c'] },
      { Groups: [] },
      { IsTrusted: true },
      { Scopes: ['openid', 'email', 'orders.read'] },
      { RequiresPkce: false },
      { RequiresNonce: false },
      { Resources: ['https://api.example.com'] },
    ])
      for (const [code, asked] of [
        ['confirmation_required', await ask(change)],
        ['forbidden', (await call('patch', `${PATH}/${Id}`, restricted, change)).body.code],
      ])
        assert.equal(asked, code, JSON.stringify(change));

    for (const change of [{ Name: 'B' }, { Groups: ['a'] }, { Scopes: ['openid'] }, { Roles: ['User'] }])
      assert.equal(await ask(change), undefined, JSON.stringify(change));
  });
});
