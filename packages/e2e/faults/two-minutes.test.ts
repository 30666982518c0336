import assert from 'node:assert/strict';
import {
  produceEveryMetric,
  startScrapedSystem,
  type ScrapedSystem,
} from '../src/monitoring/scraped-system.ts';

/** As docs/operations.md recommends. */
const SCRAPE_SECONDS = 15;
const TRAFFIC_SECONDS = 120;
/** Each fails to log in once: an address that does so for twenty accounts is refused. */
const PASS_EVERY_MS = 10_000;

describe('while nothing is broken, two minutes of traffic', function () {
  this.timeout((TRAFFIC_SECONDS + 180) * 1000);
  let system: ScrapedSystem;
  before(async () => (system = await startScrapedSystem(SCRAPE_SECONDS)));
  after(() => system.stop());

  it('give every query of every panel a series, and fire no alert', async () => {
    const { world } = system;
    const { Token } = await world.login(await world.newAccount());
    const end = Date.now() + TRAFFIC_SECONDS * 1000;
    for (let passMs = Date.now(); Date.now() < end;) {
      if (Date.now() >= passMs) {
        await produceEveryMetric(world);
        passMs += PASS_EVERY_MS;
      }
      assert.equal(await world.pingStatus(Token), 1);
    }
    assert.deepEqual(await system.emptyPanels(), []);
    const scrapes = await system.ask('count_over_time(up[5m])');
    assert.equal(scrapes.length, 5);
    for (const { value } of scrapes) assert.ok(Number(value[1]) >= TRAFFIC_SECONDS / SCRAPE_SECONDS);
    assert.deepEqual(await system.ask('ALERTS{alertstate="firing"}'), []);
    assert.deepEqual(await system.ask('up == 0'), []);
  });
});
