import assert from 'node:assert/strict';
import { ConfigError } from './config.ts';
import { readPageAddresses, readReturnUrls } from './page-addresses.ts';

const ID = '{ContentDefinitionId}';

describe('readPageAddresses', () => {
  it('takes https, and http on this machine', () => {
    const own = ['http://localhost:3000', 'http://127.0.0.1/', 'http://[::1]:1/'];
    for (const url of ['https://app.example.com/a?b=c', ...own]) {
      const read = readPageAddresses({ APP_URL: url, SUPPORT_URL: url });
      assert.deepEqual(read, { appUrl: url, supportUrl: url });
    }
    const contentUrl = `https://app.example.com/?content=${ID}&view=full`;
    assert.deepEqual(readPageAddresses({ CONTENT_URL: contentUrl }), { contentUrl });
    assert.deepEqual(readPageAddresses({}), {});
  });

  for (const url of [
    'app.example.com',
    'http://app.example.com',
    'http://localhost.example.com',
    'javascript:alert(1)',
    'https://user@app.example.com',
    'https://:password@app.example.com',
    'https://app.example.com/#/login',
    'https://app.example.com/#',
    'https://app.example.com/a b',
    ' https://app.example.com',
    'https:\\\\app.example.com',
    'https://app.example.com/"><script>',
  ])
    it(`refuses ${JSON.stringify(url)}, naming the setting`, () => {
      for (const name of ['APP_URL', 'SUPPORT_URL', 'CONTENT_URL']) {
        const value = name === 'CONTENT_URL' ? `${url}${ID}` : url;
        const message = new RegExp(`${name} must be an https URL`);
        assert.throws(() => readPageAddresses({ [name]: value }), { name: 'ConfigError', message });
      }
    });

  for (const [template, fault] of [
    ['https://app.example.com/', 'once'],
    [`https://app.example.com/${ID}/${ID}`, 'once'],
    [`https://${ID}.example.com/`, 'in its path or its query'],
    [`https://app.example.com:1${ID}/`, 'in its path or its query'],
    ['https://app.example.com/{contentDefinitionId}', 'once'],
  ] as const)
    it(`refuses ${template} for content`, () => {
      const refused = { name: 'ConfigError', message: new RegExp(fault) };
      assert.throws(() => readPageAddresses({ CONTENT_URL: template }), refused);
    });

  it('reports all errors at once', () => {
    const refused = { name: 'ConfigError', message: /3 error\(s\)/ };
    assert.throws(() => readPageAddresses({ APP_URL: 'x', CONTENT_URL: 'x', SUPPORT_URL: 'x' }), refused);
  });
});

describe('readReturnUrls', () => {
  it('takes a list, with an app’s own scheme on it', () => {
    const urls = ['https://app.example.com/', 'http://localhost:3000/back?a=b', 'com.example.app:/login'];
    assert.deepEqual(readReturnUrls(` ${urls.join(' ,')},`), urls);
    assert.deepEqual(readReturnUrls(''), []);
  });

  for (const url of [
    'http://app.example.com/',
    '*',
    'https://*',
    'javascript:alert(1)',
    'data:text/html,x',
    'myapp://login',
    'https://app.example.com/#',
    'https://a@app.example.com/',
    '/login',
  ])
    it(`refuses ${url}, naming its position but not its value`, () =>
      assert.throws(
        () => readReturnUrls(`https://app.example.com/,${url}`),
        (error) =>
          error instanceof ConfigError && error.message.includes('URL 2') && !error.message.includes(url),
      ));
});
