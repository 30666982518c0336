import assert from 'node:assert/strict';
import { base32Bytes, hashElsewhere, totpCode } from '@gatehouse/auth-core/testing';
import { PASSWORD } from '../../../e2e/src/testing/index.ts';
import { invite, newGuest, signOn } from '../people.ts';
import type { Target } from '../target.ts';

/** Hashing a password at this cost takes long enough to be visible in the time of a response. */
export const BCRYPT_COST = 7;

/** Subjects that a stranger may ask about, by class: emails of accounts, or secrets of links. */
export type Subjects = Record<string, string>;

/** The email of one account of each class. */
export async function everyAccount(target: Target): Promise<Subjects> {
  const person = async (overrides: object, changes?: object) => {
    const { id, email } = await target.newPerson(overrides);
    if (changes !== undefined) await target.change(id, changes);
    return email;
  };
  const registered = target.someEmail();
  await target.posts('core', '/account/register', { Email: registered, Password: PASSWORD });
  const invited = target.someEmail();
  await invite(target, invited);
  const signedOn = target.someEmail();
  await signOn(target, signedOn);
  return {
    active: await person({}),
    guest: await newGuest(target),
    'single sign-on alone': signedOn,
    'two-factor on': await withTwoFactor(target),
    ...(await importedAt(target, [4, BCRYPT_COST + 1, BCRYPT_COST + 2])),
    'pending confirmation (4)': registered,
    'pending signup (5)': await person({ Password: undefined }),
    'pending migration (6)': await person({ Password: undefined, IsMigrated: true }),
    'pending invitation (9)': invited,
    'disabled (3)': await person({}, { IsDisabled: true }),
    'new password required (7)': await person({}, { NewPasswordRequired: true }),
    'expired (8)': await person({}, { ExpiresAt: '2020-01-01T00:00:00Z' }),
    'two-factor required (1)': await person({}, { TwoFactorRequired: true }),
  };
}

/** Accounts imported from another system, with password hashes that are cheaper or more expensive than ours. */
async function importedAt(target: Target, costs: readonly number[]): Promise<Subjects> {
  const imported = costs.map((cost) => ({ cost, Email: target.someEmail() }));
  const lines = imported.map(({ cost, Email }) => ({ Email, PasswordHash: hashElsewhere(PASSWORD, cost) }));
  const { status, json, text } = await target.imported(...lines);
  assert.deepEqual([status, json['Imported']], [200, costs.length], text);
  return Object.fromEntries(imported.map(({ cost, Email }) => [`imported at cost ${cost}`, Email]));
}

async function withTwoFactor(target: Target): Promise<string> {
  const { email } = await target.newPerson();
  const { Token } = await target.logIn(email);
  const setup = await target.posts('core', '/account/two-factor', { Password: PASSWORD }, Token);
  const { Secret } = setup.json['TwoFactorSetup'] as { Secret: string };
  const TwoFactorCode = totpCode(base32Bytes(Secret), Date.now());
  const { status, text } = await target.posts('core', '/account/two-factor', { TwoFactorCode }, Token);
  assert.equal(status, 200, text);
  return email;
}

/** The secret of one link of each kind that is not valid any more. */
export async function everyDeadLink(target: Target): Promise<Subjects> {
  const used = target.someEmail();
  await invite(target, used);
  const usedLink = await target.mailedInvitation(used);
  const registration = { InvitationToken: usedLink, Password: PASSWORD, DisplayName: 'Gus' };
  assert.equal((await target.posts('portal', '/account/register-guest', registration)).status, 200);

  const twice = target.someEmail();
  await invite(target, twice);
  const replaced = await target.mailedInvitation(twice);
  await invite(target, twice);

  const link = async (end: (id: string) => Promise<unknown>): Promise<string> => {
    const email = target.someEmail();
    const { UserId } = await invite(target, email);
    const secret = await target.mailedInvitation(email);
    await end(UserId);
    return secret;
  };
  const { contentDefinitionId } = target.stack.facts.seed;
  return {
    used: usedLink,
    'replaced by a newer one': replaced,
    revoked: await link(async (UserId) => {
      const removal = { UserId, ContentId: contentDefinitionId };
      assert.equal(
        (await target.posts('portal', '/account/remove-user', removal, target.adminToken)).status,
        200,
      );
    }),
    'of a disabled guest': await link((id) => target.change(id, { IsDisabled: true })),
    'of an expired guest': await link((id) => target.change(id, { ExpiresAt: '2020-01-01T00:00:00Z' })),
  };
}
