import assert from 'node:assert/strict';
import { checkPassword } from '@gatehouse/accounts';
import { someAddress } from '@gatehouse/accounts/testing';
import { accounts, query } from '@gatehouse/db';
import { exchangeRaw } from '@gatehouse/http/testing';
import { v7 as newId } from 'uuid';
import { startAdmin, type TestAdmin } from '../testing/index.ts';

const PATH = '/admin/account/import';
/** bcrypt of the plain password, as other systems store it. */
const HASH = '$2y$04$4rl0W1m3R87qE4ZVvCOFZOPlerQmAjQec10vlN8bwtf0CVcksih1y';
const HASHED = 'imported from elsewhere';

describe('POST /admin/account/import', () => {
  let admin: TestAdmin;
  let token: string;
  before(async () => {
    admin = await startAdmin();
    const person = await admin.newAccount({ role: 'Admin' });
    token = (await admin.login(person)).Token;
  });
  after(() => admin.stop());

  const send = (body: string | Buffer, kind = 'application/x-ndjson') =>
    admin.http
      .post(PATH)
      .set({ ...admin.bearer(token), 'content-type': kind })
      .serialize((value: unknown) => value as string)
      .send(body as string);
  const imported = async (lines: (object | string)[]) => {
    const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
    return (await send(text).expect(200)).body;
  };
  /** A domain that only this test uses, for counting. */
  const someDomain = () => `${newId().slice(-12)}.example`;
  const count = async (domain: string) => {
    const sql = 'select count(*)::int as n from account where email_key like ?';
    const [row] = await query<{ n: number }>(admin.app.db, sql, [`%@${domain}`]);
    return row?.n ?? 0;
  };
  const login = (email: string, password: string) =>
    checkPassword(admin.app, { userName: email, password, addressGroup: someAddress() });
  const HEAD = () =>
    `POST ${PATH} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/x-ndjson\r\n`;
  const portOf = () => Number(new URL(admin.url).port);

  it('accepts bcrypt hashes of every kind, and accounts without one, which are in status 6', async () => {
    const domain = someDomain();
    const hashes = ['$2a', '$2b', '$2y'].map((kind) => HASH.replace('$2y', kind));
    const lines = hashes.map((PasswordHash, at) => ({ Email: `h${at}@${domain}`, PasswordHash }));
    const { Waiting, ...answer } = await imported([
      ...lines,
      { Email: `Boss@${domain}`, DisplayName: 'Bøss', Role: 'admin' },
      { Email: `Other@${domain}`, IsDisabled: true, email: 'x' },
      { Email: `v@${domain}/x.attacker.example` },
    ]);
    const Message = '/IsDisabled is not a known field; /email is not a known field';
    assert.deepEqual(answer, {
      Imported: 4,
      Skipped: 0,
      Failed: 2,
      Failures: [
        { Line: 5, Code: 'invalid_line', Message },
        { Line: 6, Code: 'invalid_line', Message: '/Email must be an email address' },
      ],
    });
    const boss = await accounts.findByEmailKey(admin.app.db, `boss@${domain}`);
    assert.deepEqual(Waiting, [boss?.id]);
    for (const { Email } of lines) {
      const outcome = await login(Email, HASHED);
      assert.ok(outcome.kind === 'right', Email);
      assert.deepEqual([outcome.account.isEmailVerified, outcome.account.signup], [true, 'complete']);
      assert.equal((await login(Email, 'another password')).kind, 'failed');
    }
    const { body } = await admin.get(`/admin/account?search=${domain}&role=Admin`, token).expect(200);
    const [{ Id, CreatedAt, ...adminToken }] = body.Items;
    assert.deepEqual(adminToken, {
      Email: `Boss@${domain}`,
      DisplayName: 'Bøss',
      Locale: 'en',
      Role: 'Admin',
      LoginStatus: 6,
      IsDisabled: false,
      IsService: false,
      ErasesAt: null,
      ExpiresAt: null,
      TwoFactorEnabled: false,
      TwoFactorRequired: false,
      HasPassword: false,
      HasPasskey: false,
      NewPasswordRequired: false,
      SessionLimit: null,
      Groups: [],
      GroupSources: [],
      DisabledUntil: null,
      DisabledReason: null,
      TellReason: false,
      LastLoginAt: null,
    });
    assert.ok(Id && CreatedAt);
  });

  it('reports invalid lines, and imports the others', async () => {
    const domain = someDomain();
    const good = (name: string) => ({ Email: `${name}@${domain}` });
    const answer = await imported([
      good('a'),
      'nonsense',
      { DisplayName: 'Nobody' },
      { Email: 'no address' },
      '{"Email":"b\\ud800@example.com"}',
      { ...good('c'), Role: 'Guest' },
      { ...good('d'), PasswordHash: 'plain' },
      { ...good('e'), PasswordHash: HASH.replace('$04', '$15') },
      { ...good('f'), PasswordHash: HASH.replace('$04', '$03') },
      { ...good('g'), DisplayName: 'a\u0000b' },
      { ...good('h'), DisplayName: 'x'.repeat(20_000) },
      '{"__proto__":{"Email":"p@example.com"}}',
      '',
      good('z'),
    ]);
    assert.deepEqual([answer.Imported, answer.Skipped, answer.Failed], [2, 0, 11]);
    const failures: { Line: number; Code: string; Message: string }[] = answer.Failures;
    assert.deepEqual(
      failures.map(({ Line }) => Line),
      [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
    );
    const messages = failures.map(({ Message }) => Message.split(' ')[0]);
    assert.deepEqual(messages.slice(1, 9), [
      '/Email',
      '/Email',
      '/Email',
      '/Role',
      '/PasswordHash',
      '/PasswordHash',
      '/PasswordHash',
      '/DisplayName',
    ]);
    for (const { Line, Code, Message } of failures) {
      assert.equal(Code, Line === 8 ? 'hash_too_costly' : 'invalid_line');
      assert.ok(!Message.includes('example') && !Message.includes(HASH.slice(7)), Message);
    }
    assert.equal(await count(domain), 2);
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
    const before = await accounts.findByEmailKey(admin.app.db, Email);
    const again = await imported(lines);
    assert.deepEqual([again.Imported, again.Skipped, again.Failed, again.Failures.length], [0, 3, 0, 3]);
    assert.deepEqual(await accounts.findByEmailKey(admin.app.db, Email), before);
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
    const lines = Array.from({ length: 2400 }, (_, at) =>
      at % 2 === 0 ? 'bad' : { Email: `same@${domain}` },
    );
    const answer = await imported(lines);
    assert.deepEqual([answer.Imported, answer.Skipped, answer.Failed], [1, 1199, 1200]);
    assert.equal(answer.Failures.length, 2000);
    const numbers: number[] = answer.Failures.map(({ Line }: { Line: number }) => Line);
    assert.deepEqual(
      numbers,
      numbers.toSorted((one, other) => one - other),
    );
  });

  it('accepts only JSON lines', async () => {
    for (const kind of ['application/json', 'text/csv', 'application/x-www-form-urlencoded']) {
      assert.equal((await send('{}', kind).expect(415)).body.code, 'unsupported_media_type');
    }
    assert.deepEqual(await imported([]), { Imported: 0, Skipped: 0, Failed: 0, Failures: [] });
  });

  it('does not read the stream of an unauthorized caller', async () => {
    const user = await admin.login(await admin.newAccount());
    const answer = await exchangeRaw(
      portOf(),
      `${HEAD().replace(token, user.Token)}Content-Length: 100000000\r\nExpect: 100-continue\r\n\r\n`,
    );
    assert.match(answer, /^HTTP\/1.1 403 /);
  });
});
