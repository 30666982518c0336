import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { oauthClients } from '@gatehouse/db';
import { ConfigError } from '@gatehouse/runtime';
import { eventually, useFolder } from '@gatehouse/runtime/testing';
import { v7 as newId } from 'uuid';
import { cast, problem } from '../testing/cast.ts';
import { openWebhooks } from '../open-webhooks.ts';
import { declareClients, readDeclaredClients } from './declared-clients.ts';
import { isStored, signInTo } from './testing.ts';

const PATH = '/admin/oauth-client';
const SECRET = 'c'.repeat(32);

describe('OAUTH_CLIENTS', () => {
  const { admin, app, boss, history, member } = cast({});
  const pathOf = useFolder();

  const secretFile = (secret: string): string => {
    const path = pathOf(newId());
    writeFileSync(path, `${secret}\n`);
    return path;
  };
  const surroundings = () => ({ audience: 'gatehouse', slots: app().service.slots, ...openWebhooks({}) });
  /** `undefined`: the setting is missing. */
  const read = (list: unknown) => readDeclaredClients(JSON.stringify(list), surroundings());
  /** Starts Admin with this list, as far as it concerns clients. */
  const declare = async (list: unknown): Promise<void> => {
    let work: (() => Promise<unknown>) | undefined;
    declareClients(app().service, read(list), { every: (_seconds, _what, given) => void (work = given) });
    await work?.();
    await work?.();
  };
  const entry = (given: object = {}) => ({
    Id: newId(),
    Name: 'Grafana',
    RedirectUris: ['https://grafana.example.com/login/generic_oauth'],
    SecretFile: secretFile(SECRET),
    ...given,
  });

  it('declares clients that calls can only read, and deletes those that it has no more', async () => {
    const one = entry({ Groups: ['staff'] });
    const open = { Id: newId(), Name: 'App', IsPublic: true, RedirectUris: ['com.example.app:/callback'] };
    await declare([one, open]);
    const { body } = await boss.get(`${PATH}/${one.Id}`).expect(200);
    const shown = [body.Name, body.Groups, body.IsDeclared, body.IsPublic];
    assert.deepEqual(shown, ['Grafana', ['staff'], true, false]);
    const stored = await oauthClients.findWithSecrets(app().db, one.Id);
    assert.ok(app().service.clientSecrets.matches(SECRET, stored?.secretHashes ?? []));
    assert.equal((await boss.read(`${PATH}?isDeclared=true`)).Items.length, 2);
    for (const [method, path, change] of [
      ['patch', '', { Name: 'Mine' }],
      ['delete', '', undefined],
      ['post', '/rotate', { OverlapSeconds: 0 }],
    ] as const)
      await admin().call(method, `${PATH}/${one.Id}${path}`, boss, change).expect(problem('client_declared'));
    const id = await signInTo(admin(), open.Id, await member());
    await declare([one]);
    await boss.get(`${PATH}/${open.Id}`).expect(404);
    assert.equal(await isStored(admin(), id), false);
    await declare(undefined);
    await boss.get(`${PATH}/${one.Id}`).expect(200);
    const isWarning = ({ message }: Record<string, unknown>) =>
      String(message).startsWith('OAUTH_CLIENTS is missing');
    const warning = await eventually(() => app().lines.find(isWarning));
    assert.deepEqual(warning['clientIds'], [one.Id]);
    await declare([]);
    assert.deepEqual((await boss.read(`${PATH}?isDeclared=true`)).Items, []);
    assert.deepEqual(await history({ targetId: one.Id }, 'action', 'actorKind'), [
      ['client.deleted', 'System'],
      ['client.created', 'System'],
    ]);
  });

  it('changes a client, and its secret at once, and takes over one that was registered', async () => {
    const given = { Name: 'Mine', RedirectUris: ['https://app.example.com'], RequiresPkce: false };
    const { Id } = (await boss.post(PATH, given).expect(201)).body;
    const own = (await boss.post(PATH, given).expect(201)).body.Id;
    await declare([entry({ Id, Name: 'Theirs', RequiresPkce: false })]);
    const another = secretFile('d'.repeat(40));
    await declare([entry({ Id, Name: 'Theirs', RequiresPkce: false, SecretFile: another })]);
    const stored = await oauthClients.findWithSecrets(app().db, Id);
    const { matches } = app().service.clientSecrets;
    const shown = [SECRET, 'd'.repeat(40)].map((secret) => matches(secret, stored?.secretHashes ?? []));
    assert.deepEqual(shown, [false, true]);
    await declare([{ Id, Name: 'App', IsPublic: true, RedirectUris: ['com.example.app:/callback'] }]);
    const { body } = await boss.get(`${PATH}/${Id}`).expect(200);
    assert.deepEqual([body.IsPublic, body.RequiresPkce], [true, true]);
    await declare([entry({ Id, RequiresPkce: false })]);
    assert.equal((await boss.read(`${PATH}/${Id}`)).RequiresPkce, false);
    const before = await history({ targetId: Id }, 'id');
    await declare([entry({ Id, RequiresPkce: false })]);
    assert.deepEqual(await history({ targetId: Id }, 'id'), before);
    await declare([]);
    await boss.get(`${PATH}/${own}`).expect(200);
  });

  it('is refused with every error at once, and without any secret', () => {
    const twice = entry();
    const list = [
      {},
      entry({ RedirectUris: ['http://app.example.com'], SessionTag: 'car' }),
      entry({ SecretFile: secretFile('hush-hush') }),
      entry({ SecretFile: undefined }),
      entry({ IsPublic: true }),
      entry({ Secret: 'x' }),
      entry({ IsPublic: true, IsTrusted: true, RedirectUris: ['com.example.app:/'], SecretFile: undefined }),
      ...[twice, twice],
    ];
    let faults: string[] = [];
    const isFault = (error: Error) => {
      faults = error.message.split('\n').map((line) => line.trim());
      return error instanceof ConfigError;
    };
    assert.throws(() => read(list), isFault);
    assert.match(faults[0] ?? '', /^Invalid OAUTH_CLIENTS, \d+ error/);
    const shown = faults.slice(1).map((line) => line.split(' ').slice(0, 3).join(' '));
    const named = [
      ...['1: Id', '1: Name', '2: RedirectUris/0', '2: SessionTag', '3: SecretFile', '4: SecretFile'],
      ...['5: SecretFile', '6: Secret', '7: IsTrusted'],
    ].map((one) => `application ${one}`);
    assert.deepEqual(shown, [...named, `Id ${twice.Id} is`]);
    assert.ok(!faults.join('\n').includes('hush-hush'));
    for (const text of ['{}', '[', '7'])
      assert.throws(() => readDeclaredClients(text, surroundings()), ConfigError);
    assert.equal(readDeclaredClients(undefined, surroundings()), undefined);
  });
});
