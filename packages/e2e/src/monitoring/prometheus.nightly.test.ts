import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { eventually } from '@gatehouse/runtime/testing';
import { provide, quiet } from '@gatehouse/dev';
import { PROMETHEUS, rulesOf } from './monitoring-files.ts';
import { produceEveryMetric, startScrapedSystem, type ScrapedSystem } from './scraped-system.ts';

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
    let system: ScrapedSystem;
    before(async () => (system = await startScrapedSystem(1)));
    after(() => system.stop());

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

/**
 * The counters whose increase an alert watches, except those whose first value the alert itself treats as an increase.
 */
function risesIn(expression: string): string[] {
  const rises = [...expression.matchAll(/\bincrease\((\w+(?:\{[^}]*\})?)\[/g)].map(
    ([, counter = '']) => counter,
  );
  return rises.filter((counter) => !expression.includes(`unless ${counter} offset`));
}
