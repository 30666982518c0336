import assert from 'node:assert/strict';
import { hashElsewhere } from '@gatehouse/auth-core/testing';
import { openSession } from '@gatehouse/accounts';
import { accounts, BY_PASSWORD, query, inTransaction } from '@gatehouse/db';
import { NO_DEADLINE } from '@gatehouse/runtime';
import { eventually } from '@gatehouse/runtime/testing';
import { PASSWORD, someAddress, startCore, type TestCore } from '../../testing/index.ts';

describe('POST /account/login', () => {
  let core: TestCore;
  before(async () => {
    core = await startCore({ LOGIN_FAILURES_FREE: 10 });
  });
  after(() => core.stop());

  const attempt = (email: string, password: string, address?: string) =>
    core.post(
      '/account/login',
      { Username: email, Password: password },
      address === undefined ? {} : { 'x-forwarded-for': address },
    );

  it('has the same response for a wrong password and an unknown account', async () => {
    const email = await core.newAccount();
    const bodies = await Promise.all(
      [email, 'nobody@example.com', 'not an email', '\u0000'].map(async (name) => {
        const { body, status } = await attempt(name, 'a wrong password');
        return { ...body, traceId: undefined, seen: status };
      }),
    );
    assert.equal(bodies[0]?.seen, 404);
    assert.equal(bodies[0]?.code, 'authentication_failed');
    for (const body of bodies) assert.deepEqual(body, bodies[0]);
  });

  it('leaves exactly one session after thirty concurrent logins', async () => {
    const email = await core.newAccount();
    const sets = await Promise.all(Array.from({ length: 30 }, () => core.login(email)));
    const statuses = await Promise.all(sets.map(({ Token }) => core.pingWith(Token)));
    assert.deepEqual(
      statuses.toSorted((one, other) => one - other),
      [1, ...Array<number>(29).fill(4)],
    );
    for (const [index, { Token }] of sets.entries()) {
      const { status, body } = await core.http.get('/ping/auth').set(core.bearer(Token));
      if (statuses[index] === 1) assert.equal(status, 200);
      else assert.deepEqual([status, body.code], [401, 'session_replaced']);
    }
  });

  it('keeps earlier sessions without single-session enforcement', async () => {
    const many = await startCore({ SINGLE_SESSION: false });
    try {
      const email = await many.newAccount();
      const sets = await Promise.all([many.login(email), many.login(email), many.login(email)]);
      for (const { Token } of sets) assert.equal(await many.pingWith(Token), 1);
    } finally {
      await many.stop();
    }
  });

  it('accepts all concurrent logins while the hash is renewed', async () => {
    const email = await core.newAccount();
    const hash = '$2y$04$4rl0W1m3R87qE4ZVvCOFZOPlerQmAjQec10vlN8bwtf0CVcksih1y';
    await query(
      core.app.db,
      "update account set password_hash = ?, password_scheme = 'raw' where email = ?",
      [hash, email],
    );
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => attempt(email, 'imported from elsewhere')),
    );
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
  });

  for (const [status, change] of [
    [3, 'is_disabled = true'],
    [4, 'email_verified_at = null'],
    [7, 'new_password_required = true'],
    [8, "expires_at = now() - interval '1 second'"],
  ] as const) {
    it(`returns status ${status} only for the right password`, async () => {
      const email = await core.newAccount();
      await query(core.app.db, `update account set ${change} where email = '${email}'`);
      const { body } = await attempt(email, PASSWORD).expect(403);
      assert.equal(body.LoginStatus, status);
      await attempt(email, 'a wrong password').expect(404);
    });
  }

  for (const [status, signup] of [
    [5, 'new'],
    [6, 'migration'],
    [9, 'invitation'],
  ] as const) {
    it(`returns status ${status} for any password, unless pending accounts are hidden`, async () => {
      const email = await core.newAccount();
      await query(
        core.app.db,
        `update account set signup = '${signup}', password_hash = null, password_scheme = null where email = '${email}'`,
      );
      assert.equal((await attempt(email, 'whatever it is').expect(403)).body.LoginStatus, status);
      const quiet = await startCore({ DISCLOSE_PENDING_ACCOUNTS: false }, core);
      try {
        const { body } = await quiet.post('/account/login', { Username: email, Password: 'whatever it is' });
        assert.equal(body.code, 'authentication_failed');
      } finally {
        await quiet.stop();
      }
    });
  }

  it('keeps an imported hash of a password longer than bcrypt reads, and refuses an empty one', async () => {
    const [long, empty, short] = [await core.newAccount(), await core.newAccount(), await core.newAccount()];
    const give = (email: string, password: string) =>
      query(core.app.db, "update account set password_hash = ?, password_scheme = 'raw' where email = ?", [
        hashElsewhere(password, 4),
        email,
      ]);
    const typed = 'long enough '.repeat(7);
    await give(long, typed);
    await give(empty, '');
    await attempt(long, `${typed} and mistyped`).expect(200);
    await attempt(empty, '').expect(404);
    // Hashes are renewed in the order of logins.
    await give(short, 'short enough');
    await attempt(short, 'short enough').expect(200);
    const schemeOf = async (email: string) =>
      (await accounts.findByEmailKey(core.app.db, email))?.passwordScheme;
    await eventually(async () => (await schemeOf(short)) === 'peppered');
    assert.equal(await schemeOf(long), 'raw');
  });

  it('refuses a wrong password no sooner than one for the most expensive hash', async () => {
    const [imported, other] = [await core.newAccount(), await core.newAccount()];
    const least = async (names: string[]): Promise<number> => {
      const taken: number[] = [];
      for (const name of names) {
        const begun = performance.now();
        await attempt(name, 'a wrong password', someAddress()).expect(404);
        taken.push(performance.now() - begun);
      }
      return Math.min(...taken);
    };
    let hash = '';
    const works: number[] = [];
    while (works.length < 5) {
      const before = process.cpuUsage();
      hash = hashElsewhere('imported from elsewhere', 10);
      works.push(process.cpuUsage(before).user / 1000);
    }
    const work = Math.min(...works);
    await query(
      core.app.db,
      "update account set password_hash = ?, password_scheme = 'raw' where email = ?",
      [hash, imported],
    );
    try {
      const nobody = Array.from({ length: 3 }, (_, index) => `nobody${index}@example.com`);
      for (const names of [[imported], [other, other, other], nobody, ['no address', 'none either']]) {
        assert.ok((await least(names)) > 0.5 * work, names.join());
      }
    } finally {
      await query(
        core.app.db,
        'update account set password_hash = null, password_scheme = null where email = ?',
        [imported],
      );
    }
  });

  it('opens no session for a password that was changed while it was being checked', async () => {
    const email = await core.newAccount();
    const checked = await accounts.findByEmailKey(core.app.db, email);
    assert.ok(checked);
    await inTransaction(core.app.db, NO_DEADLINE, (tx) =>
      accounts.updatePassword(tx, checked.id, 'another hash'),
    );
    assert.deepEqual(
      await openSession(core.app, checked, { traceId: '0', dueAt: Infinity, authentication: BY_PASSWORD }),
      {
        kind: 'stale',
      },
    );
  });
});
