import assert from 'node:assert/strict';
import { newClient, someEmail } from '@gatehouse/accounts/testing';
import { fieldsOf, testLog } from '@gatehouse/runtime/testing';
import { isStored, signInTo } from '../../oauth/testing.ts';
import { createNamedGroups } from '../provider/named-groups.ts';
import { personClaims, useSso } from '../testing/browser.ts';

/** What one of three says of the groups of an account, and which labels it gives the account by that. */
interface Statement {
  says: unknown;
  gives: string[];
}
type Speaker = 'corp' | 'wary' | 'Administrator';

/** Each may say the labels of the others. A provider that says nothing leaves its labels as they are. */
const STATEMENTS: Record<Speaker, Statement[]> = {
  corp: [
    { says: ['staff', '/staff', 'Domain Users'], gives: ['/staff', 'Domain Users', 'staff'] },
    { says: undefined, gives: ['/staff', 'Domain Users', 'staff'] },
    { says: ['staff', 'board', 'a,b', ' x', 'x'.repeat(101), 7, '\u202eboard'], gives: ['board', 'staff'] },
    { says: { staff: true }, gives: ['board', 'staff'] },
    { says: [], gives: [] },
  ],
  wary: [
    { says: ['/corp/sre', 'staff', 'admins', 'sre'], gives: ['sre', 'staff', 'wary:admins', 'wary:sre'] },
    { says: 'staff, /corp/sre', gives: ['sre', 'staff'] },
    { says: undefined, gives: ['sre', 'staff'] },
    { says: ['board'], gives: ['wary:board'] },
    { says: [], gives: [] },
  ],
  Administrator: [
    { says: ['board', 'staff', 'sre'], gives: ['board', 'sre', 'staff'] },
    { says: undefined, gives: ['board', 'sre', 'staff'] },
    { says: ['sre'], gives: ['sre'] },
    { says: ['wary:board'], gives: ['wary:board'] },
    { says: [], gives: [] },
  ],
};

const LINK = 'insert into sso_identity (issuer, subject, account_id, provider) values (?, ?, ?, ?)';

const ORDERS: Speaker[][] = [
  ['corp', 'wary', 'Administrator'],
  ['corp', 'Administrator', 'wary'],
  ['wary', 'corp', 'Administrator'],
  ['wary', 'Administrator', 'corp'],
  ['Administrator', 'corp', 'wary'],
  ['Administrator', 'wary', 'corp'],
];

