import assert from 'node:assert/strict';
import { newAccount, someEmail } from '@gatehouse/accounts/testing';
import { ALL_ROUTES, nameOf } from '@gatehouse/codegen';
import { during } from '@gatehouse/runtime/testing';
import { createFixtures } from '../requests/objects.ts';
import { requestFor } from '../requests/request-for.ts';
import type { Received, Sent } from '../requests/send.ts';
import { startServices } from '../requests/services.ts';
import { smallest } from '../requests/smallest.ts';

const ROUTES = ALL_ROUTES.filter(({ route }) => route.access === 'public');

/** What an account without a password can be, by changes of its row. */
const STATES: Record<string, string> = {
  active: '',
  'of an unverified email (4)': 'email_verified_at = null',
  'waiting for its owner (5)': `signup = 'new', email_verified_at = null`,
  'waiting for its owner (6)': `signup = 'migration', email_verified_at = null`,
  'waiting for its owner (9)': `signup = 'invitation', email_verified_at = null`,
  'disabled (3)': 'is_disabled = true',
  'with a required new password (7)': 'new_password_required = true',
  'expired (8)': 'expires_at = now()',
  'with a required second factor (1)': 'two_factor_required = true',
};
const ROLES: Record<string, string> = {
  user: `role = 'User'`,
  guest: `role = 'Guest'`,
  administrator: `role = 'Admin'`,
  program: 'is_service = true',
};

/** The fields of requests that name an account. */
const NAMES = /^(email|username|login_hint)$/i;

for (const EMAIL_LOGIN of ['guests', 'users'] as const)
  describe(`every public call about an account without a password, with EMAIL_LOGIN=${EMAIL_LOGIN}`, () => {
    const services = during(() => startServices({ EMAIL_LOGIN }));
    let fixtures: ReturnType<ReturnType<typeof createFixtures>['of']>;
    before(() => (fixtures = createFixtures(services, services.adminToken).of(undefined)));

    const subject = async (...sets: string[]): Promise<string> => {
      const { id, email } = await newAccount(services.app);
      const all = ['password_hash = null', 'password_scheme = null', ...sets].filter((one) => one !== '');
      await services.sql(`update account set ${all.join(', ')} where id = ?`, [id]);
      return email;
    };

    for (const { api, route } of ROUTES) {
      const { oneOfFields = { '': [] } }: { oneOfFields?: Record<string, string[]> } = route.body ?? {};
      for (const [choice, fields] of Object.entries(oneOfFields))
        it(`has one answer for all roles: ${[nameOf(route), choice].filter(Boolean).join(', ')}`, async () => {
          const requestAbout = async (email: string): Promise<Sent> => {
            const named = async (field: string) => (NAMES.test(field) ? email : fixtures.inField(field));
            const sent = await requestFor(route, { ...fixtures, inField: named });
            const body = route.body && { ...route.body, oneOfFields: { [choice]: fields } };
            return choice === '' || body === undefined
              ? sent
              : { ...sent, body: await smallest(body, named) };
          };
          const ask = async (email: string): Promise<string> =>
            visible(await services.send(api, await requestAbout(email)), email);
          const first = JSON.stringify(await requestAbout('the.subject'));
          // It says whom it is about in a field that is missing above.
          assert.doesNotMatch(first, /@/);
          if (!first.includes('the.subject')) return;
          for (const [state, changes] of Object.entries(STATES)) {
            const answers: Record<string, string> = {};
            // A second factor cannot be required of a program.
            const roles = Object.entries(ROLES).filter(
              ([role]) => role !== 'program' || !/\(1\)/.test(state),
            );
            await Promise.all(
              roles.map(async ([role, set]) => (answers[role] = await ask(await subject(set, changes)))),
            );
            // The answer to a password says who waits for their owner (SECURITY.md).
            const tells = nameOf(route) === 'POST /account/login' && fields.includes('Password');
            if (!tells || !state.startsWith('waiting')) answers['nobody'] = await ask(someEmail());
            const [one] = Object.values(answers);
            const alike = Object.fromEntries(Object.keys(answers).map((role) => [role, one]));
            assert.deepEqual(answers, alike, state);
          }
        });
    }
  });

/** What a caller sees of an answer, without what differs in every answer. */
function visible({ status, headers, text }: Received, email: string): string {
  const alike = text
    .replaceAll(email, 'the email')
    .replaceAll(/"[\w.-]{32,}"/g, '"a secret"')
    .replaceAll(/[0-9a-f]{32}/g, 'an id');
  return JSON.stringify([status, Object.keys(headers).toSorted(), alike]);
}
