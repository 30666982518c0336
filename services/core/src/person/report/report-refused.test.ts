import assert from 'node:assert/strict';
import { eventually } from '@gatehouse/runtime/testing';
import { v7 as newId } from 'uuid';
import { startReports, type TestReports } from '../../testing/reports.ts';

describe('invalid reports of faces', () => {
  let app: TestReports;
  before(async () => {
    app = await startReports();
  });
  after(() => app.stop());
  afterEach(() => app.core.checkCounts());

  it('are parked with the reason, while others continue', async () => {
    const good = { SourceId: newId(), Candidates: [] };
    const poison: [unknown, RegExp][] = [
      ['{', /not JSON/],
      ['null', /must be of type object/],
      ['[]', /must be of type object/],
      [{ ...good, Version: 2 }, /unknown version/],
      [{ ...good, Version: '1' }, /unknown version/],
      [{ specversion: '1.0', type: 'person.created', data: good }, /\/SourceId is required/],
      [{ ...good, SourceId: 'a\u0000b' }, /\/SourceId/],
      [{ ...good, SourceId: 7 }, /\/SourceId/],
      [{ SourceId: 'x' }, /\/Candidates is required/],
      [{ ...good, Candidates: [{ Similarity: 1 }] }, /\/Candidates\/0 must have a PersonId or a Name/],
      [{ ...good, Candidates: [{ PersonId: 'x', Similarity: 1 }] }, /\/Candidates\/0\/PersonId/],
      [{ ...good, Candidates: [{ PersonId: newId(), Similarity: 1.5 }] }, /\/Candidates\/0\/Similarity/],
      [{ ...good, Candidates: [{ PersonId: `urn:uuid:${newId()}`, Similarity: 1 }] }, /PersonId/],
      [{ ...good, Candidates: [{ Name: 'a\u0000b', Similarity: 1 }] }, /\/Candidates\/0\/Name/],
      [{ ...good, BoundingBox: { Left: 2 } }, /\/BoundingBox/],
      [{ ...good, CapturedAt: '2016-12-31T23:59:60Z' }, /\/CapturedAt/],
      [{ ...good, ImageUrl: 'javascript:alert(1)' }, /\/ImageUrl/],
      [{ ...good, Notes: 'x'.repeat(300_000) }, /larger/],
    ];
    for (const [message] of poison) {
      const text = typeof message === 'string' ? message : JSON.stringify(message);
      app.broker.channel.sendToQueue(app.broker.faces.queue, Buffer.from(text));
    }
    await app.send(app.reportOf());
    await app.settled();
    const reasons = new Map<string, string>();
    await eventually(async () => {
      for (const { content, properties } of await app.broker.take(app.broker.faces.dead)) {
        reasons.set(String(content), String(properties.headers?.['x-reason']));
      }
      return reasons.size >= poison.length;
    });
    for (const [message, reason] of poison) {
      const text = typeof message === 'string' ? message : JSON.stringify(message);
      // If a message is too large, its beginning is stored.
      assert.match(reasons.get(text.slice(0, 262_144)) ?? 'not parked', reason);
    }
    assert.equal(reasons.size, poison.length);
  });
});
