import assert from 'node:assert/strict';
import { importAccounts, openSession } from '@gatehouse/accounts';
import { readTables, switchOnTwoFactor } from '@gatehouse/accounts/testing';
import { accounts, BY_PASSWORD, inTransaction, type Transaction } from '@gatehouse/db';
import { NO_DEADLINE } from '@gatehouse/runtime';
import { eventually } from '@gatehouse/runtime/testing';
import { areDone, atOnce, cast, countOf, type Person, pingsOf, type Session } from '../../testing/cast.ts';
import { BY_SYSTEM, FIREFOX, PASSWORD, SAME_ORIGIN, type TestCore } from '../../testing/index.ts';
import { readFileSync } from 'node:fs';
import { readFirebaseParameters } from '@gatehouse/auth-core';
import { v7 as newId } from 'uuid';

const WRONG = 'a wrong password';
const IMPORTED = 'imported from elsewhere';

describe('POST /account/login', () => {
  const { core, someone, member } = cast();

  const logsInAs = (Username: string, Password: string) =>
    someone().post('/account/login', { Username, Password });

  it('has the same response for a wrong password and an unknown account', async () => {
    const names = [(await member()).email, 'nobody@example.com', 'not an email', '\u0000'];
    const bodies = await Promise.all(
      names.map(async (name) => {
        const { body, status } = await logsInAs(name, WRONG);
        return { ...body, traceId: undefined, seen: status };
      }),
    );
    assert.deepEqual([bodies[0]?.seen, bodies[0]?.code], [404, 'authentication_failed']);
    for (const body of bodies) assert.deepEqual(body, bodies[0]);
  });

  it('leaves exactly one session after thirty concurrent logins', async () => {
    const ann = await member();
    const sessions = await atOnce(30, () => ann.session());
    const statuses = await pingsOf(sessions);
    assert.equal(statuses.filter((status) => status === 1).length, 1);
    for (const [index, session] of sessions.entries()) {
      const { body } = await session.isChecked().expect(statuses[index] === 1 ? 200 : 401);
      if (statuses[index] !== 1) assert.deepEqual([statuses[index], body.code], [4, 'session_replaced']);
    }
  });

  it('accepts all concurrent logins while the hash is renewed', async () => {
    const ann = await member();
    const imported = '$2y$04$4rl0W1m3R87qE4ZVvCOFZOPlerQmAjQec10vlN8bwtf0CVcksih1y';
    await ann.set(`password_hash = '${imported}', password_scheme = 'raw'`);
    assert.equal(countOf(200, await atOnce(12, () => ann.logsIn(IMPORTED))), 12);
  });

  for (const [what, change] of [
    [
      'the password was changed',
      (tx, accountId) => accounts.updatePassword(tx, { accountId, passwordHash: 'another hash' }),
    ],
    ['a second factor was enabled', (_, id) => switchOnTwoFactor(core().app, id)],
  ] as [string, (tx: Transaction, id: string) => Promise<unknown>][])
    it(`opens no session if ${what} while the password was being checked`, async () => {
      const { app } = core();
      const checked = await accounts.findByEmailKey(app.db, (await member()).email);
      assert.ok(checked);
      await inTransaction(app.db, NO_DEADLINE, (tx) => change(tx, checked.id));
      const origin = { ...BY_SYSTEM.origin, authentication: BY_PASSWORD };
      assert.deepEqual(await openSession(app, checked, origin), { kind: 'stale' });
    });
});

