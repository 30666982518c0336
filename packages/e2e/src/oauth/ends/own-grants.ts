import assert from 'node:assert/strict';
import { query } from '@gatehouse/db';
import { eventually } from '@gatehouse/runtime/testing';
import type { AppEndReason } from '@gatehouse/schema';
import { claimsIn } from '../../../../../services/core/src/oauth/testing.ts';
import { prepare, removePasskey, reportsOf, WAYS, type Installation, type Way } from './ways.ts';

/** What ends one session, or some that somebody chose, and not what the account has besides. */
const OUTLIVED = new Set([
  'a logout',
  'a logout by an application',
  'its owner elsewhere',
  'another login',
  'its age',
  'its identity provider',
  'an administrator, by its id',
  'an administrator, as expired',
  'an administrator, in a list',
  'an administrator, by a filter',
  'the removal of a passkey that did not open it',
]);

/** Why the others end it. */
const REASONS: Record<string, AppEndReason> = {
  'an administrator, by its account': 'administrator',
  'a ban': 'account_disabled',
  'the end of its account': 'account_expired',
  'an order of erasure': 'account_erased',
  'a new password': 'password_changed',
  'the removal of a passkey': 'passkey_removed',
  'an unlinked identity': 'identity_unlinked',
  'the withdrawal of the consent': 'consent_withdrawn',
  'the loss of its role': 'not_allowed',
  'the loss of its group': 'not_allowed',
  'the deletion of the application': 'application_deleted',
  'its owner, in the list': 'signed_out',
  'an administrator, in the list': 'signed_out',
};

/** What ends nothing else. */
const OWN_WAYS: Record<string, Way> = {
  'its owner, in the list': {
    by: 'client',
    end: ({ http, bearer }, { Token }) => http.delete('/account/grant').set(bearer(Token)).expect(204),
  },
  'an administrator, in the list': {
    by: 'client',
    end: ({ administer }, { id }) => administer('delete', `account/${id}/grant`),
  },
  'the removal of a passkey that did not open it': { by: 'client', end: removePasskey },
};

/** Who checks tokens by itself. */
export interface Checker {
  accepts(token: string): Promise<boolean>;
  close(): void;
}

interface Place {
  at: Installation;
  /** All instances of Core. */
  cores: () => readonly Pick<Installation, 'http' | 'refresh'>[];
  /** Who checks tokens for this audience. */
  checkersFor?: (audience: string) => Promise<Checker[]>;
}

/** Defines a test for each way in which sessions and sign-ins end, with a sign-in that has no session. */
export function itEndsOnlyWithWhatIsItsOwn({ at, cores, checkersFor }: Place): void {
  for (const [way, { client: fields, asked = {}, end }] of Object.entries({ ...WAYS, ...OWN_WAYS })) {
    const isOutlived = OUTLIVED.has(way);

    it(`${isOutlived ? 'outlives' : 'ends with'} ${way}`, async () => {
      const { client, who } = await at.letIn({ grants: 'own', ...fields });
      const { access_token: token, refresh_token: refreshToken } = await at.open(client, who, asked);
      const id = String(claimsIn(token)['sid']);
      const checkers = (await checkersFor?.(asked['resource'] ?? client.id)) ?? [];
      /** Whether each instance accepts the token, and everybody who checks it. */
      const accepted = async (): Promise<boolean[]> => {
        const userinfo = async ({ http }: Pick<Installation, 'http'>) =>
          (await http.get('/oauth/userinfo').set(at.bearer(token))).status === 200;
        return Promise.all([
          // With an API of its own, the token is of no use here.
          ...(asked['resource'] === undefined ? cores().map(userinfo) : []),
          ...checkers.map((checker) => checker.accepts(token)),
        ]);
      };
      const refreshed = async () => {
        const statuses: boolean[] = [];
        for (const { refresh } of cores())
          statuses.push((await refresh(client, refreshToken)).status === 200);
        return statuses;
      };
      try {
        assert.ok((await accepted()).every(Boolean));
        await prepare(at, who, way);
        await end(at, who, client);
        const rows = (sql: string) => query.count(at.app.db, sql, [id]);
        const told = await rows('select 1 from hook_delivery where session_id = ?');
        const inFeed = await rows(`select 1 from session_event where session_id = ? and status = 4`);
        if (isOutlived) {
          assert.deepEqual([told, inFeed], [0, 0]);
          assert.ok([...(await accepted()), ...(await refreshed())].every(Boolean));
          return;
        }
        assert.deepEqual([told, inFeed], [way === 'the deletion of the application' ? 0 : 1, 1]);
        assert.deepEqual(await reportsOf(at, token), [REASONS[way] ?? 'application_changed']);
        await eventually(async () => !(await accepted()).some(Boolean), 1);
        assert.ok(!(await refreshed()).some(Boolean));
      } finally {
        for (const checker of checkers) checker.close();
      }
    });
  }
}
