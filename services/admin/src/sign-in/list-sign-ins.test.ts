import assert from 'node:assert/strict';
import { PASSWORD, someAddress } from '@gatehouse/accounts/testing';
import { signIns, type NewSignIn } from '@gatehouse/db';
import { eventually } from '@gatehouse/runtime/testing';
import { v7 as newId } from 'uuid';
import { cast } from '../testing/cast.ts';

const PATH = '/admin/sign-in';

type SignIn = Record<'Id' | 'At' | 'Result', string> & { Reason: string | null };

describe('GET /admin/sign-in', () => {
  const { app, boss, member, signIn } = cast({});

  const list = async (search: string) => (await boss.read(`${PATH}?${search}`)) as { Items: SignIn[] };
  const idsOf = (search: string) => boss.ids(`${PATH}?${search}`);
  /** Records sign-ins and returns their ids, the newest first. */
  const add = async (rows: readonly Partial<NewSignIn>[]): Promise<string[]> => {
    const given = rows.map((row): NewSignIn => ({ ...SUCCESS, id: newId(), ...row }));
    await signIns.insert(app().db, given);
    return given.map(({ id }) => id).toReversed();
  };

  it('shows everything that is recorded, newest first', async () => {
    const person = await member();
    const address = someAddress();
    const traceId = newId().replaceAll('-', '');
    const facts = { address, userAgent: 'Test/1', traceId };
    const [refusedId, openedId] = await add([
      { accountId: person.id, method: 'SignOn', provider: 'corp', ...facts },
      { result: 'Refused', reason: 'several', method: undefined, address, count: 7 },
    ]);
    const { Items } = await list(`ipAddress=${address}`);
    const found = Items.map(({ At, ...shown }) => (assert.ok(Date.parse(At) > 0), shown));
    assert.deepEqual(found, [
      {
        ...{ Id: refusedId, UserId: null, Email: null, Method: null, Provider: null },
        ...{ Result: 'Refused', Reason: 'several', Attempts: 7 },
        ...{ IpAddress: address, UserAgent: null, TraceId: null },
      },
      {
        ...{ Id: openedId, UserId: person.id, Email: person.email, Method: 'SignOn', Provider: 'corp' },
        ...{ Result: 'Succeeded', Reason: null, Attempts: 1 },
        ...{ IpAddress: address, UserAgent: 'Test/1', TraceId: traceId },
      },
    ]);
  });

  it('filters by account, result, reason, method, provider, address, request and time, also combined', async () => {
    const { id: accountId } = await member();
    const address = someAddress();
    const traceId = newId().replaceAll('-', '');
    const [old, traced, provided, refused, passkey] = await add([
      { accountId, method: 'Passkey', address },
      { accountId, result: 'Refused', reason: 'account_disabled', address },
      { accountId, method: 'SignOn', provider: 'corp', address },
      { accountId, traceId, address },
      { accountId, ageSeconds: 7200, id: oldId(7200), address },
    ]);
    const all = [traced, provided, refused, passkey, old];
    const whose = `userId=${accountId}`;
    assert.deepEqual(await idsOf(whose), all);
    assert.deepEqual(await idsOf(`ipAddress=${address.toUpperCase()}`), all);
    assert.deepEqual(await idsOf(`${whose}&result=refused`), [refused]);
    assert.deepEqual(await idsOf(`${whose}&reason=account_disabled`), [refused]);
    assert.deepEqual(await idsOf(`${whose}&method=Passkey`), [passkey]);
    assert.deepEqual(await idsOf(`method=Passkey&ipAddress=${address}`), [passkey]);
    assert.deepEqual(await idsOf(`provider=corp&${whose}`), [provided]);
    assert.deepEqual(await idsOf(`traceId=${traceId}`), [traced]);
    const hourAgo = new Date(Date.now() - 3_600_000).toISOString();
    assert.deepEqual(await idsOf(`${whose}&to=${hourAgo}`), [old]);
    assert.deepEqual(await idsOf(`${whose}&from=${hourAgo}`), all.slice(0, 4));
    assert.deepEqual(await idsOf(`${whose}&result=Refused&reason=password`), []);
    assert.ok((await idsOf('method=Passkey')).includes(passkey ?? ''));
  });

  it('records nothing for an account that is erased meanwhile, and loses the account’s rows with it', async () => {
    const { id: accountId } = await member();
    const others = await add([{ accountId }, { address: someAddress() }]);
    await app().db.raw('delete from account where id = ?', [accountId]);
    const [other, late] = await add([{ accountId }, {}]);
    const ids = await idsOf('limit=200');
    assert.ok(other && ids.includes(other) && ids.includes(others[0] ?? ''));
    assert.ok(!ids.includes(late ?? '') && !ids.includes(others[1] ?? ''));
  });

  it('shows a login to the console that was refused to somebody without the right', async () => {
    const person = await member();
    await signIn({ Username: person.email, Password: PASSWORD }).expect(403);
    const [found] = await eventually(async () => {
      const { Items } = await list(`userId=${person.id}`);
      return Items.length > 0 && Items;
    });
    assert.deepEqual([found?.Result, found?.Reason], ['Refused', 'not_administrator']);
  });
});

const SUCCESS = {
  ...({ ageSeconds: 0, method: 'Password', result: 'Succeeded', count: 1, accountId: undefined } as const),
  ...{ provider: undefined, reason: undefined, address: undefined, userAgent: undefined, traceId: undefined },
} as const;

function oldId(seconds: number): string {
  return newId({ msecs: Date.now() - seconds * 1000 });
}
