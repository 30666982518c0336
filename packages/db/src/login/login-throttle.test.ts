import assert from 'node:assert/strict';
import { v7 as newId } from 'uuid';
import { query } from '../postgres/connect.ts';
import * as loginThrottle from './login-throttle.ts';
import { throttledSubjectOf, throttleKeyText, type ThrottleKey } from './login-throttle.ts';
import { during, testDatabase, type TestDatabase } from '../testing/index.ts';

const AGE = `update login_throttle
  set checks = array(select began - make_interval(secs => ?) from unnest(checks) began)
  where email_key = ?`;

describe('loginThrottle', () => {
  const database = during(testDatabase);
  let db: TestDatabase['db'];
  before(() => ({ db } = database));

  const newKey = (): ThrottleKey => ({ kind: 'second-factor', accountId: newId() });
  const raise = (key: ThrottleKey, free = 3) => loginThrottle.raise(db, key, free);
  const admit = async (key: ThrottleKey, free?: number) => {
    const attempt = await raise(key, free);
    assert.ok(attempt.admitted);
    return attempt;
  };
  /** Makes the checks in progress look as if they had begun this many seconds earlier. */
  const age = (key: ThrottleKey, seconds: number) => query(db, AGE, [seconds, throttleKeyText(key)]);

  it('discards each check whose process died, although others of the same key are running', async () => {
    const key = newKey();
    await raise(key);
    await raise(key);
    await age(key, 11);
    const last = await admit(key);
    assert.equal(last.failures, 3);
    assert.equal((await loginThrottle.findBlock(db, key))?.isChecking, true);
    await loginThrottle.settleFailure(db, key, last.check);
    assert.equal((await loginThrottle.findBlock(db, key))?.isChecking, false);
    const next = await raise(key);
    assert.deepEqual([next.admitted, next.failures], [false, 3]);
  });

  it('ends with each settling the one check that it is about', async () => {
    const key = newKey();
    const [one, two] = [await admit(key), await admit(key)];
    await loginThrottle.takeBack(db, key, one.check, 3);
    await loginThrottle.settleFailure(db, key, one.check);
    const three = await admit(key, 2);
    assert.deepEqual([three.isChecking, three.failures], [true, 2]);
    await loginThrottle.settleFailure(db, key, three.check);
    assert.equal((await loginThrottle.findBlock(db, key))?.isChecking, true);
    await loginThrottle.settlePartialSuccess(db, key, two.check);
    assert.equal(await loginThrottle.findBlock(db, key), undefined);
  });

  it('admits as many concurrent checks as remain', async () => {
    const key = newKey();
    const burst = await Promise.all(Array.from({ length: 20 }, () => raise(key, 5)));
    const admitted = burst.filter((attempt) => attempt.admitted);
    assert.equal(admitted.length, 5);
    assert.equal(new Set(admitted.map(({ check }) => check)).size, 5);
    assert.equal(Math.max(...burst.map(({ failures }) => failures)), 20);
  });
});

describe('the keys under which failures are counted', () => {
  const inputs = [
    '',
    'a',
    'a","a',
    '["email","a"]',
    '","',
    '\\',
    '\\"',
    '\0',
    '\ud800',
    '203.0.113.20',
    'email',
  ];
  const subjects = inputs.flatMap((typed): ThrottleKey[] => [
    { kind: 'email', emailKey: typed },
    { kind: 'user-name', hash: Buffer.from(typed) },
    { kind: 'second-factor', accountId: typed },
  ]);
  const keys = subjects.flatMap((subject) => [subject, ...inputs.map((from) => ({ ...subject, from }))]);

  it('are different for different kinds, subjects and addresses, and text that Postgres can keep', () => {
    const texts = keys.map(throttleKeyText);
    assert.equal(new Set(texts).size, keys.length);
    for (const text of texts) assert.ok(text.isWellFormed() && !text.includes('\0'), text);
  });

  it('contain the account, but no other subjects or single addresses', () => {
    for (const key of keys) {
      const isAboutAccount = key.kind !== 'user-name' && key.from === undefined;
      assert.deepEqual(throttledSubjectOf(throttleKeyText(key)), isAboutAccount ? key : undefined);
    }
  });
});
