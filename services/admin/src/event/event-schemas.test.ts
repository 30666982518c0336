import assert from 'node:assert/strict';
import { eventTypes, newEvent } from '@gatehouse/events';
import { compile, type TSchema } from '@gatehouse/schema';
import { v7 as newId } from 'uuid';
import { cast } from '../testing/cast.ts';

describe('GET /events.json', () => {
  const { get } = cast();

  it('publishes the schema of every event', async () => {
    const { body } = await get('/events.json')
      .expect(200)
      .expect('content-type', /^application\/json/);
    assert.deepEqual(Object.keys(body).toSorted(), eventTypes.toSorted());
    for (const type of eventTypes) {
      assert.equal(body[type].properties.type.const, type);
    }
    const check = compile(body['session.ended'] as TSchema, { unknownFields: 'refuse' });
    const event = newEvent('session.ended', { SessionId: newId(), UserId: newId(), Status: 4 });
    assert.equal(check(event), undefined);
    assert.notEqual(check({ ...event, data: {} }), undefined);
  });
});
