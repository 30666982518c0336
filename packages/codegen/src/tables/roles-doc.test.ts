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

  it('allows an ended session only these routes', () =>
    assert.deepEqual(admitting('Ended session'), ['POST /account/ping']));

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