describe('notices of a sign-in from a new device', () => {
  const { core, member } = cast();

  const logsIn = (ann: Person, userAgent: string, DeviceName?: string) =>
    ann.logsIn(PASSWORD, { DeviceName }).set('user-agent', userAgent).expect(200);
  /** The names of the devices in the notices, with `undefined` for none. */
  const noticesTo = async (ann: Person) =>
    (await ann.mails()).flatMap(({ type, content }) =>
      type === 'session.new-device' ? [{ DeviceName: undefined, ...content }] : [],
    );
  const devicesIn = async (ann: Person) => (await noticesTo(ann)).map(({ DeviceName }) => DeviceName);

  it('are mailed, except for the first login and logins from a known device', async () => {
    const ann = await member();
    for (let time = 0; time < 2; time += 1) await logsIn(ann, FIREFOX);
    assert.deepEqual(await devicesIn(ann), []);
    await logsIn(ann, FIREFOX, 'Phone');
    assert.deepEqual(await devicesIn(ann), ['Phone']);
    await logsIn(ann, FIREFOX, 'Phone');
    await logsIn(ann, FIREFOX);
    const notices = await noticesTo(ann);
    assert.equal(notices.length, 1);
    assert.ok(notices[0] && 'IpAddress' in notices[0] && 'At' in notices[0]);
    // Nothing is known any more when the earlier sessions have been deleted.
    await core().sql('delete from user_session where account_id = ?', [await ann.id()]);
    await logsIn(ann, FIREFOX);
    assert.deepEqual(await devicesIn(ann), ['Phone', 'Firefox, Linux']);
  });

  it('name an unnamed device by known parts of its user agent only', async () => {
    const ann = await member();
    for (const agent of ['one', `${FIREFOX} call evil.example`, 'visit https://evil.example'])
      await logsIn(ann, agent);
    assert.deepEqual(await devicesIn(ann), ['Firefox, Linux', undefined]);
  });

  it('are limited to five an hour, and never prevent a login', async () => {
    const ann = await member();
    for (let index = 0; index < 8; index += 1) await logsIn(ann, `device ${index}`);
    assert.equal((await noticesTo(ann)).length, 5);
  });

  it('are mailed once for concurrent logins from one device', async () => {
    const ann = await member();
    await logsIn(ann, 'one');
    await atOnce(5, () => logsIn(ann, 'two'));
    assert.equal((await noticesTo(ann)).length, 1);
    assert.equal((await ann.sessions('id')).length, 6);
  });
});

describe('a service account', () => {
  const { core, another, member } = cast();
  let other: TestCore;
  before(async () => (other = await another()));

  const service = async () => {
    const robot = await member();
    await robot.set('is_service = true');
    return robot;
  };
  const areGood = async (sessions: readonly Session[]) => {
    for (const session of sessions)
      for (const on of [core(), other]) await session.at(on).isChecked().expect(200);
  };

  it('logs in and refreshes from many replicas concurrently, without ending sessions', async () => {
    const robot = await service();
    let held = await atOnce(12, (index) => robot.at(index % 2 === 0 ? core() : other).session());
    await areGood(held);
    for (let round = 0; round < 4; round += 1) {
      const refreshed = held.map(async (session, index) =>
        session.with(await session.next(index % 2 === round % 2 ? core() : other)),
      );
      held = await Promise.all([...refreshed, robot.session()]);
      await areGood(held);
    }
    const sessions = await robot.sessions('is_exclusive, status', 'ended_at is null');
    assert.equal(sessions.length, 16);
    for (const session of sessions) assert.deepEqual(session, { is_exclusive: false, status: 1 });
    assert.deepEqual(await robot.sessions('id', 'status = 2'), []);
  });

  it('cannot sign in to a browser, and loses no session by the attempt', async () => {
    const robot = await service();
    const own = await robot.session();
    const asksForCookie = (password?: string) =>
      robot.logsIn(password, { Delivery: 'Cookie' }).set(SAME_ORIGIN);
    const answer = await asksForCookie().expect(403);
    assert.deepEqual([answer.body.code, answer.headers['set-cookie']], ['forbidden', undefined]);
    assert.equal((await robot.sessions('id', 'ended_at is null')).length, 1);
    await areGood([own]);
    await asksForCookie('not its password').expect(404);
  });

  it('gets no mails', async () => {
    const robot = await service();
    const session = await robot.session();
    const Email = robot.email;
    await robot.post('/account/forgot-password', { Email }).expect(200, {});
    await robot.post('/account/resend-verification', { Email }).expect(200, {});
    assert.equal((await robot.registers('quite another password').expect(200)).body.LoginStatus, 4);
    // Reuse of a refresh token counts as theft here too.
    await session.with(await session.next()).next();
    await session.letGracePass();
    await session.refreshes().expect(401);
    await areDone(core());
    assert.deepEqual(await robot.mails(), []);
    const codes = 'select 1 from account_code where account_id = ?';
    assert.deepEqual(await core().sql(codes, [await robot.id()]), []);
    await robot.logsIn(PASSWORD).expect(200);
  });
});