describe('the groups that two providers and an administrator give an account', () => {
  const map = { '/corp/sre': 'sre' };
  const providers = {
    corp: { provisioning: 'jit', claims: { groups: 'roles' } },
    wary: { trustEmail: false, groups: { claim: 'roles', map, allow: ['staff'], prefix: 'wary:' } },
    stranger: { trustEmail: false, claims: { groups: 'roles' } },
    silent: {},
  };
  const sso = useSso(providers, { SINGLE_SESSION: false });
  // From now on the provider has a userinfo endpoint, which does not answer unless a test says otherwise.
  before(() => sso.signOn('corp', personClaims(someEmail()), { userInfo: {} }));

  /** A person with an account that is linked to both providers. */
  const newPerson = async () => {
    const claims = personClaims(someEmail());
    const { id } = await sso.member({ email: claims.email });
    for (const provider of ['corp', 'wary'])
      await sso.sql(LINK, [sso.provider(provider).issuer, claims.sub, id, provider]);
    return { id, claims };
  };
  const shown = async (id: string): Promise<{ Groups: string[]; GroupSources: object[] }> =>
    await sso.boss.read(`/admin/account/${id}`);

  const signOn = async (...given: Parameters<typeof sso.signOn>) => {
    const { parameters } = await sso.signOn(...given);
    assert.equal(parameters['error'], undefined);
  };

  /** All take turns, each beginning anew when the others have said their part. */
  function* turns(order: readonly Speaker[]): Generator<readonly [Speaker, Statement]> {
    const rounds = STATEMENTS.corp.length;
    for (let round = 0; round < rounds; round += 1)
      for (const speaker of order) {
        const statement = STATEMENTS[speaker][round];
        if (statement !== undefined) yield [speaker, statement];
      }
    for (const speaker of order) for (const statement of STATEMENTS[speaker]) yield [speaker, statement];
  }

  for (const order of ORDERS)
    it(`are those of each, whatever the others say: ${order.join(', ')}`, async () => {
      const { id, claims } = await newPerson();
      const said = new Map<Speaker, string[]>();
      for (const [speaker, { says, gives }] of turns(order)) {
        // A provider that says nothing leaves the last of its labels, whichever they were.
        if (typeof says === 'string' || Array.isArray(says)) said.set(speaker, gives);
        if (speaker === 'Administrator') {
          const change = says === undefined ? { DisplayName: 'Ann' } : { Groups: says };
          await sso.boss.patch(`/admin/account/${id}`, change).expect(200);
        } else {
          await signOn(speaker, { ...claims, roles: says });
        }
        const sources = [...said].flatMap(([Source, labels]) => labels.map((Label) => ({ Label, Source })));
        const { Groups, GroupSources } = await shown(id);
        const text = (list: object[]) => list.map((one) => JSON.stringify(one)).toSorted();
        assert.deepEqual(text(GroupSources), text(sources), `${speaker} says ${JSON.stringify(says)}`);
        assert.deepEqual(Groups, [...new Set([...said.values()].flat())].toSorted());
      }
    });

  it('stay if the provider leaves them out, says that they are elsewhere, or its userinfo is down', async () => {
    const { id, claims } = await newPerson();
    const { email_verified: _verified, name: _name, email: _email, ...bare } = claims;
    await sso.signOn('corp', bare, { userInfo: { ...claims, roles: ['ops', 'staff'] } });
    const groupsAfter = async (person: object, lies: Parameters<typeof sso.signOn>[2]) => {
      await signOn('corp', { ...person }, lies);
      return (await shown(id)).Groups;
    };
    const elsewhere = { _claim_names: { roles: 'src1' } };
    const kept = ['ops', 'staff'];
    await groupsAfter({ ...claims, roles: kept }, {});
    assert.deepEqual(await groupsAfter(claims, { userInfo: { sub: claims.sub } }), kept);
    assert.deepEqual(await groupsAfter({ ...claims, ...elsewhere }, { userInfo: { sub: claims.sub } }), kept);
    assert.deepEqual(await groupsAfter({ ...claims, ...elsewhere, roles: [] }, {}), kept);
    assert.deepEqual(await groupsAfter({ ...claims, hasgroups: true, roles: null }, {}), kept);
    assert.deepEqual(await groupsAfter(claims, { failing: ['userinfo'] }), kept);
    assert.deepEqual(await groupsAfter(bare, { failing: ['userinfo'] }), kept);
    assert.deepEqual(await groupsAfter(bare, { hanging: ['userinfo'] }), kept);
    // Only the groups are missing in the ID token: userinfo is asked for them.
    assert.deepEqual(await groupsAfter(claims, { userInfo: { sub: claims.sub, roles: ['staff'] } }), [
      'staff',
    ]);
    assert.deepEqual(await groupsAfter({ ...claims, roles: [] }, {}), []);
  });

  it('are shown at the provider and logged where they were left out, once', async () => {
    const { id, claims } = await newPerson();
    const roles = ['fine', 'left,out', 'ann@example.com,x'];
    await sso.signOn('corp', { ...claims, roles });
    await sso.signOn('corp', { ...claims, roles });
    assert.deepEqual((await shown(id)).Groups, ['fine']);
    const { Items } = await sso.boss.read('/admin/sso-provider');
    const { LeftOutGroups } = Items.find(({ Id }: { Id: string }) => Id === 'corp');
    assert.deepEqual(LeftOutGroups.slice(-2), ['ann@example.com,x', 'left,out']);
    const log = testLog();
    const groups = createNamedGroups('corp', { claim: 'roles', prefix: '' }, log);
    for (let time = 0; time < 2; time += 1) assert.deepEqual(groups.read({ roles }), ['fine']);
    log.flush();
    assert.deepEqual(fieldsOf(log.lines, 'groups'), [['left,out']]);
  });

  it('are the same in a list, as text, in brackets, and however they are composed or listed', () => {
    const name = 'CN=Sales,DC=example';
    for (const [settings, said, labels] of [
      // The settings list a name with commas.
      [{ map: { [name]: 'sales' } }, [name, [name], 'sales'], ['sales']],
      [
        {},
        [['Équipe', 'ops'], 'E\u0301quipe,ops', '[Équipe, ops]', ['E\u0301quipe', 'ops']],
        ['ops', 'Équipe'],
      ],
      [{}, ['[]'], []],
      // SAML says so that there are none.
      [{ prefix: 'corp:' }, [[''], [' '], '', ' '], []],
      [{ prefix: 'corp:' }, [['', 'ops']], ['corp:ops']],
    ] as const) {
      const groups = createNamedGroups('corp', { claim: 'roles', prefix: '', ...settings }, testLog());
      for (const roles of said) assert.deepEqual(groups.read({ roles }), labels, JSON.stringify(roles));
      assert.deepEqual(groups.leftOut(), []);
    }
  });

  it('are gone with the link to their provider', async () => {
    const { id, claims } = await newPerson();
    await sso.boss.patch(`/admin/account/${id}`, { Groups: ['own', 'staff'] }).expect(200);
    await sso.signOn('corp', { ...claims, roles: ['staff', 'board'] });
    await sso.signOn('wary', { ...claims, roles: ['staff'] });
    const { Items } = await sso.boss.read(`/admin/account/${id}/identity`);
    const { Number: number } = Items.find(({ Provider }: { Provider: string }) => Provider === 'corp');
    const told = () => sso.eventsOf(id, 'account.updated');
    const before = await told();
    await sso.boss.delete(`/admin/account/${id}/identity/${number}`).expect(204);
    assert.deepEqual((await shown(id)).Groups, ['own', 'staff']);
    assert.equal((await told()).length, before.length + 1);
    const [newest] = await sso.history({ targetId: id }, 'action', 'details');
    assert.deepEqual(newest, ['account.changed', { Groups: [], Provider: 'corp' }]);
  });

  it('are replaced at each sign-on, which is audited where it changes something', async () => {
    const { id, claims } = await newPerson();
    for (const roles of [['staff', 'board', 'staff'], ['staff', 'board'], 'staff', []])
      await signOn('corp', { ...claims, roles });
    const changes = await sso.history({ targetId: id, action: 'account.changed' }, 'details');
    const expected = [[], ['staff'], ['board', 'staff']].map((Groups) => ({ Groups, Provider: 'corp' }));
    assert.deepEqual(changes, expected);
  });

  it('are left alone by a provider whose settings name no claim', async () => {
    const person = await sso.member();
    await person.set(`groups = '{staff}'`);
    await signOn('silent', { ...personClaims(person.email), roles: ['board'] });
    assert.deepEqual((await shown(person.id)).Groups, ['staff']);
  });

  it('are fifty at most, and none but prefixed ones where emails are not trusted and no setting says more', async () => {
    const { id, claims } = await newPerson();
    const many = Array.from({ length: 60 }, (_, at) => `group-${String(at).padStart(2, '0')}`);
    await signOn('corp', { ...claims, roles: many });
    assert.deepEqual((await shown(id)).Groups, many.slice(0, 50));
    await sso.sql(LINK, [sso.provider('stranger').issuer, claims.sub, id, 'stranger']);
    await signOn('corp', { ...claims, roles: ['staff'] });
    await signOn('stranger', { ...claims, roles: ['admins'] });
    assert.deepEqual((await shown(id)).Groups, ['staff', 'stranger:admins']);
  });

  it('sign their owner out of the applications that require one that is lost', async () => {
    const { id, claims } = await newPerson();
    await signOn('corp', { ...claims, roles: ['staff'] });
    const client = await newClient(sso.admin.app, { groups: ['staff'] });
    const signedIn = await signInTo(sso.admin, client.id, { id });
    await signOn('corp', { ...claims, roles: ['staff', 'board'] });
    assert.equal(await isStored(sso.admin, signedIn), true);
    await signOn('corp', { ...claims, roles: ['board'] });
    assert.equal(await isStored(sso.admin, signedIn), false);
  });
});
