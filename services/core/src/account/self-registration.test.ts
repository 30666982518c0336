import assert from 'node:assert/strict';
import { createAccount } from '@gatehouse/accounts';
import { readTables } from '@gatehouse/accounts/testing';
import { NO_DEADLINE } from '@gatehouse/runtime';
import { cast, type Person } from '../testing/cast.ts';
import { PASSWORD, type TestCore } from '../testing/index.ts';
import { registeredBody } from '../testing/registered-body.ts';

describe('POST /account/register with self-registration disabled', () => {
  const { core, another, someone, member } = cast({});
  let closed: TestCore;
  before(async () => {
    closed = await another({}, { selfRegistration: 'closed' });
  });

  const registers = (ann: Person) => ann.at(closed).registers();

  it('does nothing for an unknown email, with the same response', async () => {
    const known = await registers(await member());
    const tables = await readTables(core().app);
    const ann = someone();
    for (const { status, body } of [await registers(ann), await registers(ann)])
      assert.deepEqual([status, registeredBody(body)], [known.status, registeredBody(known.body)]);
    assert.deepEqual(await readTables(core().app), tables);
    assert.deepEqual(await ann.mails(), []);
  });

  it('completes an account that an administrator has made for its owner', async () => {
    const ann = someone();
    const given = { email: ann.email, password: undefined, displayName: 'Ann', locale: undefined } as const;
    const by = { actor: { kind: 'System' }, origin: { traceId: '0', ...NO_DEADLINE } } as const;
    await createAccount(core().app, { ...given, role: 'User', isMigrated: false }, by);
    await registers(ann).expect(200);
    await ann
      .at(closed)
      .resets((await ann.codes())[0], PASSWORD)
      .expect(200);
    await ann.logsIn().expect(200);
  });

  it('mails another code to an unverified account', async () => {
    const ann = someone();
    await ann.registers().expect(200);
    await registers(ann).expect(200);
    const [, code] = await ann.codes();
    await ann.at(closed).verifies(code).expect(200);
    await ann.logsIn().expect(200);
  });
});
