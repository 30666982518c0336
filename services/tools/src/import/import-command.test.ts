import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importCommand } from '../import-command.ts';
import { importFile } from './import-file.ts';

/** Stands in for Admin: remembers every line and answers as it was told to, then as if all went well. */
async function fakeAdmin() {
  const lines: string[][] = [];
  const answers: ((response: ServerResponse) => unknown)[] = [];
  const tokens: (string | undefined)[] = [];
  const server: Server = createServer((message, response) => {
    const chunks: Buffer[] = [];
    message.on('data', (chunk: Buffer) => chunks.push(chunk));
    message.on('end', () => {
      const sent = Buffer.concat(chunks).toString().split('\n').filter(Boolean);
      lines.push(sent);
      tokens.push(message.headers.authorization);
      const Failures = sent.flatMap((line, at) =>
        line === 'bad' ? [{ Line: at + 1, Code: 'invalid_line', Message: 'is not valid JSON' }] : [],
      );
      const Failed = Failures.length;
      const answer = { Imported: sent.length - Failed, Skipped: 0, Failed, Failures };
      const wish = answers.shift() ?? ((to: ServerResponse) => to.end(JSON.stringify(answer)));
      wish(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const stop = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  return { lines, answers, tokens, url, stop };
}

const refuse = (status: number) => (response: ServerResponse) =>
  response.writeHead(status).end(JSON.stringify({ detail: 'for a reason' }));

describe('npm run import', () => {
  let admin: Awaited<ReturnType<typeof fakeAdmin>>;
  let folder: string;
  beforeEach(async () => {
    admin = await fakeAdmin();
    folder = mkdtempSync(join(tmpdir(), 'import-'));
  });
  afterEach(async () => {
    await admin.stop();
    rmSync(folder, { recursive: true });
  });

  const write = (text: string, name = 'accounts.ndjson') => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const run = async (args: string[]) => {
    const said = { out: '', err: '' };
    const out = (text: string) => void (said.out += text);
    const err = (text: string) => void (said.err += text);
    return { code: await importCommand(args, { out, err, isScreen: false }), ...said };
  };
  const withToken = (file: string) => [
    file,
    '--url',
    admin.url,
    '--token-file',
    write('the-token\n', 'token'),
  ];
  const sending = (file: string, logIn = () => Promise.resolve('t')) =>
    importFile(file, {
      adminUrl: admin.url,
      logIn,
      onFailure: () => undefined,
      onProgress: () => undefined,
      pausesMs: [1, 1],
    });

  it('sends every line once, in batches, and reports the count', async () => {
    const all = Array.from({ length: 12_001 }, (_, at) => `{"n":${at}}`);
    for (const ending of ['', '\n']) {
      admin.lines.length = 0;
      const { code, out, err } = await run(withToken(write(all.join('\n') + ending)));
      assert.deepEqual([code, err], [0, '']);
      assert.match(out, /100 % {2}12001 lines[^]*✓ 12001 imported, 0 had an account, 0 failed\n$/);
      assert.deepEqual(
        admin.lines.map(({ length }) => length),
        [5000, 5000, 2001],
      );
      assert.deepEqual(admin.lines.flat(), all);
    }
    assert.deepEqual(new Set(admin.tokens), new Set(['Bearer the-token']));
  });

  it('names the lines of the file that failed, and fails', async () => {
    const text = Array.from({ length: 6000 }, (_, at) => ([2, 5500].includes(at + 1) ? 'bad' : '{}')).join(
      '\n',
    );
    const { code, out, err } = await run(withToken(write(text)));
    assert.equal(code, 1);
    assert.equal(err, 'line 2: is not valid JSON\nline 5500: is not valid JSON\n');
    assert.match(out, /✗ 5998 imported, 0 had an account, 2 failed\n$/);
  });

  it('retries a batch while Admin is unavailable, and logs in again', async () => {
    admin.answers.push(refuse(503), refuse(401));
    let logins = 0;
    const logIn = () => Promise.resolve(`token-${++logins}`);
    const state = await sending(write('{}\n{}\n'), logIn);
    assert.equal(state.imported, 2);
    assert.deepEqual(admin.tokens, ['Bearer token-1', 'Bearer token-1', 'Bearer token-2']);
    admin.answers.push((response) => response.destroy());
    assert.equal((await sending(write('{}\n'))).imported, 1);
  });

  it('reports its progress when Admin refuses or stays unavailable', async () => {
    const file = write('{}\n'.repeat(5001));
    const well = (response: ServerResponse) =>
      response.end(JSON.stringify({ Imported: 5000, Skipped: 0, Failed: 0, Failures: [] }));
    const done = (error: { advice?: string }) => /All lines up to 5000 are done/.test(error.advice ?? '');
    admin.answers.push(well, refuse(403));
    await assert.rejects(sending(file), done);
    assert.equal(admin.lines.length, 2);
    admin.answers.push(well, refuse(503), refuse(503), refuse(503));
    await assert.rejects(sending(file), done);
  });

  it('refuses invalid input before it sends anything', async () => {
    await assert.rejects(run([]), /Name one file/);
    await assert.rejects(run([join(folder, 'nothing')]), /is no file/);
    await assert.rejects(run([write('{}'), '--url', admin.url]), /--token-file/);
    assert.equal((await run(['--help'])).code, 0);
    assert.deepEqual(admin.lines, []);
  });

  it('takes an empty file', async () => {
    const { code, out } = await run(withToken(write('')));
    assert.deepEqual([code, out], [0, '✓ 0 imported, 0 had an account, 0 failed\n']);
  });
});
