import assert from 'node:assert/strict';
import { readSid } from '@gatehouse/auth-core';
import { testLog } from '@gatehouse/runtime/testing';
import { emailKey } from '@gatehouse/schema';
import { createNamedGroups } from './named-groups.ts';
import { gatherClaims, personOf, type Claims } from './person-claims.ts';
import { readProviderSettings } from './provider-settings.ts';

function settingsOf(wished: object = {}) {
  const [settings] = readProviderSettings(
    JSON.stringify([
      {
        ...{ id: 'corp', issuer: 'https://idp.example.com', clientId: 'gatehouse', clientSecret: 'secret' },
        ...{ returnUrls: ['https://app.example.com/'], trustEmail: true, ...wished },
      },
    ]),
  );
  assert.ok(settings);
  return settings;
}

function read(claims: Claims, wished?: object) {
  const settings = settingsOf(wished);
  const groups = createNamedGroups(settings.id, settings.groups, testLog());
  const { email, isEmailVerified, displayName } = personOf(settings, { sub: 'ann' }, claims, groups);
  return { email, isEmailVerified, displayName };
}

describe('the claims of a person', () => {
  for (const [said, isVerified] of [
    ...[true, 'true', 'True', 1, '1'].map((yes) => [yes, true] as const),
    ...[false, 'false', 0, '0', 2, '', 'yes', null, undefined, [true], {}].map((no) => [no, false] as const),
  ])
    it(`with ${JSON.stringify(said) ?? 'nothing'} as email_verified: ${isVerified}`, () => {
      const claims = { email: 'ann@example.com', email_verified: said };
      assert.equal(read(claims).isEmailVerified, isVerified);
      assert.equal(read(claims, { emailVerified: 'always' }).isEmailVerified, true);
    });

  it('may have the email in a list, whose first is taken', () => {
    const claims = { emails: ['ann@example.com', 'other@example.com'] };
    assert.equal(read(claims, { claims: { email: 'emails' } }).email, 'ann@example.com');
    const wrong = [null, 'ann', 'a@example.com, b@example.com', 'a\ud800@example.com'];
    for (const email of [...wrong, [], [7], [['ann@example.com']], ['no email', 'ann@example.com']])
      assert.equal(read({ email }).email, undefined);
  });

  it('have an email in every spelling of it, and none whose mailbox only looks like it', () => {
    for (const email of ['ANN@EXAMPLE.COM', '  ann@example.com ', 'ann@example。com'])
      assert.equal(emailKey(read({ email }).email ?? ''), 'ann@example.com');
    for (const email of [
      'ａｎｎ@example.com',
      'ann＠example.com',
      'an\u0301n@example.com',
      '\u202eann@example.com',
    ])
      assert.equal(read({ email }).email, undefined, email);
  });

  it('may name the provider’s session in any text that Postgres can keep', () => {
    for (const sid of ['Sitzung für Jürgen 🔑', '\u0001', 'x'.repeat(255)]) assert.equal(readSid(sid), sid);
    for (const sid of [undefined, 7, '', 'x'.repeat(256), 'a\0', '\ud800'])
      assert.equal(readSid(sid), undefined);
  });

  it('may have the name in two parts, unless it is whole', () => {
    const parts = { given_name: 'Ann', family_name: 'Example' };
    for (const [claims, name] of [
      [parts, 'Ann Example'],
      [{ ...parts, name: 'Ann E.' }, 'Ann E.'],
      [{ ...parts, name: '' }, 'Ann Example'],
      [{ given_name: 'Ann', family_name: null }, 'Ann'],
      [{ family_name: 'Example' }, 'Example'],
      [{}, undefined],
      ...['', 'x'.repeat(101), 'a\nb', 7].map((wrong) => [{ name: wrong }, undefined] as const),
    ] as const)
      assert.equal(read(claims).displayName, name);
    assert.equal(read({ name: 'ann', nick: 'Annie' }, { claims: { name: 'nick' } }).displayName, 'Annie');
  });

  it('are completed by userinfo where any that is configured is missing, and only then', async () => {
    const all = { sub: 'ann', email: 'ann@example.com', email_verified: true, name: 'Ann', groups: [] };
    const groups = { claim: 'groups', prefix: '' };
    for (const [wished, missing] of [
      [{ groups }, ['email', 'email_verified', 'name', 'groups']],
      [{}, ['email', 'email_verified', 'name']],
      [{ groups, emailVerified: 'always' }, ['email', 'name', 'groups']],
    ] as const)
      for (const one of [undefined, ...Object.keys(all)])
        for (const idToken of [
          Object.fromEntries(Object.entries(all).filter(([name]) => name !== one)),
          { ...all, ...(one !== undefined && { [one]: null }) },
        ]) {
          let asked = 0;
          const more = async () => ({ ...all, asked: (asked += 1) });
          const { claims } = await gatherClaims(settingsOf(wished), idToken, more);
          const isMissing = missing.some((name) => name === one);
          assert.equal(asked, isMissing ? 1 : 0, `without ${one}`);
          if (isMissing) assert.deepEqual(claims, { ...all, asked });
        }
  });

  it('that userinfo says of an email verify no other email', async () => {
    const settings = settingsOf({ emailVerified: 'always' });
    const more = async () => ({ email: 'userinfo@example.com', email_verified: true, name: 'Ann' });
    const email = async (idToken: Claims, wished = settings) =>
      (await gatherClaims(wished, idToken, more)).claims['email'];
    assert.equal(await email({}), 'userinfo@example.com');
    assert.equal(await email({ email: 'token@example.com' }), 'token@example.com');
    assert.equal(await email({ email: 'token@example.com' }, settingsOf()), 'userinfo@example.com');
  });
});
