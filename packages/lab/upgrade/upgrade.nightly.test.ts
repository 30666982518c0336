import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { createSoftwareAuthenticator } from '@gatehouse/auth-core/testing';
import { programArguments, type ProgramName } from '@gatehouse/build';
import { query } from '@gatehouse/db';
import type * as Launcher from '@gatehouse/dev';
import { eventually, serve } from '@gatehouse/runtime/testing';
import { openidClient } from '../clients/openid-client.ts';
import { providerOf, type Provider } from '../clients/provider.ts';
import { everyInstanceIsReady, usersOf } from '../cluster/background-users.ts';
import { withDb } from '../database.ts';
import { runTool } from '../run-tool.ts';
import { callAt, PASSWORD, startWorld, type World } from '../../e2e/src/testing/index.ts';
import { findVisitor, readAnswer } from '../../web/src/ui/api.ts';

const SERVICES = ['mail-worker', 'hook-worker', 'core', 'portal', 'admin'] as const satisfies ProgramName[];

/** The last release, with its own database and demo data, is replaced by this tree one instance after the other. */
describe('the upgrade of the last release', function () {
  this.timeout(300_000);
  let previous: Awaited<ReturnType<typeof previousRelease>>;
  let world: World;
  let provider: Provider;
  let receiver: Awaited<ReturnType<typeof startReceiver>>;
  before(async () => {
    previous = await previousRelease();
    world = await startWorld(
      { DRAIN_SECONDS: '3', SINGLE_SESSION: 'false', WEBHOOKS: 'on', WEBHOOK_NETWORKS: '127.0.0.1' },
      { scale: 2, demo: true, startStack: previous.startStack },
    );
    provider = providerOf(world);
    receiver = await startReceiver(world, provider);
  });
  after(async () => {
    await receiver?.stop();
    // The launcher of 1.0.0 gives up dropping its database after 2.2 s. The test servers end anyway.
    await world?.stop().catch((error: unknown) => assert.match(String(error), /postgres is unavailable/));
    previous?.remove();
  });
  const users = usersOf(() => world);

  const roll = async (argumentsOf: (service: ProgramName) => string[]): Promise<void> => {
    for (const service of SERVICES)
      for (const name of [service, `${service}-2`])
        if (isRunning(name)) await world.stack.restart(name, argumentsOf(service));
    await everyInstanceIsReady(world);
    // The launcher reloads the gateway, which closes connections that wait for their next request.
    await setTimeout(1000);
  };
  const isRunning = (name: string): boolean =>
    world.stack.facts.logs.some((log) => log.endsWith(`/${name}.log`));
  /** What somebody holds before a roll-over. Returns what checks that they hold it still. */
  const holder = async (): Promise<() => Promise<void>> => {
    const tokens = await world.login(await world.newAccount());
    const { cookie } = await provider.newBrowser();
    const application = await openidClient(provider);
    await application.signIn(await provider.newBrowser());
    const signInWithPasskey = await passkeyOf(world);
    const reset = await world.newAccount();
    assert.equal((await world.post('/account/forgot-password', { Email: reset })).status, 200);
    return async () => {
      assert.equal(await world.pingStatus(tokens.Token), 1, 'a session');
      const refreshed = await world.post('/account/refresh-token', { RefreshToken: tokens.RefreshToken });
      assert.equal(refreshed.status, 200, `a refresh token: ${refreshed.text}`);
      assert.equal(await exportWith(world, cookie), 200, 'a cookie, and an export with it');
      assert.ok((await profileOnPages(world, cookie)).ok, 'an account page');
      await application.userinfo();
      await application.refresh();
      await application.userinfo();
      assert.equal(await signInWithPasskey(), 200, 'a passkey');
      assert.match(await world.mailedCode(reset, 2), /-/, 'a mail that was on its way');
    };
  };

  const steps = [
    ['forward, after the migration', programArguments],
    ['back, on the newer schema', (service: ProgramName) => previous.argumentsOf(service)],
    ['forward again, behind the gateway of this version', programArguments],
  ] as const;
  for (const [step, argumentsOf] of steps) {
    it(`goes ${step}, without a failed request, and keeps what people hold`, async () => {
      const stillHolds = await holder();
      if (step.includes('gateway')) previous.takeGateway();
      if (argumentsOf === programArguments)
        await runTool(['migrate'], { DATABASE_URL: world.stack.facts.databaseUrl });
      await roll(argumentsOf);
      await stillHolds();
      assert.deepEqual(users().takeFailures(), []);
      await users().lostNothing();
      await eventually(async () => (await receiver.missing()).length === 0, 30);
    });
  }
});

