import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { CONVERTERS } from '@gatehouse/intake';
import { during, duringEach, fieldsOf, serve, useFolder } from '@gatehouse/runtime/testing';
import { accessOf, importCommand } from './import-command.ts';
import { importFile } from './import-file.ts';

/** Stands in for Admin: keeps every line, and sends the prepared responses, then those as if all went well. */
async function fakeAdmin() {
  const lines: string[][] = [];
  const paths: (string | undefined)[] = [];
  const answers: ((response: ServerResponse) => unknown)[] = [];
  const tokens: (string | undefined)[] = [];
  const { url, stop } = await serve((message, response) => {
    void text(message).then((body) => {
      const sent = body.split('\n').filter(Boolean);
      lines.push(sent);
      paths.push(message.url);
      tokens.push(message.headers.authorization);
      const Failures = sent.flatMap((line, at) =>
        line === 'bad' ? [{ Line: at + 1, Code: 'invalid_line', Message: 'is not valid JSON' }] : [],
      );
      const Failed = Failures.length;
      const wish = answers.shift() ?? answerWith({ Imported: sent.length - Failed, Failed, Failures });
      wish(response);
    });
  });
  return { lines, paths, answers, tokens, url, stop };
}

/** A report of Admin; what it does not name is none. */
const answerWith = (report: object) => (response: ServerResponse) =>
  response.end(JSON.stringify({ Imported: 0, Skipped: 0, Failed: 0, Failures: [], ...report }));

const refuse = (status: number) => (response: ServerResponse) =>
  response.writeHead(status).end(JSON.stringify({ detail: 'for a reason' }));

const HASHED = { passwordHash: 'aGFzaA==', salt: 'c2FsdA==' };

