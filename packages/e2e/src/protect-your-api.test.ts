import assert from 'node:assert/strict';
import { createPublicKey, verify, type JsonWebKey } from 'node:crypto';
import { copyFileSync, mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePorts } from '@gatehouse/dev';
import { forgedTokens, type Forgery } from '@gatehouse/auth-core/testing';
import { during, endings, eventually, testFolder } from '@gatehouse/runtime/testing';
import { startCoreWithSessions } from '../../../services/core/src/testing/index.ts';
import { send } from './requests/send.ts';
import { runProgram } from './testing/run-program.ts';

/** Where auth-core has installed the only package that the example for Node needs. */
const PACKAGES = fileURLToPath(new URL('../../auth-core/node_modules/', import.meta.url));
const PYTHON = fileURLToPath(new URL('../../../examples/python/server.py', import.meta.url));
const NODE = fileURLToPath(new URL('../../../examples/node/check-token.mjs', import.meta.url));
const DEAD = 'http://127.0.0.1:1';

describe('the examples of docs/protect-your-api.md', () => {
  const core = during(() => startCoreWithSessions());
  const folder = testFolder();
  const atEnd = endings();
  before(() => {
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(realpathSync(join(PACKAGES, 'jose')), join(folder, 'node_modules', 'jose'));
    copyFileSync(NODE, join(folder, 'api.mjs'));
  });

  const start = async (program: string, file: string, GATEHOUSE: string): Promise<number> => {
    const { app: port } = await freePorts();
    const settings = { GATEHOUSE, ISSUER: core.app.settings.ISSUER, PORT: String(port) };
    const example = runProgram(program, [file], { settings, cwd: folder });
    atEnd(() => example.stop());
    await eventually(() => ask(port), 20);
    return port;
  };
  const startPython = (gatehouse: string) => start('python3', PYTHON, gatehouse);
  const startNode = (gatehouse: string) => start(process.execPath, 'api.mjs', gatehouse);

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
      assert.equal(good.status, 200);
      assert.match(String(good.body['Account']), /^[0-9a-f-]{36}$/);
      const { invalid, expired } = forgedTokens(Token, core.app.settings.SIGNING_KEYS ?? '');
      const sent = invalid.filter((one) => /^[\x21-\x7e]{1,4000}$/.test(one.token) && !mayTake(one));
      assert.ok(sent.length > 100, `${sent.length} forgeries`);
      const taken: string[] = [];
      for (const { name: forgery, token } of [...sent, ...expired.filter(isLongOver)]) {
        if ((await ask(port, `Bearer ${token}`)).status !== 401) taken.push(forgery);
      }
      assert.deepEqual(taken, []);
      for (const header of [undefined, '', 'Bearer', `Basic ${Token}`, `Bearer ${Token} x`])
        assert.equal((await ask(port, header)).status, 401, String(header));
    });

    it(`have one for ${name} that responds with 503 when callers cannot be verified`, async () => {
      const port = await startExample(DEAD);
      const { Token } = await core.login(await core.newAccount());
      assert.equal((await ask(port, `Bearer ${Token}`)).status, 503);
    });
  }

  it('have one that asks and detects a logout at once, and one that does not', async () => {
    const ports = { asks: await startPython(core.url), checks: await startNode(core.url) };
    const { Token } = await core.login(await core.newAccount());
    await core.post('/account/logout', Token).expect(200);
    const refused = await ask(ports.asks, `Bearer ${Token}`);
    assert.deepEqual([refused.status, refused.body['code']], [401, 'session_ended']);
    assert.equal((await ask(ports.checks, `Bearer ${Token}`)).status, 200);
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

function ask(port: number, authorization?: string) {
  const headers = authorization === undefined ? {} : { authorization };
  return send(`http://127.0.0.1:${port}`, { method: 'GET', path: '/', headers });
}
