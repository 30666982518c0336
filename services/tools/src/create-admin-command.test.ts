import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { useQuickPasswords } from '@gatehouse/auth-core/testing';
import { accounts } from '@gatehouse/db';
import { during, testDatabase } from '@gatehouse/db/testing';
import { ConfigError } from '@gatehouse/runtime';
import { fieldsOf, useFolder } from '@gatehouse/runtime/testing';
import { createAdminCommand } from './create-admin-command.ts';

const PEPPER = 'a pepper of at least thirty-two characters';

describe('create-admin', () => {
  const database = during(testDatabase);
  const pathOf = useFolder();
  const opened = useQuickPasswords();

  const run = (args: string[], answers: string[] = [], settings: NodeJS.ProcessEnv = {}) => {
    const asked: { question: string; hidden: boolean }[] = [];
    const ask = (question: string, { hidden } = { hidden: false }) => {
      asked.push({ question, hidden });
      const answer = answers.shift();
      return answer === undefined ? Promise.reject(new Error('nobody answers')) : Promise.resolve(answer);
    };
    const own = { DATABASE_URL: database.url, PASSWORD_PEPPER: PEPPER, BCRYPT_COST: '4' };
    const environment = { ...own, ...settings };
    return { asked, said: createAdminCommand(args, { ask, environment }) };
  };
  const opens = async (email: string, password: string) => {
    const account = await accounts.findWithHash(database.db, email);
    if (account?.role !== 'Admin' || !account.isEmailVerified || account.passwordHash === null) return false;
    const passwords = opened({ pepper: PEPPER });
    return passwords.verify(password, { hash: account.passwordHash, scheme: 'peppered' });
  };

  it('prompts for the email and, hidden, twice for the password', async () => {
    const { asked, said } = run([], ['Ann@Example.com', 'correct horse', 'correct horse']);
    assert.equal(await said, '✓ Ann@example.com is an administrator.\n');
    assert.deepEqual(fieldsOf(asked, 'hidden'), [false, true, true]);
    assert.ok(await opens('ann@example.com', 'correct horse'));
  });

  it('does not prompt for values given as flags or in a file, and prints a generated password', async () => {
    const { asked, said } = run(['--email', 'bob@example.com', '--name', 'Bob', '--generate']);
    const password = /shown this once: (\S+)\n$/.exec(await said)?.[1] ?? '';
    assert.deepEqual(asked, []);
    assert.ok(await opens('bob@example.com', password));
    assert.equal((await accounts.findByEmailKey(database.db, 'bob@example.com'))?.displayName, 'Bob');
    writeFileSync(pathOf('password'), 'correct horse\n');
    await run(['--email', 'eve@example.com', '--password-file', pathOf('password')]).said;
    assert.ok(await opens('eve@example.com', 'correct horse'));
  });

  it('has the same rules for names as the API', async () => {
    for (const name of ['', 'x'.repeat(101), 'Eve\u0000', 'Eve\nMallory'])
      await assert.rejects(run(['--email', 'eve@x.example', '--name', name, '--generate']).said, /--name/);
    assert.equal(await accounts.findByEmailKey(database.db, 'eve@x.example'), undefined);
  });

  for (const [what, args, answers, message] of [
    ['two passwords that differ', ['--email', 'a@example.com'], ['correct horse', 'correct house'], /differ/],
    ['a password that is too short', ['--email', 'a@example.com'], ['short', 'short'], /at least 8/],
    ['what is no email', ['--email', 'nobody', '--generate'], [], /not an email address/],
    ['a file and a new password', ['--email', 'a@b.c', '--generate', '--password-file', 'x'], [], /Either/],
    ['a flag that there is none of', ['--password', 'x'], [], /--password/],
  ] as const)
    it(`refuses ${what}, and creates nobody`, async () => {
      await assert.rejects(run([...args], [...answers]).said, message);
      assert.equal(await accounts.findByEmailKey(database.db, 'a@example.com'), undefined);
    });

  it('does not change an existing account', async () => {
    await run(['--email', 'twice@example.com', '--generate']).said;
    const before = await accounts.findByEmailKey(database.db, 'twice@example.com');
    await assert.rejects(run(['--email', 'TWICE@example.com', '--generate']).said, /has an account already/);
    assert.deepEqual(await accounts.findByEmailKey(database.db, 'twice@example.com'), before);
  });

  it('names missing settings, and never a value', async () => {
    const { said } = run(['--email', 'a@example.com', '--generate'], [], { PASSWORD_PEPPER: 'canary' });
    await assert.rejects(said, (error: Error) => {
      assert.ok(error instanceof ConfigError);
      return /PASSWORD_PEPPER/.test(error.message) && !/canary/.test(error.message);
    });
  });
});
