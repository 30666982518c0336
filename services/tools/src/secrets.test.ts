import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { useFolder } from '@gatehouse/runtime/testing';
import { makeSecrets, secretsCommand } from './secrets.ts';

describe('makeSecrets', () => {
  const pathOf = useFolder();
  let folder: string;
  beforeEach(() => (folder = pathOf('secrets')));

  const contents = () =>
    readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')] as const);

  it('makes random secrets that only the containers and the user can read', () => {
    makeSecrets(folder);
    assert.equal(statSync(folder).mode & 0o777, 0o700);
    // Users within containers are other users, and must be able to read the files.
    for (const [name] of contents()) assert.equal(statSync(join(folder, name)).mode & 0o777, 0o644, name);
    const random = contents().flatMap(([name, text]) =>
      name.endsWith('-url') || name === 'rabbitmq-definitions.json'
        ? []
        : (text.match(/[0-9a-f]{32,}/g) ?? []),
    );
    assert.equal(new Set(random).size, random.length);
    assert.ok(random.length >= 9);
  });

  it('overwrites none, and takes passwords into URLs from their own files', () => {
    makeSecrets(folder);
    const made = contents();
    assert.deepEqual(makeSecrets(folder), []);
    assert.deepEqual(contents(), made);
    for (const [name, text] of [
      ['redis.conf', 'requirepass mine\n'],
      ['rabbitmq.conf', 'default_user = gatehouse\ndefault_pass = mine\n'],
      ['core-database-password', 'mine\n'],
    ] as const)
      writeFileSync(join(folder, name), text);
    const urls = ['core-database-url', 'redis-url', 'amqp-url'];
    for (const name of urls) rmSync(join(folder, name));
    const broker = ['rabbitmq-definitions.json', 'hook-worker-amqp-url'];
    assert.deepEqual(makeSecrets(folder), urls);
    for (const name of urls) assert.match(readFileSync(join(folder, name), 'utf8'), /:mine@/, name);
    for (const name of broker) rmSync(join(folder, name));
    assert.deepEqual(makeSecrets(folder), broker);
    assert.match(readFileSync(join(folder, 'rabbitmq-definitions.json'), 'utf8'), /"password":"mine"/);
  });

  it('gives our broker the user whom the services have, not the one of its first start', () => {
    makeSecrets(folder);
    writeFileSync(join(folder, 'amqp-url'), 'amqp://second:n%21w@rabbitmq/%2F?heartbeat=30\n');
    for (const name of ['rabbitmq-definitions.json', 'hook-worker-amqp-url']) rmSync(join(folder, name));
    makeSecrets(folder);
    const text = readFileSync(join(folder, 'rabbitmq-definitions.json'), 'utf8');
    const { users, permissions } = JSON.parse(text) as Record<string, { name: string; user: string }[]>;
    assert.deepEqual(users?.[0], { name: 'second', password: 'n!w', tags: 'administrator' });
    assert.equal(permissions?.[0]?.user, 'second');
    assert.doesNotMatch(text, /gatehouse/);
    assert.match(readFileSync(join(folder, 'hook-worker-amqp-url'), 'utf8'), /^amqp:\/\/hook-worker:/);
  });

  it('gives the hook worker a user of its own at our broker, and the one address at another', () => {
    makeSecrets(folder);
    const url = () => readFileSync(join(folder, 'hook-worker-amqp-url'), 'utf8');
    const [, password = ''] = /^amqp:\/\/hook-worker:(\w{32})@rabbitmq:5672\n$/.exec(url()) ?? [];
    assert.ok(readFileSync(join(folder, 'rabbitmq-definitions.json'), 'utf8').includes(`"${password}"`));
    writeFileSync(join(folder, 'amqp-url'), 'amqps://us:mine@broker.example.com\n');
    rmSync(join(folder, 'hook-worker-amqp-url'));
    makeSecrets(folder);
    assert.equal(url(), 'amqps://us:mine@broker.example.com\n');
  });

  it('is a command that names a wrong argument', () => {
    assert.match(secretsCommand([folder]), /^Created token-secret, .*\n$/);
    assert.throws(() => secretsCommand(['--force']), /needs one folder/);
  });
});
