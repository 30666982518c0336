import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readAudit } from '@gatehouse/accounts/testing';
import { oauthClients } from '@gatehouse/db';
import { ConfigError } from '@gatehouse/runtime';
import { eventually } from '@gatehouse/runtime/testing';
import { v7 as newId } from 'uuid';
import { startAdmin, type TestAdmin } from '../testing/index.ts';
import { openWebhooks } from '../open-webhooks.ts';
import { declareClients, readDeclaredClients } from './declared-clients.ts';
import { isStored, signInTo } from './testing.ts';

const PATH = '/admin/oauth-client';
const SECRET = 'c'.repeat(32);

describe('OAUTH_CLIENTS', () => {
  let admin: TestAdmin;
  let token: string;
  let folder: string;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-clients-'));
    admin = await startAdmin();
    token = (await admin.login(await admin.newAccount({ role: 'Admin' }))).Token;
  });
  after(async () => {
    rmSync(folder, { recursive: true });
    await admin.stop();
  });

  const secretFile = (secret: string): string => {
    const path = join(folder, newId());
    writeFileSync(path, `${secret}\n`);
    return path;
  };
  const surroundings = () => ({
    audience: 'gatehouse',
    slots: admin.app.service.slots,
    ...openWebhooks({}),
  });
  /** `undefined`: the setting is missing. */
  const read = (list: unknown) => readDeclaredClients(JSON.stringify(list), surroundings());
  const faultsOf = (list: unknown): string[] => {
    try {
      read(list);
    } catch (error) {
      assert.ok(error instanceof ConfigError);
      return error.message.split('\n').map((line) => line.trim());
    }
    return assert.fail('it was accepted');
  };
  /** Starts Admin with this list, as far as it concerns clients. */
  const declare = async (list: unknown): Promise<void> => {
    let work: (() => Promise<unknown>) | undefined;
    declareClients(admin.app.service, read(list), {
      every: (_seconds, _what, given) => void (work = given),
    });
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
    const { body } = await admin.get(`${PATH}/${one.Id}`, token).expect(200);
    assert.deepEqual(
      [body.Name, body.Groups, body.IsDeclared, body.IsPublic],
      ['Grafana', ['staff'], true, false],
    );
    const stored = await oauthClients.findWithSecrets(admin.app.db, one.Id);
    assert.ok(admin.app.service.clientSecrets.matches(SECRET, stored?.secretHashes ?? []));
    const list = (await admin.get(`${PATH}?isDeclared=true`, token).expect(200)).body.Items;
    assert.equal(list.length, 2);
    for (const [method, path, change] of [
      ['patch', '', { Name: 'Mine' }],
      ['delete', '', undefined],
      ['post', '/rotate', { OverlapSeconds: 0 }],
    ] as const) {
      const answer = await admin.call(method, `${PATH}/${one.Id}${path}`, token, change).expect(409);
      assert.equal(answer.body.code, 'client_declared');
    }
    const ann = await admin.newAccount();
    const id = await signInTo(admin, open.Id, ann);
    await declare([one]);
    await admin.get(`${PATH}/${open.Id}`, token).expect(404);
    assert.equal(await isStored(admin, id), false);
    await declare(undefined);
    await admin.get(`${PATH}/${one.Id}`, token).expect(200);
    const isWarning = ({ message }: Record<string, unknown>) =>
      String(message).startsWith('OAUTH_CLIENTS is missing');
    const warning = await eventually(() => admin.app.lines.find(isWarning));
    assert.deepEqual(warning['clientIds'], [one.Id]);
    await declare([]);
    assert.deepEqual((await admin.get(`${PATH}?isDeclared=true`, token).expect(200)).body.Items, []);
    const { entries } = await readAudit(admin.app, { targetId: one.Id });
    assert.deepEqual(
      entries.map(({ action, actorKind }) => [action, actorKind]),
      [
        ['client.deleted', 'System'],
        ['client.created', 'System'],
      ],
    );
  });

  it('changes a client, and its secret at once, and takes over one that was registered', async () => {
    const given = { Name: 'Mine', RedirectUris: ['https://app.example.com'], RequiresPkce: false };
    const { Id } = (await admin.post(PATH, token, given).expect(201)).body;
    const own = (await admin.post(PATH, token, given).expect(201)).body.Id;
    await declare([entry({ Id, Name: 'Theirs', RequiresPkce: false })]);
    await declare([
      entry({ Id, Name: 'Theirs', RequiresPkce: false, SecretFile: secretFile('d'.repeat(40)) }),
    ]);
    const stored = await oauthClients.findWithSecrets(admin.app.db, Id);
    const { matches } = admin.app.service.clientSecrets;
    assert.deepEqual(
      [SECRET, 'd'.repeat(40)].map((secret) => matches(secret, stored?.secretHashes ?? [])),
      [false, true],
    );
    await declare([{ Id, Name: 'App', IsPublic: true, RedirectUris: ['com.example.app:/callback'] }]);
    const { body } = await admin.get(`${PATH}/${Id}`, token).expect(200);
    assert.deepEqual([body.IsPublic, body.RequiresPkce], [true, true]);
    await declare([entry({ Id, RequiresPkce: false })]);
    assert.equal((await admin.get(`${PATH}/${Id}`, token).expect(200)).body.RequiresPkce, false);
    const { entries } = await readAudit(admin.app, { targetId: Id });
    const count = entries.length;
    await declare([entry({ Id, RequiresPkce: false })]);
    assert.equal((await readAudit(admin.app, { targetId: Id })).entries.length, count);
    await declare([]);
    await admin.get(`${PATH}/${own}`, token).expect(200);
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
      {
        ...entry({ IsPublic: true, IsTrusted: true, RedirectUris: ['com.example.app:/'] }),
        SecretFile: undefined,
      },
      twice,
      twice,
    ];
    const faults = faultsOf(list);
    assert.match(faults[0] ?? '', /^Invalid OAUTH_CLIENTS, \d+ error/);
    assert.deepEqual(
      faults.slice(1).map((line) => line.split(' ').slice(0, 3).join(' ')),
      [
        'application 1: Id',
        'application 1: Name',
        'application 2: RedirectUris/0',
        'application 2: SessionTag',
        'application 3: SecretFile',
        'application 4: SecretFile',
        'application 5: SecretFile',
        'application 6: Secret',
        'application 7: IsTrusted',
        `Id ${twice.Id} is`,
      ],
    );
    assert.ok(!faults.join('\n').includes('hush-hush'));
    for (const text of ['{}', '[', '7'])
      assert.throws(() => readDeclaredClients(text, surroundings()), ConfigError);
    assert.equal(readDeclaredClients(undefined, surroundings()), undefined);
  });
});
