import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { ROOT } from '../write-generated.ts';
import { callersOf, readRoles, ROLES_PAGE, rolesPage } from './role-table.ts';

describe('docs/roles.md', () => {
  const rows = readRoles();
  const admittedTo = (pattern: RegExp) => {
    const found = rows.filter(({ path }) => pattern.test(path));
    assert.ok(found.length > 0, String(pattern));
    return found;
  };

  /** The routes that admit these, but not everybody. */
  const admitting = (whom: (typeof rows)[number]['admitted'][number]) => {
    const admits = ({ admitted }: (typeof rows)[number]) =>
      admitted.includes(whom) && !admitted.includes('Nobody');
    return rows
      .filter(admits)
      .map(({ name }) => name)
      .toSorted();
  };

  it('lists who may call each route; `npm run openapi` regenerates it', async () =>
    assert.equal(await readFile(new URL(ROLES_PAGE, ROOT), 'utf8'), await rolesPage()));

  it('allows only these routes without a token', () => {
    const open = rows.filter(({ admitted }) => admitted.includes('Nobody')).map(({ name }) => name);
    assert.deepEqual(open.toSorted(), [
      'GET /.well-known/jwks.json',
      'GET /.well-known/oauth-authorization-server',
      'GET /.well-known/openid-configuration',
      'GET /.well-known/webauthn',
      'GET /account/options',
      'GET /account/visitor',
      'GET /auth/{provider}/callback',
      'GET /auth/{provider}/login',
      'GET /console/options',
      'GET /console/visitor',
      'GET /events.json',
      'GET /oauth/jwks.json',
      'GET /oauth/userinfo',
      'GET /ping',
      'POST /account/code',
      'POST /account/forgot-password',
      'POST /account/handover/exchange',
      'POST /account/invitation',
      'POST /account/login',
      'POST /account/login/email',
      'POST /account/login/passkey',
      'POST /account/refresh-token',
      'POST /account/register',
      'POST /account/register-guest',
      'POST /account/registration',
      'POST /account/resend-invitation',
      'POST /account/resend-verification',
      'POST /account/reset-password',
      'POST /account/restore',
      'POST /account/take-back-email',
      'POST /account/verify',
      'POST /api/auth/{provider}/exchange',
      'POST /api/auth/{provider}/renew',
      'POST /auth/{provider}/backchannel-logout',
      'POST /auth/{provider}/callback',
      'POST /console/handover/exchange',
      'POST /console/session',
      'POST /console/session/passkey',
      'POST /oauth/authorization',
      'POST /oauth/device',
      'POST /oauth/device_authorization',
      'POST /oauth/end-session',
      'POST /oauth/introspect',
      'POST /oauth/revoke',
      'POST /oauth/token',
      'POST /oauth/userinfo',
    ]);
  });

  it('allows an ended session only these routes', () => {
    assert.deepEqual(admitting('Ended session'), ['POST /account/ping']);
  });

  it('allows a Feed token nothing but to check the tokens of others', () => {
    const feed = ['GET /ping/auth', 'GET /session-event', 'GET /session-event/stream'];
    assert.deepEqual(admitting('Feed token'), feed);
  });

  it('reserves the console for sessions of administrators', () => {
    const signIn = ['POST /console/session', 'POST /console/session/passkey'];
    const console = admittedTo(/^\/console\/(session|handover$)/).filter(
      ({ name }) => !signIn.includes(name),
    );
    for (const { name, admitted } of console) assert.deepEqual(admitted, ['Admin'], name);
  });

  it('reserves administration for administrators', () => {
    for (const { name, admitted } of admittedTo(/^\/admin\//))
      assert.deepEqual(admitted, ['Admin', 'Admin token'], name);
  });

  it('does not allow guests to invite, remove, check emails or manage persons', () => {
    for (const { name, admitted } of admittedTo(
      /^\/(person|account\/(content\/\{id\}|invite-user$|remove-user$|email-availability$))/,
    ))
      assert.deepEqual(admitted, ['User', 'Admin', 'Service token', 'Admin token'], name);
  });

  it('does not allow static tokens on routes about the caller’s own account or session', () => {
    for (const { name, admitted } of admittedTo(
      /^\/account\/(profile|session|two-factor|change-|confirm-|logout)/,
    ))
      assert.deepEqual(admitted, ['Guest', 'User', 'Admin'], name);
  });

  it('is not generated for an unknown access rule', () => {
    for (const access of ['everybody', '', [], ['Root'], ['User', 'constructor']]) {
      // TypeScript refuses this too.
      const route = { method: 'get', path: '/x', access: access as unknown as 'bearer' } as const;
      assert.throws(() => callersOf(route), /nobody knows/);
    }
  });
});
