import assert from 'node:assert/strict';
import { someAddress } from '@gatehouse/accounts/testing';
import { v7 as newId } from 'uuid';
import { routes } from './app.ts';
import { cast, SAME_ORIGIN } from './testing/cast.ts';

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

  // docs/roles.md lists them and the others, which ask for one only when, or never.
  const asking = routes.filter(({ recent }) => recent === true || recent === 'session');
  for (const one of asking) {
    const name = `${one.method.toUpperCase()} ${one.path}`;
    it(`${name} asks a person, and refuses a restricted token what could outlast it`, async () => {
      const path = one.path.replace(':number', '1').replaceAll(/:\w+/g, () => newId());
      const codeFor = async (headers: Record<string, string>): Promise<unknown> => {
        const api = http();
        const request = api[one.method](path).set({ ...headers, 'x-forwarded-for': someAddress() });
        const { status, body } = await (one.body === undefined ? request : request.send({}));
        return status === 403 ? (body as { code: string }).code : undefined;
      };
      assert.equal(await codeFor(cookie), 'confirmation_required');
      const expected = one.recent === true ? 'forbidden' : undefined;
      assert.equal(await codeFor({ authorization: `Bearer ${restricted}` }), expected);
      assert.equal(await codeFor({ authorization: `Bearer ${free}` }), undefined);
    });
  }
});