describe('npm run import', () => {
  const admin = duringEach(fakeAdmin);
  const pathOf = useFolder();

  const write = (content: string, name = 'accounts.ndjson') => {
    writeFileSync(pathOf(name), content);
    return pathOf(name);
  };
  const run = async (args: string[]) => {
    const said = { out: '', err: '' };
    const out = (part: string) => void (said.out += part);
    const err = (part: string) => void (said.err += part);
    return { code: await importCommand(args, { out, err, isScreen: false }), ...said };
  };
  const withToken = (file: string) => {
    const token = write('the-token\n', 'token');
    return [file, '--url', admin.url, '--token-file', token];
  };
  const silent = { onFailure: () => undefined, onProgress: () => undefined };
  const sending = (file: string, logIn = () => Promise.resolve('t')) =>
    importFile(file, { adminUrl: admin.url, logIn, ...silent, pausesMs: [1, 1] });

  it('sends every line once, in batches, if there are any, and reports the count', async () => {
    const all = Array.from({ length: 12_001 }, (_, at) => `{"n":${at}}`);
    for (const ending of ['', '\n']) {
      admin.lines.length = 0;
      const { code, out, err } = await run(withToken(write(all.join('\n') + ending)));
      assert.deepEqual([code, err], [0, '']);
      assert.match(out, /100 % {2}12001 lines[^]*✓ 12001 imported, 0 had an account, 0 failed\n$/);
      assert.deepEqual(fieldsOf(admin.lines, 'length'), [5000, 5000, 2001]);
      assert.deepEqual(admin.lines.flat(), all);
    }
    assert.deepEqual(new Set(admin.tokens), new Set(['Bearer the-token']));
    assert.match((await run(withToken(write('')))).out, /^✓ 0 imported/);
  });

  it('reads tables as the console does, and says how', async () => {
    const file = pathOf('excel.csv');
    const table = 'sep=;\r\nE-Mail;Vorname;Nachname;\r\nann@x.example;Jörg;Groß;1\r\n';
    writeFileSync(file, Buffer.from(table, 'latin1'));
    const { code, out, err } = await run(withToken(file));
    assert.equal(code, 0);
    assert.deepEqual(admin.lines, [['{"Email":"ann@x.example","DisplayName":"Jörg Groß"}']]);
    assert.match(err, /not UTF-8, and was read as Windows-1252/);
    assert.match(out, /columns: Email from “E-Mail”, FirstName from “Vorname”, LastName from “Nachname”/);
    await assert.rejects(run(withToken(write('Name,Name\na,b\n', 'equal.csv'))), /same name: Name/);
    await assert.rejects(run(withToken(write('Name\na\n', 'none.csv'))), /neither JSON nor a table/);
  });

  it('counts what it leaves out of a table', async () => {
    const table = 'Email,accountEnabled,Age\nann@x.example,True,7\nben@x.example,False,8\n';
    const { out } = await run(withToken(write(table, 'entra.csv')));
    assert.match(
      out,
      /1 left out: disabled or deleted\n {2}1 × not carried over: the column Age\n✓ 1 imported/,
    );
    assert.deepEqual(admin.lines, [['{"Email":"ann@x.example"}']]);
  });

  it('sends a list of our lines as they are, of plain passwords in small batches', async () => {
    const line = { Email: 'ann@example.com', PasswordDigest: { Algorithm: 'md5', Hash: '' } };
    const all = [...Array.from({ length: 299 }, () => line), { Email: 'ben@example.com', IsDisabled: true }];
    const failure = { Line: 100, Code: 'invalid_line', Message: '/IsDisabled is not a known field' };
    admin.answers.push(answerWith({}), answerWith({ Failed: 1, Failures: [failure] }));
    const { code, err } = await run(withToken(write(JSON.stringify(all, undefined, 2), 'accounts.json')));
    assert.deepEqual([code, err], [1, 'entry 300: /IsDisabled is not a known field\n']);
    assert.deepEqual(fieldsOf(admin.lines, 'length'), [200, 100]);
    assert.deepEqual(
      admin.lines.flat().map((sent) => JSON.parse(sent) as unknown),
      all,
    );
  });

  it('retries a batch while Admin is unavailable, and logs in again', async () => {
    admin.answers.push(refuse(503), refuse(401));
    let logins = 0;
    const logIn = () => Promise.resolve(`token-${++logins}`);
    assert.equal((await sending(write('{}\n{}\n'), logIn)).imported, 2);
    assert.deepEqual(admin.tokens, ['Bearer token-1', 'Bearer token-1', 'Bearer token-2']);
    admin.answers.push((response) => response.destroy());
    assert.equal((await sending(write('{}\n'))).imported, 1);
  });

  it('says that lines may have been imported before an interruption', async () => {
    admin.answers.push(refuse(503), answerWith({ Imported: 1, Skipped: 1 }));
    const { out } = await run(withToken(write('{}\n{}\n')));
    assert.match(out, /1 imported, 1 had an account, maybe since a try before an interruption, 0 failed\n$/);
  });

  it('reports its progress when Admin refuses or stays unavailable', async () => {
    const file = write('{}\n'.repeat(5001));
    const well = answerWith({ Imported: 5000 });
    const done = (error: { advice?: string }) => /All lines up to 5000 are done/.test(error.advice ?? '');
    admin.answers.push(well, refuse(403));
    await assert.rejects(sending(file), done);
    assert.equal(admin.lines.length, 2);
    admin.answers.push(well, refuse(503), refuse(503), refuse(503));
    await assert.rejects(sending(file), done);
  });

  it('refuses invalid input before it sends anything', async () => {
    await assert.rejects(run([]), /Name one file/);
    await assert.rejects(run([pathOf('nothing')]), /There is no file/);
    await assert.rejects(run([write('{}'), '--url', admin.url]), /--token-file/);
    const { code, out } = await run(['--help']);
    assert.equal(code, 0);
    for (const system of CONVERTERS.keys()) assert.ok(out.includes(system), system);
    const user = { email: 'ann@example.com', emailVerified: true, ...HASHED };
    const file = write(JSON.stringify({ users: [user] }), 'users.json');
    await assert.rejects(run([...withToken(file), '--from', 'firebase']), /need --firebase-hash/);
    assert.deepEqual(admin.lines, []);
  });

  it('sends the accounts of another system’s export, and reports what is missing', async () => {
    const users = Array.from({ length: 5001 }, (_, at) => ({
      ...{ localId: String(at), email: `user${at}@example.com`, emailVerified: true, ...HASHED },
      ...{ disabled: at === 0, phoneNumber: at === 1 ? '+441632960001' : undefined },
    }));
    const file = write(JSON.stringify({ users }), 'users.json');
    const parameters = 'a-_=,Bw==,8,14';
    const more = ['--from', 'firebase', '--firebase-hash', parameters, '--dry-run'];
    const { code, out, err } = await run([...withToken(file), ...more]);
    assert.deepEqual([code, err], [0, '']);
    assert.match(out, /1 left out: disabled or deleted\n.*1 × not carried over: the field phoneNumber\n/);
    assert.match(out, /✓ 5000 would be imported, 0 had an account, 0 failed\n$/);
    const [first] = admin.lines.flat();
    const sent = { Email: 'user1@example.com', PasswordHash: 'aGFzaA==', PasswordSalt: 'c2FsdA==' };
    assert.deepEqual(JSON.parse(first ?? ''), sent);
    const asked = new URLSearchParams({ dryRun: 'true', firebase: parameters }).toString();
    assert.deepEqual(admin.paths, [`/admin/account/import?${asked}`]);
  });

  it('warns of hashes that slow down every wrong password, and can leave them out', async () => {
    const slow = answerWith({ Imported: 3, SlowHashes: { Lines: 2, Cost: 14 } });
    admin.answers.push(slow, slow);
    const file = write('{}\n{}\n{}\n');
    assert.match((await run(withToken(file))).out, /2 × a hash .* \(cost 14\)[^]*--drop-slow-hashes/);
    assert.doesNotMatch((await run([...withToken(file), '--drop-slow-hashes'])).out, /cost 14/);
    assert.deepEqual(admin.paths, ['/admin/account/import', '/admin/account/import?slowHashes=drop']);
  });

  it('imports the valid lines of an export, reports invalid lines and duplicate addresses, and fails', async () => {
    const user = (email: string): string => JSON.stringify({ email, email_verified: true });
    const [ann, double, ben] = ['ann@example.com', 'ANN@example.com', 'ben@example.com'].map(user);
    const lines = [ann, '{"email":"cut@', double, ben];
    const file = write(lines.join('\n'), 'users.json');
    const { code, out, err } = await run([...withToken(file), '--from', 'auth0']);
    assert.deepEqual([code, err], [1, 'line 2: is not valid JSON\n']);
    const doubles =
      /^ {2}line 3 has the address of line 1\n {2}1 left out: an address that another entry has\n/m;
    assert.match(out, doubles);
    assert.match(out, /✗ 2 imported, 0 had an account, 1 failed\n$/);
    assert.deepEqual(admin.lines.flat(), ['{"Email":"ann@example.com"}', '{"Email":"ben@example.com"}']);
  });
});