interface Known {
  Format: string;
  Source: string;
  Password: string;
  Line: object & { PasswordDigest?: { Algorithm: 'md5'; Hash: string } };
}

/** Hashes created by the systems themselves or copied from their documentation, each with its source. */
const { Firebase, Hashes } = JSON.parse(
  readFileSync(new URL('foreign-hashes.json', import.meta.url), 'utf8'),
) as { Firebase: string; Hashes: Known[] };

describe('login with an imported password of another system', () => {
  const { core, someone } = cast({});

  const imported = async (known: readonly Known[]) => {
    const emails = known.map(() => `${newId()}@example.com`);
    async function* lines() {
      for (const [at, { Line }] of known.entries())
        yield { number: at + 1, kind: 'value', value: { Email: emails[at] ?? '', ...Line } } as const;
    }
    const by = { ...BY_SYSTEM, firebase: readFirebaseParameters(Firebase) };
    const outcome = await importAccounts(core().app, lines(), by);
    assert.deepEqual([outcome.interruption, outcome.failures], [undefined, []]);
    return emails;
  };
  const schemeOf = async (email: string) =>
    (await accounts.findByEmailKey(core().app.db, email))?.passwordScheme;

  for (const [at, known] of Hashes.entries())
    it(`accepts ${known.Format} (${at + 1}, ${known.Source}), only the right one, and rehashes it`, async () => {
      const [email = ''] = await imported([known]);
      assert.notEqual(await schemeOf(email), 'peppered');
      await someone(email).logsIn(`${known.Password}x`).expect(404);
      await someone(email).logsIn(known.Password).expect(200);
      await eventually(async () => (await schemeOf(email)) === 'peppered');
      await someone(email).logsIn(known.Password).expect(200);
      await someone(email).logsIn(`${known.Password}x`).expect(404);
    });

  it('stores no digest in the database, neither a fast one nor that of a slow hash', async () => {
    await imported(Hashes);
    const rows = Object.values(await readTables(core().app)).flat();
    const digests = Hashes.flatMap(({ Line }) => digestsOf(Line));
    assert.ok(digests.length >= Hashes.length);
    for (const digest of digests) assert.ok(!rows.some((row) => row.includes(digest)), digest);
    const sql = 'select password_hash as hash from account where password_hash is not null';
    const stored = await core().sql<{ hash: string }>(sql);
    assert.ok(stored.length >= Hashes.length);
    for (const { hash } of stored) assert.doesNotMatch(hash, /[0-9a-f]{32}/i);
  });
});

/** The digest of a line, in all encodings in which it might be stored. */
function digestsOf(line: Known['Line']): string[] {
  const { PasswordHash, SecretData, PasswordDigest } = line as {
    PasswordHash?: string;
    SecretData?: string;
    PasswordDigest?: { Hash: string };
  };
  // bcrypt hashes are stored unchanged.
  if (PasswordHash?.startsWith('$2') === true || PasswordHash?.startsWith('bcrypt$') === true) return [];
  const text =
    PasswordDigest?.Hash ??
    (SecretData === undefined ? undefined : (JSON.parse(SecretData) as { value: string }).value) ??
    PasswordHash?.split(/[$:]/).at(-1) ??
    '';
  const bytes = /^([0-9a-f]{2})+$/.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64');
  return [text, ...(['hex', 'base64', 'base64url'] as const).map((encoding) => bytes.toString(encoding))];
}
