import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkPassword, publishSessions } from '@gatehouse/accounts';
import { readTables, someAddress, someEmail, whileTriggered } from '@gatehouse/accounts/testing';
import { accounts, inTransaction, userSessions } from '@gatehouse/db';
import { NO_DEADLINE } from '@gatehouse/runtime';
import { eventually, fieldsOf } from '@gatehouse/runtime/testing';
import { v7 as newId } from 'uuid';
import { cast } from '../testing/cast.ts';

const PATH = '/admin/account/import';
/** bcrypt of the plain password, as other systems store it. */
const HASH = '$2y$04$4rl0W1m3R87qE4ZVvCOFZOPlerQmAjQec10vlN8bwtf0CVcksih1y';
const HASHED = 'imported from elsewhere';

/** A domain that only one test uses, for counting. */
const someDomain = () => `${newId().slice(-12)}.example`;

describe('POST /admin/account/import', () => {
  const { admin, app, boss, history, login, member, sql } = cast({});

  const imported = async (lines: readonly (object | string)[], search = '') =>
    (await boss.imports(lines, search).expect(200)).body;
  const count = async (domain: string) =>
    (await sql('select id from account where email_key like ?', [`%@${domain}`])).length;
  const passes = async (email: string, password: string) => {
    const attempt = { userName: email, password, addressGroup: someAddress() };
    return checkPassword(app(), attempt);
  };

  it('accepts bcrypt hashes of every kind, and accounts without one, which are in status 6', async () => {
    const domain = someDomain();
    const hashes = ['$2a', '$2b', '$2y'].map((kind) => HASH.replace('$2y', kind));
    const lines = hashes.map((PasswordHash, at) => ({ Email: `h${at}@${domain}`, PasswordHash }));
    const { Waiting, ...answer } = await imported([
      ...lines,
      { Email: `Boss@${domain}`, DisplayName: 'Bøss', Role: 'admin' },
    ]);
    assert.deepEqual(answer, { Imported: 4, Skipped: 0, Failed: 0, Failures: [] });
    const chief = await accounts.findByEmailKey(app().db, `boss@${domain}`);
    assert.deepEqual(Waiting, [chief?.id]);
    for (const { Email } of lines) {
      const outcome = await passes(Email, HASHED);
      assert.ok(outcome.kind === 'right', Email);
      assert.deepEqual([outcome.account.isEmailVerified, outcome.account.signup], [true, 'complete']);
      assert.equal((await passes(Email, 'another password')).kind, 'failed');
    }
    const body = await boss.read(`/admin/account?search=${domain}&role=Admin`);
    const shown = fieldsOf(
      body.Items,
      'Email',
      'DisplayName',
      'Locale',
      'Role',
      'LoginStatus',
      'HasPassword',
    );
    assert.deepEqual(shown, [[`Boss@${domain}`, 'Bøss', 'en', 'Admin', 6, false]]);
  });

  it('reports invalid lines, and imports the others', async () => {
    const domain = someDomain();
    const good = (name: string) => ({ Email: `${name}@${domain}` });
    const answer = await imported([
      good('a'),
      'nonsense',
      { DisplayName: 'Nobody' },
      { Email: 'no address' },
      { ...good('c'), Role: 'Guest' },
      { ...good('d'), PasswordHash: 'plain' },
      { ...good('e'), PasswordHash: HASH.replace('$04', '$15') },
      { ...good('f'), PasswordHash: HASH.replace('$04', '$03') },
      { ...good('g'), DisplayName: 'a\u0000b' },
      { ...good('h'), IsDisabled: true },
      '',
      good('z'),
    ]);
    assert.deepEqual([answer.Imported, answer.Skipped, answer.Failed], [2, 0, 9]);
    const failures: { Line: number; Code: string; Message: string }[] = answer.Failures;
    assert.deepEqual(fieldsOf(failures, 'Line'), [2, 3, 4, 5, 6, 7, 8, 9, 10]);
    const messages = failures.map(({ Message }) => Message.split(' ')[0]);
    const named = '/Email /Email /Role /PasswordHash /PasswordHash /PasswordHash /DisplayName /IsDisabled';
    assert.equal(messages.slice(1).join(' '), named);
    for (const { Line, Code, Message } of failures) {
      assert.equal(Code, Line === 7 ? 'hash_too_costly' : 'invalid_line');
      assert.ok(!Message.includes('example') && !Message.includes(HASH.slice(7)), Message);
    }
    assert.equal(await count(domain), 2);
    assert.deepEqual(await imported([]), { Imported: 0, Skipped: 0, Failed: 0, Failures: [] });
  });

  it('skips emails that have an account already, and leaves those unchanged', async () => {
    const domain = someDomain();
    const Email = `ann@${domain}`;
    const lines = [
      { Email, PasswordHash: HASH },
      { Email: Email.toUpperCase(), Role: 'Admin' },
      { Email: `bob@${domain}` },
    ];
    const { Waiting, ...first } = await imported(lines);
    assert.equal(Waiting.length, 1);
    const message = '/Email already has an account';
    const second = { Line: 2, Code: 'email_taken', Message: message };
    assert.deepEqual(first, { Imported: 2, Skipped: 1, Failed: 0, Failures: [second] });
    const before = await accounts.findByEmailKey(app().db, Email);
    const again = await imported(lines);
    assert.deepEqual([again.Imported, again.Skipped, again.Failed, again.Failures.length], [0, 3, 0, 3]);
    assert.deepEqual(await accounts.findByEmailKey(app().db, Email), before);
    assert.equal(before?.role, 'User');
  });

  it('creates each account once from concurrent imports of the same lines', async () => {
    for (let round = 0; round < 5; round += 1) {
      const domain = someDomain();
      const lines = Array.from({ length: 499 }, (_, at) => ({ Email: `p${at}@${domain}` }));
      // In opposite orders, so that each could wait for rows of the other.
      const answers = await Promise.all([imported(lines), imported(lines.toReversed())]);
      const sum = (name: 'Imported' | 'Skipped') => answers.reduce((all, one) => all + one[name], 0);
      assert.deepEqual([sum('Imported'), sum('Skipped'), await count(domain)], [499, 499, 499]);
    }
  });

  it('lists the first thousand failures of each kind and counts the rest', async () => {
    const domain = someDomain();
    const same = { Email: `same@${domain}` };
    const lines = Array.from({ length: 2400 }, (_, at) => (at % 2 === 0 ? 'bad' : same));
    const answer = await imported(lines);
    assert.deepEqual([answer.Imported, answer.Skipped, answer.Failed], [1, 1199, 1200]);
    assert.equal(answer.Failures.length, 2000);
    const numbers: number[] = answer.Failures.map(({ Line }: { Line: number }) => Line);
    const sorted = numbers.toSorted((one, other) => one - other);
    assert.deepEqual(numbers, sorted);
  });

  it('records each batch in the audit with its count, and each account that gets rights', async () => {
    const domain = someDomain();
    await imported([{ Email: `was@${domain}` }]);
    const before = (await history({ action: 'account.imported' }, 'id')).length;
    await imported([
      { Email: `chief@${domain}`, Role: 'Admin' },
      { Email: `was@${domain}`, Role: 'Admin' },
      { Email: `ann@${domain}`, Groups: ['b', 'a', 'b'] },
      { Email: `bad@${domain}`, Groups: ['a,b'] },
      ...Array.from({ length: 700 }, (_, at) => ({ Email: `p${at}@${domain}` })),
    ]);
    const idOf = async (name: string) => (await accounts.findByEmailKey(app().db, `${name}@${domain}`))?.id;
    const recorded = await history({ action: 'account.imported' }, 'actorId', 'targetId', 'details');
    assert.deepEqual(
      new Set(recorded.slice(0, recorded.length - before)),
      new Set<unknown>([
        [boss.id, null, { Imported: 204 }],
        [boss.id, null, { Imported: 498 }],
        [boss.id, await idOf('chief'), { Role: 'Admin' }],
        [boss.id, await idOf('ann'), { Role: 'User', Groups: ['a', 'b'] }],
      ]),
    );
    assert.equal(await idOf('bad'), undefined);
  });

  it('reports in a dry run the same result as an import, and imports nothing', async () => {
    const known = await member();
    const fresh = Array.from({ length: 1200 }, () => ({ Email: someEmail() }));
    const others = [known.email, 'x', fresh[0]?.Email.toUpperCase()].map((Email) => ({ Email }));
    const lines = [...fresh, ...others];
    const before = await readTables(app());
    const failures = await imported(lines, '?dryRun=true');
    assert.deepEqual(await readTables(app()), before);
    assert.deepEqual([failures.Imported, failures.Skipped, failures.Failed], [1200, 2, 1]);
    assert.deepEqual(fieldsOf(failures.Failures, 'Line', 'Code'), [
      [1201, 'email_taken'],
      [1202, 'invalid_line'],
      [1203, 'email_taken'],
    ]);
    const { Waiting, ...done } = await imported(lines, '?dryRun=false');
    assert.deepEqual(done, failures);
    assert.equal(Waiting.length, 1000);
    assert.deepEqual((await imported(lines, '?dryRun=true')).Imported, 0);
  });

  it('reports hashes that slow down every wrong password, like the import, which can leave them out', async () => {
    const hash = (cost: number) =>
      `$2b$${String(cost).padStart(2, '0')}$${'Gatehouse.'.repeat(6).slice(0, 53)}`;
    const [own, slow, slowest] = [4, 5, 12].map((cost) => ({ Email: someEmail(), PasswordHash: hash(cost) }));
    const known = { Email: (await member()).email, PasswordHash: hash(14) };
    const invalid = { Email: 'x', PasswordHash: hash(14) };
    const lines = [own, slow, slowest, known, invalid].flatMap((line) => line ?? []);
    const tried = await imported(lines, '?dryRun=true');
    assert.deepEqual([tried.Imported, tried.SlowHashes], [3, { Lines: 2, Cost: 12 }]);
    assert.deepEqual(await imported(lines, '?dryRun=true&slowHashes=drop'), tried);
    const { Waiting, ...done } = await imported(lines, '?slowHashes=drop');
    assert.deepEqual([done, Waiting.length], [tried, 2]);
    const stored = await sql<{ signup: string; hash: string | null }>(
      `select signup, substr(password_hash, 1, 7) as hash from account where email = any(cast(? as text[]))
       order by password_hash nulls last`,
      [[own?.Email ?? '', slow?.Email ?? '', slowest?.Email ?? '']],
    );
    const dropped = { signup: 'migration', hash: null };
    assert.deepEqual(stored, [{ signup: 'complete', hash: '$2b$04$' }, dropped, dropped]);
    const kept = [{ Email: someEmail(), PasswordHash: hash(12) }, { Email: someEmail() }];
    assert.deepEqual((await imported(kept)).SlowHashes, { Lines: 1, Cost: 12 });
    assert.equal((await imported([{ Email: someEmail() }])).SlowHashes, undefined);
  });

  const headOf = ({ Token }: { Token: string }) =>
    `POST ${PATH} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${Token}\r\nContent-Type: application/x-ndjson\r\n`;
  const portOf = () => Number(new URL(admin().url).port);

  it('keeps committed accounts when the client disconnects, and continues when sent again', async () => {
    const domain = someDomain();
    const line = (at: number) => `{"Email":"p${at}@${domain}"}\n`;
    const lines = Array.from({ length: 1200 }, (_, at) => line(at));
    const socket = connect(portOf(), '127.0.0.1');
    socket.write(`${headOf(boss)}Content-Length: 1000000\r\n\r\n${lines.slice(0, 1100).join('')}`);
    await eventually(async () => (await count(domain)) === 1000);
    socket.destroy();
    await sleep(50);
    assert.equal(await count(domain), 1000);
    const { body } = await boss.imports(lines.join('')).expect(200);
    assert.deepEqual([body.Imported, body.Skipped, body.Failed], [200, 1000, 0]);
  });

  for (const [name, revoke, answer] of [
    ['is disabled', 'is_disabled = true', /^HTTP\/1.1 401 [^]*session_deactivated/],
    ['is an administrator no more', `role = 'User'`, /^HTTP\/1.1 403 /],
  ] as const)
    it(`stops reading from a caller who ${name}`, async () => {
      const domain = someDomain();
      const person = await member({ role: 'Admin' });
      const session = await login(person);
      const socket = connect(portOf(), '127.0.0.1');
      let answered = '';
      socket.on('data', (chunk: Buffer) => (answered += chunk.toString()));
      const piece = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
      const head = `${headOf(session)}Transfer-Encoding: chunked\r\n\r\n`;
      socket.write(`${head}${piece(`{"Email":"before@${domain}"}\n`.repeat(500))}`);
      await eventually(async () => (await count(domain)) === 1);
      await person.set(revoke);
      const { db } = app();
      const touched = await inTransaction(db, NO_DEADLINE, (tx) => userSessions.renewCopies(tx, [person.id]));
      await publishSessions(app(), touched);
      await sleep(300);
      socket.write(piece(`{"Email":"chief@${domain}","Role":"Admin"}\n`) + piece(''));
      await eventually(() => answered !== '');
      assert.match(answered, answer);
      socket.destroy();
      assert.equal(await count(domain), 1);
    });

  it('reports its progress when Postgres fails midway, and completes when sent again', async () => {
    const domain = someDomain();
    const lines = Array.from({ length: 1200 }, (_, at) => `{"Email":"p${at}@${domain}"}\n`);
    const fail = `if new.email = 'p700@${domain}' then raise 'no disk' using errcode = '53100'; end if;`;
    await whileTriggered(app(), ['trigger fail before insert on account'], fail, async () => {
      const { body, headers } = await boss.imports(lines.join('')).expect(503);
      assert.equal(body.code, 'unavailable');
      assert.match(body.detail, /500 accounts imported, all lines up to 500 processed/);
      assert.ok(headers['retry-after']);
    });
    assert.equal(await count(domain), 500);
    const { body } = await boss.imports(lines.join('')).expect(200);
    assert.deepEqual([body.Imported, body.Skipped], [700, 500]);
  });
});