const ADMIN = 'http://127.0.0.1:8083';

describe('the Admin of an import', () => {
  const pathOf = useFolder();
  let settings: NodeJS.ProcessEnv;
  let answer: object;
  let asked: string[];
  const core = during(() =>
    serve((message, response) => {
      void text(message).then((body) => {
        asked.push(`${message.method} ${message.url} ${body}`);
        response.end(JSON.stringify(answer));
      });
    }),
  );
  beforeEach(() => {
    asked = [];
    settings = {
      IMPORT_URL: ADMIN,
      IMPORT_LOGIN_URL: core.url,
      IMPORT_EMAIL: 'admin@example.com',
      IMPORT_PASSWORD: 'correct horse',
    };
  });

  it('is that of the settings, with a login for each requested token', async () => {
    const access = accessOf(undefined, undefined, settings);
    assert.equal(access.adminUrl, ADMIN);
    assert.deepEqual(asked, []);
    for (const Token of ['one', 'two']) {
      answer = { Token };
      assert.equal(await access.logIn(), Token);
    }
    const body = '{"Username":"admin@example.com","Password":"correct horse","DeviceName":"npm run import"}';
    assert.deepEqual(asked, Array(2).fill(`POST /account/login ${body}`));
  });

  it('reports why its administrator cannot log in', async () => {
    const { logIn } = accessOf(undefined, undefined, settings);
    answer = { detail: 'Too many attempts' };
    await assert.rejects(logIn(), /cannot log in: Too many attempts/);
    answer = { LoginStatus: 7 };
    await assert.rejects(logIn(), /second factor is required/);
  });

  it('gets any token from the file, without a login', async () => {
    const file = pathOf('token');
    writeFileSync(file, 'the-token\n');
    for (const [url, adminUrl] of [
      [undefined, ADMIN],
      ['http://elsewhere', 'http://elsewhere'],
    ] as const) {
      const access = accessOf(url, file, settings);
      assert.deepEqual([access.adminUrl, await access.logIn()], [adminUrl, 'the-token']);
    }
    assert.throws(() => accessOf(undefined, file, {}), /Name Admin’s address/);
    assert.deepEqual(asked, []);
  });

  it('never sends the configured token to another Admin', () => {
    assert.throws(() => accessOf('http://elsewhere', undefined, settings), /needs --url and --token-file/);
    for (const name of Object.keys(settings)) {
      const lacking = { ...settings, [name]: '' };
      assert.throws(() => accessOf(undefined, undefined, lacking), /needs --url and --token-file/, name);
    }
  });
});
