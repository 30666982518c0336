import assert from 'node:assert/strict';
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { createFaceReporter } from '@gatehouse/events';
import { createLog } from '@gatehouse/runtime';
import { eventually } from '@gatehouse/runtime/testing';
import { freePorts, provide, quiet } from '@gatehouse/stack';
import { startWorld, type World } from '../testing/index.ts';
import { panels, PROMETHEUS, rulesOf } from './monitoring-files.ts';

describe('Prometheus with the rules and dashboards of deploy', function () {
  this.timeout(180_000);
  let binary: string;
  before(async () => {
    binary = (await provide(quiet, ['prometheus'])).prometheus;
  });

  const promtool = (...args: string[]): string =>
    execFileSync(join(dirname(binary), 'promtool'), args, { cwd: PROMETHEUS, encoding: 'utf8' });

  it('accepts the rules, and each alert fires exactly when it should', () => {
    assert.match(promtool('check', 'rules', 'rules.yml', 'alerts.yml'), /SUCCESS: \d+ rules found/);
    const tests = readdirSync(join(PROMETHEUS, 'tests')).map((file) => join('tests', file));
    assert.match(promtool('test', 'rules', ...tests), /SUCCESS/);
  });

  describe('on a running system', () => {
    let world: World;
    let prometheus: ChildProcess;
    let url: string;
    before(async () => {
      const ports = await freePorts();
      world = await startWorld({}, { ports });
      const targets = [
        ports.coreInternal,
        ports.portalInternal,
        ports.adminInternal,
        ports.mailWorkerInternal,
      ].map((port) => `127.0.0.1:${port}`);
      const config = join(world.directory, 'prometheus.yml');
      writeFileSync(config, configuration(targets));
      const port = await freePort();
      url = `http://127.0.0.1:${port}`;
      prometheus = spawn(
        binary,
        [
          `--config.file=${config}`,
          `--storage.tsdb.path=${join(world.directory, 'prometheus')}`,
          `--web.listen-address=127.0.0.1:${port}`,
        ],
        { stdio: 'ignore' },
      );
      await eventually(async () => (await ask('up')).length === targets.length, 30);
    });
    after(async () => {
      const exited = once(prometheus, 'exit');
      if (prometheus.kill('SIGTERM')) await exited;
      await world.stop();
    });

    const ask = async (expression: string): Promise<unknown[]> => {
      const query = new URLSearchParams({ query: expression });
      const response = await fetch(`${url}/api/v1/query?${query.toString()}`).catch(() => undefined);
      if (response === undefined || !response.ok) return [];
      const { data } = (await response.json()) as { data: { result: unknown[] } };
      return data.result;
    };

    it('has a series for each counter whose rise an alert watches, before anything is counted', async () => {
      const watched = rulesOf('alerts.yml').flatMap(({ expr }) => risesIn(expr));
      assert.ok(watched.length > 3);
      const missing = async () => {
        const series = await Promise.all(watched.map(ask));
        return watched.filter((_, index) => series[index]?.length === 0);
      };
      await eventually(async () => (await missing()).length === 0, 20).catch(() => {});
      assert.deepEqual(await missing(), []);
    });

    it('has a series for every query of every panel', async () => {
      await goThroughEverything(world);
      const missing = async () => {
        const empty: string[] = [];
        for (const { dashboard, title, expressions } of panels())
          for (const expression of expressions)
            if ((await ask(expression)).length === 0) empty.push(`${dashboard}, ${title}: ${expression}`);
        return empty;
      };
      await eventually(async () => (await missing()).length === 0, 40).catch(() => {});
      assert.deepEqual(await missing(), []);
    });

    it('sees every process, and fires no alert for a healthy system', async () => {
      const firing = await ask('ALERTS{alertstate="firing"}');
      assert.deepEqual(firing, []);
      assert.deepEqual(await ask('up == 0'), []);
    });
  });
});

/**
 * The counters whose increase an alert watches, except those whose first value the alert itself treats as an increase.
 */
function risesIn(expression: string): string[] {
  const rises = [...expression.matchAll(/\bincrease\((\w+(?:\{[^}]*\})?)\[/g)].map(
    ([, counter = '']) => counter,
  );
  return rises.filter((counter) => !expression.includes(`unless ${counter} offset`));
}

/** Produces values for every metric. */
async function goThroughEverything(world: World): Promise<void> {
  const { facts } = world.stack;
  const email = await world.newAccount();
  await world.post('/account/login', { Username: email, Password: 'a wrong password' });
  const first = await world.login(email);
  const { Token, RefreshToken } = await world.login(email);
  await world.post('/account/ping', {}, first.Token);
  await world.post('/account/refresh-token', { RefreshToken });
  await world.call('GET', '/ping/auth', undefined, Token);
  await world.post('/account/ping', {}, Token);
  await world.post('/account/forgot-password', { Email: email });
  const owner = await world.login(facts.seed.user.Email, facts.seed.user.Password);
  const { status } = await world.post(
    '/account/invite-user',
    { ContentDefinitionId: facts.seed.contentDefinitionId, Emails: [world.someEmail()] },
    owner.Token,
  );
  assert.equal(status, 200);
  await reportFace(facts.amqpUrl);
}

async function reportFace(url: string): Promise<void> {
  const reporter = createFaceReporter({ url, log: createLog({ service: 'test', level: 'error' }) });
  try {
    await eventually(async () => reporter.isReady(), 20);
    await reporter.report({ SourceId: 'a face', Candidates: [{ Name: 'Somebody', Similarity: 0.9 }] });
  } finally {
    await reporter.close();
  }
}

function configuration(targets: readonly string[]): string {
  return JSON.stringify({
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: [join(PROMETHEUS, 'rules.yml'), join(PROMETHEUS, 'alerts.yml')],
    scrape_configs: [{ job_name: 'gatehouse', static_configs: [{ targets }] }],
  });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // the server listens on a port
  server.close();
  await once(server, 'close');
  return port;
}
