import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync } from 'node:fs';
import { readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, testServers } from '@gatehouse/runtime/testing';
import { dataDirectory, plainPathTo, removeFolder } from '../servers/home.ts';
import { freePorts, type Ports } from './ports.ts';
import { type Progress, Cancelled } from '../command.ts';
import { type StackFile, welcome } from './stack-file.ts';
import { startStack, type Stack } from './start-stack.ts';

const QUICK = { PATH: process.env['PATH'], BCRYPT_COST: '4' };

describe('startStack', function () {
  this.timeout(90_000);
  const directory = mkdtempSync(join(tmpdir(), 'stack-'));
  let stack: Stack;
  let ports: Ports;
  const servers = testServers();

  before(async () => {
    ports = await freePorts();
    stack = await startStack({ directory, ports, settings: QUICK, servers });
  });
  after(async () => {
    await stack.stop();
    assert.ok(!existsSync(join(directory, 'stack.json')));
    removeFolder(directory);
  });

  let elsewhere: string;
  beforeEach(() => (elsewhere = mkdtempSync(join(tmpdir(), 'stack-'))));
  afterEach(() => removeFolder(elsewhere));

  const read = (): StackFile => JSON.parse(readFileSync(join(directory, 'stack.json'), 'utf8')) as StackFile;

  it('writes the documented stack.json, for its owner alone', () => {
    const facts = read();
    assert.deepEqual(facts, stack.facts);
    assert.equal(statSync(join(directory, 'stack.json')).mode & 0o777, 0o600);
    assert.equal(facts.baseUrl, `http://127.0.0.1:${ports.gateway}`);
    assert.equal(facts.adminUrl, `http://127.0.0.1:${ports.adminGateway}`);
    assert.deepEqual(Object.keys(facts.urls), ['core', 'portal', 'admin']);
    assert.equal(Object.keys(facts.pids).toSorted().join(), 'admin,core,gateway,idp,mailWorker,portal');
    assert.match(facts.admin.Email, /@/);
    assert.match(facts.seed.user.Password, /^\w{16,}$/);
    assert.match(facts.seed.contentDefinitionId, /^[0-9a-f-]{36}$/);
  });

  it('keeps its secrets in files for their owner alone', () => {
    const folder = join(directory, 'secrets');
    for (const name of readdirSync(folder)) assert.equal(statSync(join(folder, name)).mode & 0o077, 0, name);
  });

  it('restarts a killed service and writes its new pid', async () => {
    const before = read().pids['core'];
    stack.kill('core');
    await eventually(() => read().pids['core'] !== before, 20);
    await eventually(async () => (await fetch(`${stack.facts.baseUrl}/ping`)).status === 200, 30);
  });

  it('reports a cancelled start as such, and cleans up', async () => {
    const calledOff = new AbortController();
    const progress: Progress = {
      line: () => {},
      step: (label, work) => {
        if (label !== 'migrate the database') return work();
        calledOff.abort();
        return Promise.reject(new Error('its server is gone'));
      },
    };
    const options = { directory: elsewhere, ports: await freePorts(), servers, progress };
    await assert.rejects(startStack({ ...options, signal: calledOff.signal }), Cancelled);
    assert.deepEqual(readdirSync(join(elsewhere, 'run')), []);
  });

  it('uses the caller’s own identity providers instead of the demo provider', async () => {
    const returnUrls = ['http://localhost:5000/back'];
    const client = { clientId: 'x', clientSecret: 'x' };
    const provider = { id: 'corp', issuer: 'http://127.0.0.1:9', ...client, returnUrls };
    const SSO_PROVIDERS = JSON.stringify([provider]);
    const settings = { ...QUICK, SSO_PROVIDERS };
    const own = await startStack({ directory: elsewhere, ports: await freePorts(), servers, settings });
    const { ssoProvider, sso, idpUrl, pids } = own.facts;
    const banner = welcome(own.facts, elsewhere);
    await own.stop();
    const corp = ['corp', { provider: 'corp', providers: ['corp'], returnUrls }, undefined];
    assert.deepEqual([ssoProvider, sso, idpUrl], corp);
    assert.equal(pids['idp'], undefined);
    assert.match(banner, /\/auth\/corp\/login/);
    assert.match(banner, /Console +http:\/\/localhost:\d+\/console\n/);
    assert.doesNotMatch(banner, /demo/i);
    assert.match(welcome(stack.facts, directory), /Demo identity provider/);
  });

  it('refuses invalid settings before it starts anything', async () => {
    const options = { directory: elsewhere, ports: await freePorts(), servers };
    for (const settings of [
      { SSO_PROVIDERS: 'demo' },
      { SSO_PROVIDERS: '[{"id":"x"}]' },
      { GATEWAY_TRUSTED_PROXIES: 'proxy.example' },
    ]) {
      const named = new RegExp(Object.keys(settings).join());
      await assert.rejects(startStack({ ...options, settings }), { name: 'StackError', message: named });
    }
    assert.deepEqual(readdirSync(join(elsewhere, 'run')), []);
  });

  it('refuses a second stack in the same folder', () =>
    assert.rejects(startStack({ directory, ports }), /is already running from this folder/));
});

describe('the stack in a folder whose path has spaces, an apostrophe, and characters beyond Latin-1', function () {
  this.timeout(200_000);
  const place = mkdtempSync(join(realpathSync(tmpdir()), 'odd-'));
  const directory = join(place, 'Gäste haus 日本', "gate'house");

  after(() => {
    rmSync(plainPathTo(join(dataDirectory(directory), 'rabbitmq')), { force: true });
    removeFolder(directory);
    removeFolder(place);
  });

  it('starts with all its servers, and works', async () => {
    // Else the data of a stack that root starts are elsewhere.
    chmodSync(place, 0o711);
    mkdirSync(directory, { recursive: true });
    const ports = await freePorts();
    const stack = await startStack({ directory, ports, settings: QUICK, throwAway: true });
    try {
      const { baseUrl, seed } = stack.facts;
      const { Email: Username, Password } = seed.user;
      const answer = await fetch(`${baseUrl}/account/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ Username, Password }),
      });
      assert.equal(answer.status, 200, await answer.text());
    } finally {
      await stack.stop();
    }
  });
});
