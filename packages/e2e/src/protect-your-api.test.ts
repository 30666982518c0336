import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { createPublicKey, verify, type JsonWebKey } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePorts } from '@gatehouse/dev';
import { forgedTokens, type Forgery } from '@gatehouse/auth-core/testing';
import { during, eventually } from '@gatehouse/runtime/testing';
import { startCore } from '../../../services/core/src/testing/index.ts';

/** Where auth-core has installed the only package that the example for Node needs. */
const PACKAGES = fileURLToPath(new URL('../../auth-core/node_modules/', import.meta.url));
const PYTHON = fileURLToPath(new URL('../../../examples/python/server.py', import.meta.url));
const NODE = fileURLToPath(new URL('../../../examples/node/check-token.mjs', import.meta.url));
const DEAD = 'http://127.0.0.1:1';

describe('the examples of docs/protect-your-api.md', function () {
  this.timeout(60_000);
  const core = during(() => startCore());
  let folder: string;
  const started: ChildProcess[] = [];

  before(async () => {
    folder = mkdtempSync(join(realpathSync(tmpdir()), 'gatehouse-examples-'));
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(realpathSync(join(PACKAGES, 'jose')), join(folder, 'node_modules', 'jose'));
  });
  after(async () => {
    for (const child of started) {
      const exited = once(child, 'exit');
      if (child.kill('SIGTERM')) await exited;
    }
    rmSync(folder, { recursive: true, force: true });
  });

  const start = async (
    program: string,
    args: string[],
    environment: Record<string, string>,
    port: number,
  ) => {
    const settings = Object.entries({ ...environment, PORT: String(port) }).map(
      ([name, value]) => `${name}=${value}`,
    );
    // `env` finds the program and extends the environment of this process.
    started.push(
      spawn('env', [...settings, program, ...args], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] }),
    );
    await eventually(async () => (await ask(port)) !== undefined, 20);
  };
  const startPython = async (gatehouse: string): Promise<number> => {
    const { app: port } = await freePorts();
    await start('python3', [PYTHON], { GATEHOUSE: gatehouse }, port);
    return port;
  };
  const startNode = async (gatehouse: string): Promise<number> => {
    copyFileSync(NODE, join(folder, 'api.mjs'));
    const { app: port } = await freePorts();
    const environment = { GATEHOUSE: gatehouse, ISSUER: core.app.settings.ISSUER };
    await start(process.execPath, ['api.mjs'], environment, port);
    return port;
  };

  // A local check accepts tokens that have a valid signature and the expected claims. Only Gatehouse knows exactly how
  // it writes its tokens.
  const isWellMeant = ({ name, token }: Forgery): boolean =>
    isSignedByUs(token, core.app.settings.SIGNING_KEYS ?? '') &&
    !/^(iss (?!in)|exp (undefined|null|-1) )/.test(`${name} `);

  for (const [name, startExample, mayTake] of [
    ['Python', startPython, () => false],
    ['Node', startNode, isWellMeant],
  ] as const) {
    it(`have one for ${name} that accepts valid tokens only`, async () => {
      const port = await startExample(core.url);
      const { Token } = await core.login(await core.newAccount());
      const good = await ask(port, `Bearer ${Token}`);
      assert.equal(good?.status, 200);
      assert.match(String(good.body['Account']), /^[0-9a-f-]{36}$/);
      const { invalid, expired } = forgedTokens(Token, core.app.settings.SIGNING_KEYS ?? '');
      const sent = invalid.filter((one) => /^[\x21-\x7e]{1,4000}$/.test(one.token) && !mayTake(one));
      assert.ok(sent.length > 100, `${sent.length} forgeries`);
      const taken: string[] = [];
      for (const { name: forgery, token } of [...sent, ...expired.filter(isLongOver)]) {
        if ((await ask(port, `Bearer ${token}`))?.status !== 401) taken.push(forgery);
      }
      assert.deepEqual(taken, []);
      for (const header of [undefined, '', 'Bearer', `Basic ${Token}`, `Bearer ${Token} x`])
        assert.equal((await ask(port, header))?.status, 401, String(header));
    });

    it(`have one for ${name} that responds with 503 when callers cannot be verified`, async () => {
      const port = await startExample(DEAD);
      const { Token } = await core.login(await core.newAccount());
      assert.equal((await ask(port, `Bearer ${Token}`))?.status, 503);
    });
  }

  it('have one that asks and detects a logout at once, and one that does not', async () => {
    const ports = { asks: await startPython(core.url), checks: await startNode(core.url) };
    const { Token } = await core.login(await core.newAccount());
    await core.post('/account/logout', {}, core.bearer(Token)).expect(200);
    const refused = await ask(ports.asks, `Bearer ${Token}`);
    assert.deepEqual([refused?.status, refused?.body['code']], [401, 'session_ended']);
    assert.equal((await ask(ports.checks, `Bearer ${Token}`))?.status, 200);
  });
});

/** The example tolerates clocks that differ by a few seconds. */
function isLongOver({ name }: Forgery): boolean {
  return name === 'exp a day ago';
}

function isSignedByUs(token: string, keySet: string): boolean {
  const [header = '', payload = '', signature = ''] = token.split('.');
  const { keys } = JSON.parse(keySet) as { keys: JsonWebKey[] };
  return keys.some((jwk) => {
    const { d: _private, ...open } = jwk;
    const key = { key: createPublicKey({ key: open, format: 'jwk' }), dsaEncoding: 'ieee-p1363' } as const;
    return verify('sha256', Buffer.from(`${header}.${payload}`), key, Buffer.from(signature, 'base64url'));
  });
}

async function ask(port: number, authorization?: string) {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/`, {
      headers: authorization === undefined ? {} : { authorization },
      signal: AbortSignal.timeout(10_000),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  } catch (error) {
    if (error instanceof SyntaxError) throw error;
    return undefined;
  }
}
