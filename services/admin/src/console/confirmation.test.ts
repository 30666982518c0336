import assert from 'node:assert/strict';
import { PASSWORD, someAddress, someEmail, switchOnTwoFactor } from '@gatehouse/accounts/testing';
import { query } from '@gatehouse/db';
import { v7 as newId } from 'uuid';
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
  beforeEach(async () => {
    for (const [table, at] of [
      ['session_confirmation', 'confirmed_at'],
      ['user_session', 'authenticated_at'],
    ])
      await query(admin.app.db, `update ${table} set ${at} = now() - interval '301 seconds'`);
  });

  const confirm = () =>
    admin.http
      .post('/console/session/confirm')
      .set({ ...cookie, 'x-forwarded-for': someAddress() })
      .send({ Password: PASSWORD })
      .expect(204);
  const newSessionOf = async (role: 'User' | 'Admin'): Promise<string> => {
    const owner = await admin.newAccount({ role });
    const { Token } = await admin.login(owner);
    const caller = await admin.app.auth.verify(`Bearer ${Token}`);
    assert.ok(caller.kind === 'session');
    return caller.sessionId;
  };
  const accountOf = async (role: 'User' | 'Admin', columns = ''): Promise<string> => {
    const { id } = await admin.newAccount({ role });
    if (columns !== '') await query(admin.app.db, `update account set ${columns} where id = ?`, [id]);
    return `/admin/account/${id}`;
  };
  const waitingOf = (role: 'User' | 'Admin') =>
    accountOf(role, `signup = 'new', password_hash = null, password_scheme = null`);
  const guarded = async (): Promise<string> => {
    const ben = await admin.newAccount();
    await switchOnTwoFactor(admin.app, ben.id);
    return `/admin/account/${ben.id}`;
  };
  const bulk = (what: object) => async (): Promise<[string, object]> => {
    const { id } = await admin.newAccount({ role: 'Admin' });
    return ['/admin/account/bulk', { Filter: { Ids: [id] }, Change: what }];
  };

  type Action = readonly [
    what: string,
    method: 'post' | 'patch' | 'delete',
    request: () => Promise<string | [string, object]>,
    body?: object,
  ];
  const dangerous: readonly Action[] = [
    ['making an administrator of an account', 'patch', () => accountOf('User'), { Role: 'Admin' }],
    [
      'creating an account of an administrator',
      'post',
      async () => ['/admin/account', { Email: someEmail(), Role: 'Admin' }],
    ],
    ['renaming an administrator', 'patch', () => accountOf('Admin'), { DisplayName: 'Somebody' }],
    ['disabling an administrator', 'patch', () => accountOf('Admin'), { IsDisabled: true }],
    [
      'inviting an administrator to complete the account',
      'post',
      async () => `${await waitingOf('Admin')}/invite`,
    ],
    [
      'inviting one administrator in bulk',
      'post',
      async () => {
        const Ids = [(await waitingOf('Admin')).slice('/admin/account/'.length)];
        return ['/admin/account/bulk/invite', { Filter: { Ids } }];
      },
    ],
    ['disabling one administrator in bulk', 'post', bulk({ IsDisabled: true })],
    ['demoting an administrator', 'patch', () => accountOf('Admin'), { Role: 'User' }],
    [
      'letting an administrator’s account expire',
      'patch',
      () => accountOf('Admin'),
      { ExpiresAt: '2099-01-01T00:00:00Z' },
    ],
    [
      'mailing a reset code to an administrator',
      'post',
      async () => `${await accountOf('Admin')}/reset-password`,
    ],
    [
      'clearing the failed logins of an administrator',
      'post',
      async () => `${await accountOf('Admin')}/unlock`,
    ],
    ['enabling an account', 'patch', () => accountOf('User', 'is_disabled = true'), { IsDisabled: false }],
    [
      'disabling an account for less time',
      'patch',
      () => accountOf('User', 'is_disabled = true'),
      { IsDisabled: true, DisabledUntil: '2999-01-01T00:00:00Z' },
    ],
    [
      'changing an email without the owner',
      'post',
      async () => [`${await accountOf('User')}/change-email`, { Email: someEmail(), Force: true }],
    ],
    [
      'requesting another email for an administrator',
      'post',
      async () => [`${await accountOf('Admin')}/change-email`, { Email: someEmail() }],
    ],
    [
      'no longer requiring a second factor',
      'patch',
      () => accountOf('User', 'two_factor_required = true'),
      { TwoFactorRequired: false },
    ],
    [
      'no longer requiring a new password',
      'patch',
      () => accountOf('User', 'new_password_required = true'),
      { NewPasswordRequired: false },
    ],
    [
      'letting an account expire later',
      'patch',
      () => accountOf('User', `expires_at = now() + interval '1 day'`),
      { ExpiresAt: null },
    ],
    ['giving a group', 'patch', () => accountOf('User', `groups = '{a}'`), { Groups: ['a', 'b'] }],
    [
      'creating an account with groups',
      'post',
      async () => ['/admin/account', { Email: someEmail(), Groups: ['a'] }],
    ],
    ['making a service account of a user', 'patch', () => accountOf('User'), { IsService: true }],
    ['removing a second factor', 'delete', async () => `${await guarded()}/two-factor`],
    ['creating a static token of any role', 'post', async () => ['/admin/api-token', { Name: 'one' }]],
    [
      'ending a session of an administrator',
      'post',
      async () => ['/admin/user-session', { SessionId: await newSessionOf('Admin'), Status: 4 }],
    ],
    [
      'making an ended session active again',
      'post',
      async () => {
        const SessionId = await newSessionOf('User');
        await admin.post('/admin/user-session', token, { SessionId, Status: 4 }).expect(200);
        return ['/admin/user-session', { SessionId, Status: 1 }];
      },
    ],
  ];
  for (const [what, method, request, body] of dangerous) {
    it(`include ${what}: in a browser only after confirmation`, async () => {
      const made = await request();
      const [path, sent] = typeof made === 'string' ? [made, body] : made;
      const send = () => admin.http[method](path).set(cookie).send(sent);
      const refused = await send();
      assert.deepEqual([refused.status, refused.body.code], [403, 'confirmation_required']);
      await confirm();
      const { status } = await send();
      assert.ok(status < 300, String(status));
    });
  }

  for (const path of [
    `/admin/account/${newId()}/passkey/${newId()}`,
    `/admin/account/${newId()}/identity/1`,
    `/admin/account/${newId()}`,
  ]) {
    it(`include DELETE ${path.replaceAll(/[0-9a-f-]{36}/g, '{id}')}, whether or not it exists`, async () => {
      assert.equal(
        (await admin.http.delete(path).set(cookie).expect(403)).body.code,
        'confirmation_required',
      );
      await confirm();
      await admin.http.delete(path).set(cookie).expect(404);
    });
  }

  it('need no confirmation with a token', async () => {
    await admin.call('patch', await accountOf('User'), token, { Role: 'Admin' }).expect(200);
  });

  for (const change of [
    { IsDisabled: true },
    { IsDisabled: true, DisabledUntil: '2999-01-01T00:00:00Z', Reason: 'spam', TellReason: true },
    { Locale: 'de' },
    { TwoFactorRequired: true },
    { NewPasswordRequired: true },
    { ExpiresAt: '2099-01-01T00:00:00Z' },
    { DisplayName: 'Ben' },
    { Groups: [] },
    { IsDisabled: false, TwoFactorRequired: false, ExpiresAt: null },
  ]) {
    it(`do not include ${JSON.stringify(change)} for one user`, async () => {
      await admin.http
        .patch(await accountOf('User'))
        .set(cookie)
        .send(change)
        .expect(200);
    });
  }

  it('never remove one’s own second factor, with or without confirmation', async () => {
    const ann = await admin.newAccount({ role: 'Admin' });
    const own = (await admin.login(ann)).Token;
    await switchOnTwoFactor(admin.app, ann.id);
    const path = `/admin/account/${ann.id}`;
    for (const factor of ['two-factor', `passkey/${newId()}`]) {
      const { body } = await admin.call('delete', `${path}/${factor}`, own).expect(409);
      assert.equal(body.code, 'own_account');
    }
    const { body } = await admin.get(path, own).expect(200);
    assert.equal(body.TwoFactorEnabled, true);
  });

  it('invite more than fifty owners only after confirmation, and one without', async () => {
    const many = `many-${newId()}`;
    await query(
      admin.app.db,
      `insert into account (id, email, email_key, role, signup)
       select gen_random_uuid(), '${many}-' || n || '@example.com', '${many}-' || n || '@example.com', 'User', 'new'
       from generate_series(1, 51) n`,
    );
    const path = '/admin/account/bulk/invite';
    const invite = (given: object) => admin.http.post(path).set(cookie).send(given);
    const all = { Filter: { Search: many } };
    assert.equal((await invite(all).expect(403)).body.code, 'confirmation_required');
    assert.equal((await invite({ ...all, DryRun: true }).expect(200)).body.Count, 51);
    await invite({ Filter: { Email: `${many}-1@example.com` } }).expect(200);
    await confirm();
    assert.equal((await invite(all).expect(200)).body.Count, 51);
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
      (
        await query(admin.app.db, 'select id from account where two_factor_required and display_name = ?', [
          Search,
        ])
      ).length;
    const post = (body: object) => admin.http.post('/admin/account/bulk').set(cookie).send(body);
    assert.equal((await post({ ...change, DryRun: true }).expect(200)).body.Count, 51);
    assert.equal((await post(change).expect(403)).body.code, 'confirmation_required');
    assert.equal(await changed(), 0);
    await confirm();
    assert.equal((await post(change).expect(200)).body.Count, 51);
    assert.equal(await changed(), 51);
  });
});
