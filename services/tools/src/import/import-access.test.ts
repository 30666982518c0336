import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { during, serve, useFolder } from '@gatehouse/runtime/testing';
import { accessOf } from './import-command.ts';

const ADMIN = 'http://127.0.0.1:8083';

describe('the Admin of an import', () => {
  const pathOf = useFolder();
  let settings: NodeJS.ProcessEnv;
  let answer: object;
  let asked: string[];
  const core = during(() =>
    serve((message, response) => {
      void text(message).then((body) => {
        asked.push(`${message.method} ${message.url} ${body}`);
        response.end(JSON.stringify(answer));
      });
    }),
  );
  beforeEach(() => {
    asked = [];
    settings = {
      IMPORT_URL: ADMIN,
      IMPORT_LOGIN_URL: core.url,
      IMPORT_EMAIL: 'admin@example.com',
      IMPORT_PASSWORD: 'correct horse',
    };
  });

  it('is that of the settings, with a login for each requested token', async () => {
    const access = accessOf(undefined, undefined, settings);
    assert.equal(access.adminUrl, ADMIN);
    assert.deepEqual(asked, []);
    for (const Token of ['one', 'two']) {
      answer = { Token };
      assert.equal(await access.logIn(), Token);
    }
    const body = '{"Username":"admin@example.com","Password":"correct horse","DeviceName":"npm run import"}';
    assert.deepEqual(asked, Array(2).fill(`POST /account/login ${body}`));
  });

  it('reports why its administrator cannot log in', async () => {
    const { logIn } = accessOf(undefined, undefined, settings);
    answer = { detail: 'Too many attempts' };
    await assert.rejects(logIn(), /cannot log in: Too many attempts/);
    answer = { LoginStatus: 7 };
    await assert.rejects(logIn(), /second factor is required/);
  });

  it('gets any token from the file, without a login', async () => {
    const file = pathOf('token');
    writeFileSync(file, 'the-token\n');
    for (const [url, adminUrl] of [
      [undefined, ADMIN],
      ['http://elsewhere', 'http://elsewhere'],
    ] as const) {
      const access = accessOf(url, file, settings);
      assert.deepEqual([access.adminUrl, await access.logIn()], [adminUrl, 'the-token']);
    }
    assert.throws(() => accessOf(undefined, file, {}), /Name Admin’s address/);
    assert.deepEqual(asked, []);
  });

  it('never sends the configured token to another Admin', () => {
    assert.throws(() => accessOf('http://elsewhere', undefined, settings), /needs --url and --token-file/);
    for (const name of Object.keys(settings)) {
      const lacking = { ...settings, [name]: '' };
      assert.throws(() => accessOf(undefined, undefined, lacking), /needs --url and --token-file/, name);
    }
  });
});
