import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createFaceReporter } from '@gatehouse/events';
import { createLog } from '@gatehouse/runtime';
import { during, eventually, serve } from '@gatehouse/runtime/testing';
import { freePorts, provide, quiet } from '@gatehouse/dev';
import { startWorld, type World } from '../testing/index.ts';
import { runProgram } from '../testing/run-program.ts';
import { panels, PROMETHEUS, rulesOf } from './monitoring-files.ts';

describe('Prometheus with the rules and dashboards of deploy', function () {
  this.timeout(180_000);

  it('accepts the rules, and each alert fires exactly when it should', async () => {
    const { prometheus } = await provide(quiet, ['prometheus']);
    const promtool = (...args: string[]): string =>
      execFileSync(join(dirname(prometheus), 'promtool'), args, { cwd: PROMETHEUS, encoding: 'utf8' });
    assert.match(promtool('check', 'rules', 'rules.yml', 'alerts.yml'), /SUCCESS: \d+ rules found/);
    const tests = readdirSync(join(PROMETHEUS, 'tests')).map((file) => join('tests', file));
    assert.match(promtool('test', 'rules', ...tests), /SUCCESS/);
  });

  describe('on a running system', () => {
    const system = during(() => startScrapedSystem());

    it('has a series for each counter whose rise an alert watches, before anything is counted', async () => {
      const watched = rulesOf('alerts.yml').flatMap(({ expr }) => risesIn(expr));
      assert.ok(watched.length > 3);
      const missing = async () => {
        const series = await Promise.all(watched.map((counter) => system.ask(counter)));
        return watched.filter((_, index) => series[index]?.length === 0);
      };
      await eventually(async () => (await missing()).length === 0, 20).catch(() => {});
      assert.deepEqual(await missing(), []);
    });

    it('has a series with numbers for every query of every panel', async () => {
      await produceEveryMetric(system.world);
      // What counts from its first value on has a rate only once it is counted again.
      const known = 'http_request_duration_seconds_count{route="/account/refresh-token"}';
      await eventually(async () => (await system.ask(known)).length > 0, 20);
      await produceEveryMetric(system.world);
      await eventually(async () => (await system.emptyPanels()).length === 0, 40).catch(() => {});
      assert.deepEqual(await system.emptyPanels(), []);
    });

    it('sees every process, and fires no alert for a healthy system', async () => {
      const firing = await system.ask('ALERTS{alertstate="firing"}');
      assert.deepEqual(firing, []);
      assert.deepEqual(await system.ask('up == 0'), []);
    });
  });
});

/** The counters whose increase an alert watches, but those whose first value it treats as an increase itself. */
function risesIn(expression: string): string[] {
  const rises = [...expression.matchAll(/\bincrease\((\w+(?:\{[^}]*\})?)\[/g)].map(
    ([, counter = '']) => counter,
  );
  return rises.filter((counter) => !expression.includes(`unless ${counter} offset`));
}

interface Series {
  metric: Record<string, string>;
  value: [number, string];
}

async function startScrapedSystem() {
  const binary = (await provide(quiet, ['prometheus'])).prometheus;
  const ports = await freePorts();
  const world = await startWorld({ WEBHOOKS: 'on', WEBHOOK_NETWORKS: '127.0.0.1' }, { ports });
  const targets = [
    ports.coreInternal,
    ports.portalInternal,
    ports.adminInternal,
    ports.mailWorkerInternal,
    ports.hookWorkerInternal,
  ].map((port) => `127.0.0.1:${port}`);
  const config = join(world.directory, 'prometheus.yml');
  writeFileSync(config, configuration(targets));
  const { app: port } = await freePorts();
  const given = [
    `--config.file=${config}`,
    `--storage.tsdb.path=${join(world.directory, 'prometheus')}`,
    `--web.listen-address=127.0.0.1:${port}`,
  ];
  const prometheus = runProgram(binary, given, { errors: 'ignore' });
  const ask = async (expression: string): Promise<Series[]> => {
    const query = new URLSearchParams({ query: expression });
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/query?${query.toString()}`).catch(
      () => undefined,
    );
    if (response === undefined || !response.ok) return [];
    const { data } = (await response.json()) as { data: { result: Series[] } };
    return data.result;
  };
  const stop = async (): Promise<void> => {
    await prometheus.stop();
    await world.stop();
  };
  const emptyPanels = async (): Promise<string[]> => {
    const empty: string[] = [];
    for (const { dashboard, title, expressions } of panels()) {
      for (const expression of expressions) {
        const series = await ask(expression);
        const hasNumber = series.some(({ value: [, text] }) => Number.isFinite(Number(text)));
        if (!hasNumber) empty.push(`${dashboard}, ${title}: ${expression}`);
      }
    }
    return empty;
  };
  try {
    const isScraped = async () => (await ask('up')).length === targets.length;
    await eventually(isScraped, 32);
  } catch (error) {
    await stop();
    throw error;
  }
  return { world, ask, emptyPanels, stop };
}

async function produceEveryMetric(world: World): Promise<void> {
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
  const invitation = { ContentDefinitionId: facts.seed.contentDefinitionId, Emails: [world.someEmail()] };
  const { status, text } = await world.post('/account/invite-user', invitation, owner.Token);
  if (status !== 200) throw new Error(`invitation: ${status} ${text}`);
  await reportFace(facts.amqpUrl);
  await deliverHook(world);
}

async function deliverHook(world: World): Promise<void> {
  let received = 0;
  const receiver = await serve((_request, response) => {
    received += 1;
    response.writeHead(204).end();
  });
  try {
    await world.administer('/admin/webhook', { Name: 'All', Url: receiver.url, Types: ['*'] });
    await world.login(await world.newAccount());
    await eventually(() => received > 0, 20);
  } finally {
    await receiver.stop();
  }
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
