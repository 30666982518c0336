import assert from 'node:assert/strict';
import type { ConsumeMessage } from 'amqplib';
import { FAILURES_MAX, readFacts } from './consumer.ts';
import { faceTopologyOf } from '../broker/topology.ts';

const topology = faceTopologyOf();
const delayed = [{ queue: topology.delays[0]?.queue, count: 1 }];
const facts = (properties: object) =>
  // A sender can set any properties.
  readFacts({ properties } as unknown as ConsumeMessage, topology);

describe('readFacts', () => {
  it('counts the failures of a message that comes from a delay queue', () =>
    assert.equal(facts({ headers: { 'x-failures': 3, 'x-death': delayed } }).failures, 3));

  for (const [what, count] of Object.entries({
    text: 'many',
    'a negative number': -1e9,
    'a half': 0.5,
    'a big integer': 2n ** 63n,
    'an object': {},
    nothing: undefined,
    'more than there can be': FAILURES_MAX + 1,
  }))
    it(`treats ${what} as the maximum of failures`, () =>
      assert.equal(facts({ headers: { 'x-failures': count, 'x-death': delayed } }).failures, FAILURES_MAX));

  it('does not trust foreign counts of failures', () => {
    for (const deaths of [undefined, null, 'x', {}, [], [null], [7], [{}], [{ queue: topology.queue }]])
      for (const count of [9, -5, 'many'])
        assert.equal(facts({ headers: { 'x-failures': count, 'x-death': deaths } }).failures, 0);
    assert.equal(facts({}).failures, 0);
    assert.equal(facts({ headers: null }).failures, 0);
  });

  it('reads a well-formed trace id only', () => {
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    assert.equal(facts({ headers: { traceparent } }).traceparent, traceparent);
    for (const odd of ['', 'a b', 'x'.repeat(129), 7, {}, null, ['x']])
      assert.equal(facts({ headers: { traceparent: odd } }).traceparent, undefined);
  });

  it('reads well-formed ids and types only', () => {
    const words = { contentType: 'application/cloudevents+json', messageId: 'a-1', type: 'account.verified' };
    assert.deepEqual(facts(words).identity, words);
    // 255 bytes that are not UTF-8 are decoded to text of three times that size, which no copy could carry.
    for (const odd of ['', '\ufffd'.repeat(255), 'a b', 'a\r\nb', '\u0000', 'x'.repeat(129), 7, {}, null])
      assert.deepEqual(facts({ contentType: odd, messageId: odd, type: odd }).identity, {});
  });
});
