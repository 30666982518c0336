import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createFaceReporter, type FaceReporter } from '@gatehouse/events';
import { eventually, testLog } from '@gatehouse/runtime/testing';
import type { World } from '../testing/index.ts';

const PROGRAM = fileURLToPath(new URL('../../../../examples/faces/report.mjs', import.meta.url));
const REPORTS = 1000;
const AT_ONCE = 20;

/** Tests faces that are reported to the broker, with any stack. Core is killed repeatedly. */
export function testFacesJourney(given: () => World): void {
  let world: World;
  let reporter: FaceReporter;
  let token: string;
  before(async () => {
    world = given();
    const { facts } = world.stack;
    reporter = createFaceReporter({ url: facts.amqpUrl, log: testLog() });
    await eventually(() => reporter.isReady());
    token = (await world.login(facts.seed.user.Email, facts.seed.user.Password)).Token;
  });
  after(() => reporter.close());

  const addPerson = async (name: string): Promise<string> => {
    const { status, body } = await world.post('/person', { Name: name }, token);
    assert.equal(status, 201);
    return String(body['Id']);
  };
  const automatchesOf = async (id: string): Promise<number> => {
    const { body } = await world.call('GET', `/person/${id}`, undefined, token);
    return (body['FaceMatchCounts'] as { Automatch: number }).Automatch;
  };
  const sourcesOf = async (id: string): Promise<string[]> => {
    const sources: string[] = [];
    let cursor = '';
    do {
      const path = `/person/${id}/Automatch?limit=200${cursor}`;
      const { body } = await world.call('GET', path, undefined, token);
      sources.push(...(body['Items'] as { SourceId: string }[]).map(({ SourceId }) => SourceId));
      const next = body['NextCursor'] as string | undefined;
      cursor = next === undefined ? '' : `&cursor=${next}`;
    } while (cursor !== '');
    return sources;
  };

  it('stores every reported face once, although Core is killed repeatedly', async () => {
    const id = await addPerson('Ann');
    const sources = Array.from({ length: REPORTS }, (_, at) => `crash ${at}`);
    const feed = async (): Promise<void> => {
      for (let at = 0; at < REPORTS; at += AT_ONCE) {
        const some = sources.slice(at, at + AT_ONCE);
        const Candidates = [{ Name: 'ANN', Similarity: 0.95 }];
        await Promise.all(some.map((SourceId) => reporter.report({ SourceId, Candidates })));
      }
    };
    const kill = async (): Promise<void> => {
      for (const share of [0.1, 0.4, 0.7]) {
        await eventually(async () => (await automatchesOf(id)) >= REPORTS * share, 60);
        world.stack.kill('core', 'SIGKILL');
      }
    };
    await Promise.all([feed(), kill()]);
    await eventually(async () => (await automatchesOf(id)) >= REPORTS, 60);
    assert.deepEqual((await sourcesOf(id)).toSorted(), sources.toSorted());
    assert.equal(await automatchesOf(id), REPORTS);
  });

  it('is shown by the demo, whose faces are classified by the rules', async () => {
    const { baseUrl, amqpUrl, seed } = world.stack.facts;
    const { Email: EMAIL, Password: PASSWORD } = seed.user;
    const report = (count: number, settings = {}) =>
      promisify(execFile)(process.execPath, [PROGRAM, '--count', String(count)], {
        env: { GATEHOUSE: baseUrl, AMQP_URL: amqpUrl, EMAIL, PASSWORD, ...settings },
      });
    for (const count of [60, 20]) {
      const { stdout } = await report(count);
      assert.match(stdout, new RegExp(`reported ${count} of ${count}`));
      assert.match(stdout, /Demo Ada( +\d+){5}/);
    }
    await assert.rejects(report(0), /--count must be 1 to 100000/);
    await assert.rejects(report(1, { PASSWORD: 'wrong' }), /cannot log in \(404\)/);
    await assert.rejects(
      report(1, { GATEHOUSE: 'http://127.0.0.1:2' }),
      /http:\/\/127\.0\.0\.1:2 does not answer/,
    );
  });
}
