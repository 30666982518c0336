import assert from 'node:assert/strict';
import { accountFixtures } from '@gatehouse/accounts/testing';
import { startCore } from '../testing/index.ts';
import { readPersonRoles } from './person.ts';

describe('PERSON_ROLES', () => {
  it('limits who may manage persons, on every route', async () => {
    const core = await startCore({ AMQP_URL: 'amqp://127.0.0.1:1' }, undefined, {
      personRoles: ['Admin', 'Service'],
    });
    try {
      const user = core.bearer((await core.login(await core.newAccount())).Token);
      const id = '019a0000-0000-7000-8000-000000000000';
      for (const [method, path] of [
        ['get', '/person'],
        ['post', '/person'],
        ['get', `/person/${id}`],
        ['put', `/person/${id}`],
        ['delete', `/person/${id}`],
        ['get', `/person/${id}/Automatch`],
        ['post', `/person/${id}/face`],
        ['put', `/person/${id}/face`],
        ['put', `/person/${id}/face/${id}`],
      ] as const) {
        const { status, body } = await core.http[method](path).set(user);
        assert.deepEqual([status, body.code], [403, 'forbidden'], `${method} ${path}`);
      }
      const fixtures = accountFixtures(core.app);
      const admin = await fixtures.login(await fixtures.newAccount({ role: 'Admin' }));
      const service = await fixtures.newToken();
      for (const token of [admin.Token, service.Token]) {
        await core.http.get('/person').set(core.bearer(token)).expect(200);
      }
    } finally {
      await core.stop();
    }
  });

  it('accepts role names in any case and order, and nothing else', () => {
    assert.deepEqual(readPersonRoles('service, ADMIN'), ['Admin', 'Service']);
    assert.deepEqual(readPersonRoles('User,Admin,Service'), ['User', 'Admin', 'Service']);
    for (const text of ['', ',', 'Guest', 'Admin,', 'Admin;User', 'Admin User', 'Root,Admin']) {
      assert.equal(readPersonRoles(text), undefined, text);
    }
  });
});
