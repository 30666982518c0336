import assert from 'node:assert/strict';
import { PASSWORD, someEmail, atOnce } from '@gatehouse/accounts/testing';
import { cast } from '../testing/cast.ts';

const PATH = '/admin/api-token';
const NETWORKS = ['127.0.0.0/8', '2001:db8::/32'];

describe('a restricted token', () => {
  const { boss, call, login, member, newToken, post } = cast({});
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

  it('creates tokens with its own restrictions, and the audit says so', async () => {
    const child = await create({}, parent);
    assert.deepEqual([child.Networks, child.ExpiresAt], [NETWORKS, parent.ExpiresAt]);
    const { body } = await boss.get(`/admin/audit?action=api-token.created&targetId=${child.Id}`).expect(200);
    const [{ ActorKind, ActorId, Details }] = body.Items;
    assert.deepEqual([ActorKind, ActorId], ['ApiToken', parent.Id]);
    assert.deepEqual(Details, { Role: 'Admin', Networks: NETWORKS, ExpiresAt: parent.ExpiresAt });
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
  ] as const) {
    it(`creates none that works ${what}`, async () => {
      const { body } = await from(parent, PATH, { Name: 'x', ...given }).expect(400);
      assert.equal(body.errors[0].pointer, pointer);
    });
  }

  it('rotates itself and others without getting rid of its restrictions', async () => {
    const other = await rotate((await create({})).Id, parent);
    assert.deepEqual([other.Networks, other.ExpiresAt], [NETWORKS, parent.ExpiresAt]);
    const narrow = await rotate((await create({ Networks: ['127.0.0.1'] })).Id, parent);
    assert.deepEqual([narrow.Networks, narrow.ExpiresAt], [['127.0.0.1'], parent.ExpiresAt]);
    const itself = await rotate(parent.Id, parent);
    assert.deepEqual([itself.Networks, itself.ExpiresAt], [NETWORKS, parent.ExpiresAt]);
  });

  const NONE = '/admin/account/bulk';
  const account = async (role: 'User' | 'Admin' = 'User', columns = 'locale = locale') => {
    const person = await member({ role });
    await person.set(columns);
    return `/admin/account/${person.id}`;
  };
  const client = async () => {
    const body = { Name: 'App', RedirectUris: ['https://app.example.com/'] };
    return `/admin/oauth-client/${(await boss.post('/admin/oauth-client', body).expect(201)).body.Id}`;
  };
  const ended = async () => {
    const { sessionId: SessionId } = await login(await member());
    await boss.post('/admin/user-session', { SessionId, Status: 4 }).expect(200);
    return SessionId;
  };
  const idOf = (path: string) => path.slice('/admin/account/'.length);
  const waiting = `signup = 'new', password_hash = null, password_scheme = null`;
  type Lasting = readonly [
    string,
    'post' | 'patch',
    () => Promise<string | readonly [string, object]>,
    object?,
  ];
  const lasting: readonly Lasting[] = [
    ['an administrator', 'post', async () => ['/admin/account', { Email: someEmail(), Role: 'Admin' }]],
    [
      'a service account',
      'post',
      async () => ['/admin/account', { Email: someEmail(), IsService: true, Password: PASSWORD }],
    ],
    ['an account in a group', 'post', async () => ['/admin/account', { Email: someEmail(), Groups: ['a'] }]],
    ['an administrator out of a user', 'patch', account, { Role: 'Admin' }],
    ['a service account out of a user', 'patch', account, { IsService: true }],
    ['a group of a user', 'patch', account, { Groups: ['a'] }],
    ['an enabled account', 'patch', () => account('User', 'is_disabled = true'), { IsDisabled: false }],
    ['an administrator’s name', 'patch', () => account('Admin'), { DisplayName: 'x' }],
    [
      'enabled accounts',
      'post',
      async () => [
        NONE,
        {
          Filter: { Ids: [idOf(await account('User', 'is_disabled = true'))] },
          Change: { IsDisabled: false },
        },
      ],
    ],
    [
      'another email of a user',
      'post',
      async () => [`${await account()}/change-email`, { Email: someEmail(), Force: true }],
    ],
    [
      'another email of an administrator',
      'post',
      async () => [`${await account('Admin')}/change-email`, { Email: someEmail() }],
    ],
    ['an invited administrator', 'post', async () => `${await account('Admin', waiting)}/invite`],
    [
      'invited administrators',
      'post',
      async () => [`${NONE}/invite`, { Filter: { Ids: [idOf(await account('Admin', waiting))] } }],
    ],
    ['an administrator’s reset code', 'post', async () => `${await account('Admin')}/reset-password`],
    [
      'an active session',
      'post',
      async () => ['/admin/user-session', { SessionId: await ended(), Status: 1 }],
    ],
    ['an application’s address', 'patch', client, { RedirectUris: ['https://evil.example/'] }],
    ['an application’s logout address', 'patch', client, { BackchannelLogoutUri: 'https://evil.example/' }],
    ['a trusted application', 'patch', client, { IsTrusted: true }],
    ['an application’s role', 'patch', client, { Roles: ['User', 'Admin', 'Guest'] }],
  ];
  for (const [what, method, request, body] of lasting) {
    it(`leaves nothing that outlasts it: ${what}`, async () => {
      const made = await request();
      const [path, sent] = typeof made === 'string' ? [made, body] : made;
      const send = (who: { Token: string }) =>
        call(method, path, who, sent).set({ 'x-forwarded-for': '127.0.0.1' });
      assert.equal((await send(parent).expect(403)).body.code, 'forbidden');
      const { status } = await send(await newToken({ role: 'Admin' }));
      assert.ok(status < 300, String(status));
    });
  }

  it('imports nobody, as any line may be an administrator, but tries an import out', async () => {
    const send = (search: string) =>
      call('post', `/admin/account/import${search}`, parent)
        .set({ 'content-type': 'application/x-ndjson', 'x-forwarded-for': '127.0.0.1' })
        .send(JSON.stringify({ Email: someEmail() }));
    assert.equal((await send('').expect(403)).body.code, 'forbidden');
    await send('?dryRun=true').expect(200);
  });

  it('does its daily work', async () => {
    const sends = (path: string, body: object) => from(parent, path, body);
    await sends('/admin/account', { Email: someEmail(), Password: PASSWORD }).expect(201);
    const many = await atOnce(51, () => member());
    const Ids = many.map(({ id }) => id);
    const { body } = await sends(NONE, { Filter: { Ids }, Change: { IsDisabled: true } }).expect(200);
    assert.equal(body.Count, 51);
    const { Id } = await create({}, parent);
    await call('delete', `${PATH}/${Id}`, parent).set('x-forwarded-for', '127.0.0.1').expect(204);
  });
});
