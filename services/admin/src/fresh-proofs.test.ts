import assert from 'node:assert/strict';
import { someAddress } from '@gatehouse/accounts/testing';
import { v7 as newId } from 'uuid';
import { routes } from './app.ts';
import { cast, SAME_ORIGIN } from './testing/cast.ts';

/** Which routes ask for a fresh proof, so that none begins or ends to do so by an oversight. */
const PROOFS = {
  // Of a restricted token, too, which has none: what it leaves could do more than itself.
  always: [
    'DELETE /admin/account/:id/passkey/:passkeyId',
    'DELETE /admin/account/:id/two-factor',
    'PATCH /admin/webhook/:id',
    'POST /admin/account/:id/restore',
    'POST /admin/oauth-client',
    'POST /admin/oauth-client/:id/rotate',
    'POST /admin/webhook',
    'POST /admin/webhook/:id/rotate',
  ],
  session: [
    'DELETE /admin/account/:id',
    'DELETE /admin/account/:id/identity/:number',
    'DELETE /admin/api-token/:id',
    'DELETE /admin/content-definition/:id',
    'DELETE /admin/oauth-client/:id',
    'DELETE /admin/webhook/:id',
    'GET /admin/account/:id/export',
    'POST /admin/api-token',
    'POST /admin/api-token/:id/rotate',
  ],
  when: [
    'PATCH /admin/account/:id',
    'PATCH /admin/oauth-client/:id',
    'POST /admin/account',
    'POST /admin/account/:id/change-email',
    'POST /admin/account/:id/invite',
    'POST /admin/account/:id/reset-password',
    'POST /admin/account/:id/unlock',
    'POST /admin/account/bulk',
    'POST /admin/account/bulk/invite',
    'POST /admin/account/import',
    'POST /admin/invitation/bulk',
    'POST /admin/user-session',
  ],
  // Nothing here blinds who watches, or destroys what cannot be made again.
  never: [
    'DELETE /admin/account/:id/grant',
    'DELETE /admin/account/:id/grant/:grantId',
    'DELETE /admin/invitation/:id',
    'DELETE /admin/oauth-client/:id/session/:sessionId',
    'DELETE /console/session',
    'POST /admin/content-definition',
    'POST /admin/content-definition/:id/invite',
    'POST /admin/content-definition/:id/remove',
    'POST /admin/hook-delivery/:id/retry',
    'POST /admin/hook-delivery/retry',
    'POST /admin/invitation/:id/resend',
    'POST /admin/mail/:id/retry',
    'POST /admin/mail/retry',
    'POST /admin/mail/test',
    'POST /admin/webhook/:id/test',
    'POST /console/handover',
    'POST /console/session/confirm',
    'POST /console/session/confirm/passkey',
    'POST /console/session/ping',
    'PUT /admin/content-definition/:id',
  ],
};

describe('every route of Admin that asks for a fresh proof', () => {
  const { app, boss, http, newToken, sql } = cast({});
  let cookie: Record<string, string>;
  let restricted: string;
  let free: string;
  before(async () => {
    const { id: accountId, sessionId } = boss;
    await sql(`update user_session set authenticated_at = now() - interval '1 hour'`);
    const value = app().browser.sessions.issue('console', { accountId, sessionId });
    cookie = { cookie: `__Host-gatehouse-console=${value}`, ...SAME_ORIGIN };
    free = (await newToken({ role: 'Admin' })).Token;
    restricted = (await newToken({ role: 'Admin', expiresAt: new Date(Date.now() + 3_600_000) })).Token;
  });

  const all = routes.filter(
    ({ access, recent, method }) => recent !== undefined || (method !== 'get' && access !== 'public'),
  );
  const nameOf = ({ method, path }: (typeof all)[number]) => `${method.toUpperCase()} ${path}`;
  const kindOf = ({ recent }: (typeof all)[number]) => {
    if (recent === true) return 'always';
    if (recent === 'session') return 'session';
    return recent !== undefined && 'when' in recent ? 'when' : 'never';
  };

  it('is listed here', () => {
    const found = { always: [], session: [], when: [], never: [] } as Record<string, string[]>;
    for (const one of all) found[kindOf(one)]?.push(nameOf(one));
    for (const names of Object.values(found)) names.sort();
    assert.deepEqual(found, PROOFS);
  });

  for (const one of all.filter((route) => ['always', 'session'].includes(kindOf(route))))
    it(`${nameOf(one)} asks a person, and refuses a restricted token what could outlast it`, async () => {
      const path = one.path.replace(':number', '1').replaceAll(/:\w+/g, () => newId());
      const codeFor = async (headers: Record<string, string>): Promise<unknown> => {
        const api = http();
        const request = api[one.method](path).set({ ...headers, 'x-forwarded-for': someAddress() });
        const { status, body } = await (one.body === undefined ? request : request.send({}));
        return status === 403 ? (body as { code: string }).code : undefined;
      };
      assert.equal(await codeFor(cookie), 'confirmation_required');
      const expected = kindOf(one) === 'always' ? 'forbidden' : undefined;
      assert.equal(await codeFor({ authorization: `Bearer ${restricted}` }), expected);
      assert.equal(await codeFor({ authorization: `Bearer ${free}` }), undefined);
    });
});