/** A webhook of all registrations since it was created. */
async function startReceiver({ stack }: World, { administer }: Provider) {
  const received = new Set<string>();
  const { url: Url, stop } = await serve((request, response) => {
    void json(request).then((event) => {
      received.add((event as { data: { UserId: string } }).data.UserId);
      response.writeHead(204).end();
    });
  });
  await administer('/admin/webhook', { Name: 'all', Url, Types: ['account.registered'] });
  const { databaseUrl } = stack.facts;
  const [now] = await withDb(databaseUrl, (db) => query.column<Date>(db, 'select now()'));
  const since = 'select id from account where created_at > ?';
  return {
    /** The accounts whose registration it was not told of. */
    missing: async () => {
      const ids = await withDb(databaseUrl, (db) => query.column<string>(db, since, [now ?? null]));
      return ids.filter((id) => !received.has(id));
    },
    stop,
  };
}

/** Adds a passkey to a new account; returns what signs in with it, with the status of the answer. */
async function passkeyOf(world: World): Promise<() => Promise<number>> {
  const { Token } = await world.login(await world.newAccount());
  const authenticator = createSoftwareAuthenticator(world.stack.facts.pagesUrl);
  const asked = async (path: string, body: object, token?: string) => {
    const answer = await world.post(path, body, token);
    assert.ok(answer.status < 300, `${path}: ${answer.text}`);
    // Both sides use the JSON of WebAuthn.
    return answer.body as { PasskeyToken: string; Options: never };
  };
  const { PasskeyToken, Options } = await asked('/account/passkey/options', { Password: PASSWORD }, Token);
  const Credential = authenticator.create(Options);
  await asked('/account/passkey', { PasskeyToken, Credential }, Token);
  return async () => {
    const login = await asked('/account/login/passkey', {});
    const body = { PasskeyToken: login.PasskeyToken, Credential: authenticator.get(login.Options) };
    return (await world.post('/account/login', body)).status;
  };
}

/** What the account pages of this tree find, whichever versions answer. */
function profileOnPages({ stack }: World, cookie: string) {
  const ask = async <T>(path: string) => {
    const headers = { cookie, 'sec-fetch-site': 'same-origin' };
    return readAnswer<T>(await fetch(`${stack.facts.baseUrl}${path}`, { headers }));
  };
  const asked = ask<{ Profile: object | null }>('/account/visitor');
  return findVisitor('Profile', asked, () => ask<object>('/account/profile'));
}

async function exportWith(world: World, cookie: string): Promise<number> {
  const headers = { cookie, 'sec-fetch-site': 'same-origin' };
  const asked = { body: { Password: PASSWORD }, headers };
  return (await callAt(world.stack.facts.baseUrl, 'POST', '/account/export', asked)).status;
}

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const run = promisify(execFile);
const BUILD_MS = 300_000;

/** Builds the last release that this tree follows, in a folder of its own, with the launcher that it came with. */
async function previousRelease() {
  const commit = await lastRelease();
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-previous-'));
  const archive = `${folder}.tar`;
  await run('git', ['archive', `--output=${archive}`, commit], { cwd: ROOT });
  await run('tar', ['-xf', archive, '-C', folder]);
  rmSync(archive);
  await run('npm', ['run', 'build'], { cwd: folder, timeout: BUILD_MS });
  const launcher = pathToFileURL(join(folder, 'packages/dev/src/index.ts')).href;
  const { startStack } = (await import(launcher)) as typeof Launcher; // the same package
  return {
    startStack,
    /** With which Node runs one of its services. */
    argumentsOf: (service: string) => ['--enable-source-maps', join(folder, 'dist', service, 'main.mjs')],
    /** Lets its launcher configure the gateway as this tree does, from the next restart on. */
    takeGateway: (): void => {
      for (const file of ['nginx.conf.template', 'public-paths.conf', 'admin-paths.conf']) {
        const text = readFileSync(join(ROOT, 'services/gateway', file), 'utf8');
        // 1.0.0 gives an address where this tree gives directives.
        const told = text.replaceAll(/\$\{\w+_LISTEN\}/g, 'listen $&;');
        writeFileSync(join(folder, 'services/gateway', file), told);
      }
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** The commit of the last release before this one (`npm run release` names it so). */
async function lastRelease(): Promise<string> {
  const grep = ['--extended-regexp', '--grep=^Gatehouse [0-9]+[.][0-9]+[.][0-9]+$'];
  const { stdout } = await run('git', ['log', '--max-count=1', '--format=%H', ...grep, 'HEAD^'], {
    cwd: ROOT,
  });
  assert.ok(stdout, 'no release precedes this commit: is this a clone of the whole history?');
  return stdout.trim();
}
