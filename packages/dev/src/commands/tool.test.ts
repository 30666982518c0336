import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { testFolder } from '@gatehouse/runtime/testing';
import { ROOT } from '../command.ts';
import { DEMO_TELEVISION } from '../demo/demos.ts';
import { nodeArguments } from '../testing/node-process.ts';
import { localStack } from '../stack/stack-file.ts';
import { localSettings } from './tool.ts';

describe('the settings of an operator command', () => {
  const folder = testFolder();
  const stack = {
    ...{ baseUrl: 'http://core', adminUrl: 'http://admin', idpUrl: 'http://idp' },
    ...{ databaseUrl: 'postgres://here/gatehouse', amqpUrl: 'amqp://here' },
    admin: { Email: 'admin@example.com', Password: 'correct horse' },
    seed: { user: { Email: 'user@example.com', Password: 'battery staple' } },
  };
  before(() => writeFileSync(join(folder, 'stack.json'), JSON.stringify(stack)));

  const here = (advice: string) => localStack(advice, folder);
  const nowhere = (advice: string) => localStack(advice, join(folder, 'nothing'));

  it('use the database of the running stack, unless one is configured', () => {
    const own = { DATABASE_URL: '', PASSWORD_PEPPER: 'p'.repeat(32), BCRYPT_COST: '4' };
    const found = localSettings('create-admin', [], own, here);
    assert.deepEqual(found, { ...own, DATABASE_URL: 'postgres://here/gatehouse' });
    const { PASSWORD_PEPPER: pepper } = localSettings('create-admin', [], {}, here);
    assert.ok((pepper ?? '').length >= 32);
    for (const given of [{ DATABASE_URL: 'postgres://there/x' }, { DATABASE_URL_FILE: '/run/secrets/url' }])
      assert.deepEqual(localSettings('create-admin', [], given, nowhere), given);
  });

  it('use the Admin of the running stack, unless the arguments name one or are invalid', () => {
    assert.deepEqual(localSettings('import', ['file.ndjson', '--token-file', 'token'], {}, here), {
      IMPORT_URL: 'http://admin',
      IMPORT_LOGIN_URL: 'http://core',
      IMPORT_EMAIL: 'admin@example.com',
      IMPORT_PASSWORD: 'correct horse',
    });
    const named = ['file.ndjson', '--url=http://there'];
    for (const args of [named, ['file.ndjson', '--url', 'http://there'], [], ['a', 'b']])
      assert.deepEqual(localSettings('import', args, {}, nowhere), {});
  });

  it('are everything that the example of a recognition pipeline needs', () =>
    assert.deepEqual(localSettings('demo:faces', [], {}, here), {
      GATEHOUSE: 'http://core',
      AMQP_URL: 'amqp://here',
      EMAIL: 'user@example.com',
      PASSWORD: 'battery staple',
      IMAGES_URL: 'http://idp/faces',
    }));

  it('are the address and the client for the example of a television', () => {
    const { ISSUER, CLIENT_ID } = localSettings('demo:tv', [], {}, here);
    assert.deepEqual([ISSUER, CLIENT_ID], ['http://core', DEMO_TELEVISION]);
  });

  it('report that no stack is running if one is required', () => {
    for (const [command, advice] of [
      ['create-admin', /name another database/],
      ['import', /--url/],
      ['demo:faces', /Then run this again/],
      ['demo:tv', /Then run this again/],
    ] as const)
      assert.throws(() => localSettings(command, ['file.ndjson'], {}, nowhere), {
        name: 'StackError',
        advice,
      });
    for (const command of ['keys', 'migrate']) assert.deepEqual(localSettings(command, [], {}, nowhere), {});
  });

  it('are passed to the built command, with its errors and exit code', () => {
    const node = nodeArguments(join(ROOT, 'packages/dev/src/commands/tool.ts'));
    const env = { PATH: process.env['PATH'], DATABASE_URL: 'postgres://127.0.0.1:1/x' };
    const tool = (...args: string[]) =>
      spawnSync(process.execPath, [...node, ...args], { encoding: 'utf8', env });
    const { status, stdout, stderr } = tool('create-admin', '--email', 'a@example.com', '--generate');
    assert.deepEqual([status, stdout], [1, '']);
    assert.match(stderr, /^✗ Invalid configuration, 1 error\(s\):\n {2}PASSWORD_PEPPER /m);
    assert.equal(tool('keys', '--help').status, 0);
    assert.match(tool('import').stderr, /^✗ Name one file\nTry --help\.$/m);
  });
});
