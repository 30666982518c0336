import assert from 'node:assert/strict';
import { readAudit, whileAuditFails } from '@gatehouse/accounts/testing';
import { query } from '@gatehouse/db';
import { someName, startPersons, type TestPersons } from '../testing/persons.ts';

describe('audit and events for changes of persons', () => {
  let core: TestPersons;
  before(async () => {
    // Without a broker, events stay in the outbox, where the test reads them.
    core = await startPersons({ AMQP_URL: 'amqp://127.0.0.1:1' });
  });
  after(() => core.stop());

  const events = async () => {
    const rows = await query<{ event: { type: string; data: { PersonId?: string } } }>(
      core.app.db,
      'select event from outbox order by id',
    );
    return rows.map(({ event }) => event);
  };

  it('record each change in the audit and as an event, with ids only', async () => {
    const user = await core.loggedIn('User');
    const name = someName();
    const { body } = await core.call('post', '/person', user, { Name: name, Notes: 'x' }).expect(201);
    await core.call('put', `/person/${body.Id}`, user, { Name: name, Notes: 'y' }).expect(200);
    await core.call('delete', `/person/${body.Id}`, user).expect(204);
    const { entries, text } = await readAudit(core.app, { targetId: body.Id });
    assert.deepEqual(
      entries.map(({ action, actorId, details }) => [action, actorId, details]),
      [
        ['person.deleted', user.id, {}],
        ['person.changed', user.id, { Fields: ['Notes'] }],
        ['person.created', user.id, {}],
      ],
    );
    assert.ok(!text.includes(name));
    const own = (await events()).filter(({ data }) => data.PersonId === body.Id);
    assert.deepEqual(
      own.map(({ type }) => type),
      ['person.created', 'person.updated', 'person.deleted'],
    );
  });

  it('are atomic with the change', async () => {
    const id = await core.addPerson();
    const face = await core.addFace(id);
    const { body: before } = await core.get(`/person/${id}`);
    const name = someName();
    await whileAuditFails(core.app, async () => {
      await core.post('/person', { Name: name }).expect(500);
      await core.put(`/person/${id}`, { Name: name }).expect(500);
      await core.put(`/person/${id}/face/${face.Id}`, { FaceMatchType: 3 }).expect(500);
      await core.remove(`/person/${id}`).expect(500);
    });
    assert.deepEqual((await core.get(`/person/${id}`)).body, before);
    assert.deepEqual((await core.get(`/person?search=${encodeURIComponent(name)}`)).body.Items, []);
  });
});
