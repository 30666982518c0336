import assert from 'node:assert/strict';
import { query } from '@gatehouse/db';
import { during, eventually } from '@gatehouse/runtime/testing';
import { createVerifier } from 'gatehouse-verify';
import { claimsIn, startOAuthCore } from '../../../../../services/core/src/oauth/testing.ts';
import { codeOf } from '../../verify/installation.ts';
import { prepare, removePasskey, reportsOf, startInstallation, WAYS, type Way } from './ways.ts';

/** What ends nothing else. */
const OWN_WAYS: Record<string, Way> = {
  'its owner, in the list': {
    ...{ by: 'client', reason: 'signed_out' },
    end: ({ http, bearer }, { Token }) => http.delete('/account/grant').set(bearer(Token)).expect(204),
  },
  'an administrator, in the list': {
    ...{ by: 'client', reason: 'signed_out' },
    end: ({ administer }, { id }) => administer('delete', `account/${id}/grant`),
  },
  'the removal of a passkey that did not open it': { by: 'client', end: removePasskey },
};

async function startTwo() {
  const at = await startInstallation();
  const other = await startOAuthCore({}, at);
  await other.app.relay.stop();
  const { Token: feedToken } = await at.newToken({ role: 'Feed' });
  return {
    ...{ at, cores: [at, other], feedToken },
    stop: async () => {
      await other.stop();
      await at.stop();
    },
  };
}

describe('a sign-in that has no session, on two instances,', () => {
  const two = during(startTwo);

  /** Who check tokens for this audience by themselves, each by the feed of one instance. */
  const verifiersFor = (audience: string) =>
    Promise.all(
      two.cores.map(async ({ url, app }) => {
        const revocation = { feed: { token: two.feedToken } };
        const verifier = createVerifier({ issuer: app.settings.ISSUER, url, audience, revocation });
        await eventually(() => verifier.isFresh);
        return verifier;
      }),
    );

  for (const [way, { client: fields, asked = {}, reason, end }] of Object.entries({ ...WAYS, ...OWN_WAYS }))
    it(`${reason === undefined ? 'outlives' : 'ends with'} ${way}`, async () => {
      const { at, cores } = two;
      const { client, who } = await at.letIn({ grants: 'own', ...fields });
      const { access_token: token, refresh_token: refreshToken } = await at.open(client, who, asked);
      const id = String(claimsIn(token)['sid']);
      const verifiers = await verifiersFor(asked['resource'] ?? client.id);
      const accepted = async (): Promise<boolean[]> => {
        // With an API of its own, the token is of no use at userinfo.
        const asking = asked['resource'] === undefined ? cores : [];
        return Promise.all([
          ...asking.map(async ({ userinfo }) => (await userinfo(token)).status === 200),
          ...verifiers.map(async (verifier) => codeOf(await verifier.verify(token)) === 'caller'),
        ]);
      };
      const refreshed = async () => {
        const statuses: boolean[] = [];
        for (const { refresh } of cores) statuses.push((await refresh(client, refreshToken)).status === 200);
        return statuses;
      };
      try {
        assert.ok((await accepted()).every(Boolean));
        await prepare(at, who, way);
        await end(at, who, client);
        const rows = (sql: string) => query.count(at.app.db, sql, [id]);
        const told = await rows('select 1 from hook_delivery where session_id = ?');
        const inFeed = await rows(`select 1 from session_event where session_id = ? and status = 4`);
        if (reason === undefined) {
          assert.deepEqual([told, inFeed], [0, 0]);
          assert.ok([...(await accepted()), ...(await refreshed())].every(Boolean));
          return;
        }
        assert.deepEqual([told, inFeed], [way === 'the deletion of the application' ? 0 : 1, 1]);
        assert.deepEqual(await reportsOf(at, token), [reason]);
        await eventually(async () => !(await accepted()).some(Boolean), 1);
        assert.ok(!(await refreshed()).some(Boolean));
      } finally {
        for (const verifier of verifiers) verifier.close();
      }
    });
});
