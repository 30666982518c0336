import assert from 'node:assert/strict';
import { cast } from './testing/cast.ts';

const OAUTH = '/admin/oauth-client';
const GOOD = 'https://app.example.com/callback';
const CLIENT = { Name: 'App', RedirectUris: [GOOD] };
const HOOK = { Name: 'Hook', Url: GOOD, Types: ['*'] };

/** Every address that an administrator types, in a request that contains it. */
const TYPED: [path: string, name: string, body: (text: string) => object][] = [
  ['/admin/webhook', 'Url', (text) => ({ ...HOOK, Url: text })],
  [OAUTH, 'RedirectUris', (text) => ({ ...CLIENT, RedirectUris: [text] })],
  [OAUTH, 'PostLogoutRedirectUris', (text) => ({ ...CLIENT, PostLogoutRedirectUris: [text] })],
  [OAUTH, 'BackchannelLogoutUri', (text) => ({ ...CLIENT, BackchannelLogoutUri: text })],
  [OAUTH, 'Resources', (text) => ({ ...CLIENT, Resources: [text] })],
];

const SPELLINGS = [
  ` ${GOOD}`,
  `${GOOD} `,
  `${GOOD}\n`,
  '\u0001https://app.example.com/',
  'https://app.example.com/a\r\nb',
  'https://app.\texample.com/',
  'https://app.example.com/a b',
  'https:\\\\app.example.com\\a',
  'https://APP.example.com/\u00fc',
  'https://app.example.com:0/',
  'https://app.example.com:00/',
];

describe('an address that an administrator types', () => {
  const { boss, call } = cast();

  for (const [path, name, bodyWith] of TYPED)
    it(`is refused or stored as every parser reads it: ${name}`, async () => {
      const made = (await boss.post(path, bodyWith(GOOD)).expect(201)).body;
      for (const text of SPELLINGS)
        for (const method of ['post', 'patch'] as const) {
          const at = method === 'post' ? path : `${path}/${made.Id}`;
          const { [name]: given } = bodyWith(text) as Record<string, unknown>;
          const change = method === 'post' ? bodyWith(text) : { [name]: given };
          const { status, body } = await call(method, at, boss, change);
          if (status === 400) continue;
          const stored = String([body[name]].flat()[0]);
          assert.match(stored, /^[!-~]+$/, `${JSON.stringify(text)}: ${status}`);
          assert.equal(new URL(stored).href, stored);
          assert.notEqual(new URL(stored).port, '0');
        }
    });
});
