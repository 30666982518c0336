import assert from 'node:assert/strict';
import { openSession } from '@gatehouse/accounts';
import { hashElsewhere } from '@gatehouse/auth-core/testing';
import { accounts, BY_PASSWORD, inTransaction, query } from '@gatehouse/db';
import { NO_DEADLINE } from '@gatehouse/runtime';
import { eventually } from '@gatehouse/runtime/testing';
import { atOnce, cast, countOf, pingsOf, type Person } from '../../testing/cast.ts';

const WRONG = 'a wrong password';
const IMPORTED = 'imported from elsewhere';

describe('POST /account/login', () => {
  const { core, another, someone, member } = cast();

  const logsInAs = (Username: string, Password: string) =>
    someone().post('/account/login', { Username, Password });
  /** Gives somebody a hash of another system. */
  const importHash = async (ann: Person, hash: string) =>
    query(core().app.db, "update account set password_hash = ?, password_scheme = 'raw' where id = ?", [
      hash,
      await ann.id(),
    ]);

  it('has the same response for a wrong password and an unknown account', async () => {
    const names = [(await member()).email, 'nobody@example.com', 'not an email', '\u0000'];
    const bodies = await Promise.all(
      names.map(async (name) => {
        const { body, status } = await logsInAs(name, WRONG);
        return { ...body, traceId: undefined, seen: status };
      }),
    );
    assert.equal(bodies[0]?.seen, 404);
    assert.equal(bodies[0]?.code, 'authentication_failed');
    for (const body of bodies) assert.deepEqual(body, bodies[0]);
  });

  it('leaves exactly one session after thirty concurrent logins', async () => {
    const ann = await member();
    const sessions = await atOnce(30, () => ann.session());
    const statuses = await pingsOf(sessions);
    assert.deepEqual(statuses.toSorted(), [1, ...Array<number>(29).fill(4)]);
    for (const [index, session] of sessions.entries()) {
      const { body } = await session.isChecked().expect(statuses[index] === 1 ? 200 : 401);
      if (statuses[index] !== 1) assert.equal(body.code, 'session_replaced');
    }
  });

  it('keeps earlier sessions without single-session enforcement', async () => {
    const ann = (await member()).at(await another({ SINGLE_SESSION: false }));
    assert.deepEqual(await pingsOf(await atOnce(3, () => ann.session())), [1, 1, 1]);
  });

  it('accepts all concurrent logins while the hash is renewed', async () => {
    const ann = await member();
    await importHash(ann, '$2y$04$4rl0W1m3R87qE4ZVvCOFZOPlerQmAjQec10vlN8bwtf0CVcksih1y');
    assert.equal(countOf(200, await atOnce(12, () => ann.logsIn(IMPORTED))), 12);
  });

  it('keeps an imported hash of a password longer than bcrypt reads, and refuses an empty one', async () => {
    const [long, empty, short] = [await member(), await member(), await member()];
    const typed = 'long enough '.repeat(7);
    await importHash(long, hashElsewhere(typed, 4));
    await importHash(empty, hashElsewhere('', 4));
    await importHash(short, hashElsewhere('short enough', 4));
    await long.logsIn(`${typed} and mistyped`).expect(200);
    await empty.logsIn('').expect(404);
    // Hashes are renewed in the order of logins.
    await short.logsIn('short enough').expect(200);
    const schemeOf = async (ann: Person) =>
      (await ann.row<{ scheme: string }>('password_scheme as scheme'))?.scheme;
    await eventually(async () => (await schemeOf(short)) === 'peppered');
    assert.equal(await schemeOf(long), 'raw');
  });

  it('refuses a wrong password no sooner than one for the most expensive hash', async () => {
    const [imported, other] = [await member(), await member()];
    const least = async (names: string[]): Promise<number> => {
      const taken: number[] = [];
      for (const name of names) {
        const begun = performance.now();
        await logsInAs(name, WRONG).expect(404);
        taken.push(performance.now() - begun);
      }
      return Math.min(...taken);
    };
    let hash = '';
    const works: number[] = [];
    while (works.length < 5) {
      const before = process.cpuUsage();
      hash = hashElsewhere(IMPORTED, 10);
      works.push(process.cpuUsage(before).user / 1000);
    }
    const work = Math.min(...works);
    await importHash(imported, hash);
    try {
      const nobody = Array.from({ length: 3 }, () => someone().email);
      const known = [other.email, other.email, other.email];
      for (const names of [[imported.email], known, nobody, ['no address', 'none either']])
        assert.ok((await least(names)) > 0.5 * work, names.join());
    } finally {
      await imported.set('password_hash = null, password_scheme = null');
    }
  });

  it('opens no session for a password that was changed while it was being checked', async () => {
    const { app } = core();
    const checked = await accounts.findByEmailKey(app.db, (await member()).email);
    assert.ok(checked);
    await inTransaction(app.db, NO_DEADLINE, (tx) => accounts.updatePassword(tx, checked.id, 'another hash'));
    const origin = { traceId: '0', dueAt: Infinity, authentication: BY_PASSWORD };
    assert.deepEqual(await openSession(app, checked, origin), { kind: 'stale' });
  });
});
