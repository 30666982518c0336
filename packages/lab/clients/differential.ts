import assert from 'node:assert/strict';
import { REDIRECT_URI } from '@gatehouse/accounts/testing';
import { startOpenIdOracle, type AuthorizationOutcome } from '@gatehouse/dev/testing';
import { newPkce, startOAuthCore } from '../../../services/core/src/oauth/testing.ts';
import type { OAuthCore, TestClient } from '../../../services/core/src/oauth/testing.ts';
import { during, randomFrom } from '@gatehouse/runtime/testing';

const RESOURCE = 'https://api.example';
const SCOPE = 'openid email';

const ODD_AUTHORIZATION = {
  client_id: ['', 'x', '00000000-0000-7000-8000-000000000000'],
  redirect_uri: [
    ...['', 'https://app.example/callback', `${REDIRECT_URI}&x=1`, `${REDIRECT_URI}#f`, `${REDIRECT_URI}/`],
    ...'https://APP.example/callback?kept=1 https://app.example:443/callback?kept=1'.split(' '),
    ...'javascript:alert(1) https://app.example.evil.example/callback?kept=1'.split(' '),
    ...['https://app.example@evil.example/', ` ${REDIRECT_URI}`, 'https://app.example/x/../callback?kept=1'],
    ...'https://app.example/%63allback?kept=1 //app.example/callback'.split(' '),
  ],
  response_type: '|token|id_token|code token|code id_token|none|CODE| code|code code'.split('|'),
  response_mode: ['query', 'fragment', 'form_post', 'web_message', ''],
  scope: '|openid|email|openid  email|openid unknown|unknown|OPENID|openid offline_access'.split('|'),
  state: ['', 'x', 's'.repeat(500), '<script>'],
  nonce: ['', 'x', 'n'.repeat(300)],
  code_challenge: ['', 'x', 'a'.repeat(42), 'a'.repeat(44), `${'a'.repeat(42)}=`, `${'a'.repeat(42)}+`],
  code_challenge_method: ['', 'plain', 's256', 'S512', 'S256 '],
  prompt: 'none|login|consent|none login|login consent|unknown||select_account|NONE'.split('|'),
  max_age: ['0', '1', '100000', '-1', '1.5', 'x', '', '1e3', '99999999999'],
  display: ['page', 'popup', 'touch', 'x'],
  ui_locales: ['de', 'xx-invalid', ''],
  acr_values: ['1', ''],
  login_hint: ['ann@example.com', ''],
  id_token_hint: ['x', '', 'a.b.c'],
  request: ['x', 'e30.e30.'],
  request_uri: ['https://app.example/request.jwt', 'x'],
  registration: ['{}'],
  claims: ['{"userinfo":{"email":null}}', '{', '{}'],
  resource: [RESOURCE, 'https://other.example', 'x', `${RESOURCE}#f`],
  unknown_parameter: ['1'],
};

const ODD_TOKEN = {
  grant_type: ['', 'password', 'implicit', 'AUTHORIZATION_CODE', 'refresh_token', 'client_credentials', 'x'],
  code: ['', 'x', 'a'.repeat(43)],
  redirect_uri: ['', 'https://app.example/callback', `${REDIRECT_URI}&x=1`, ` ${REDIRECT_URI}`],
  code_verifier: ['', 'x', 'a'.repeat(43), 'a'.repeat(129)],
  resource: [RESOURCE, 'https://other.example', 'x'],
  scope: ['openid', 'openid email profile', 'unknown'],
  refresh_token: ['x', ''],
  client_id: ['x', ''],
  client_secret: ['x', ''],
  unknown_parameter: ['1'],
};

/** One person gets 120 codes a minute. */
const CODES_EACH = 100;

/** What ours accepts although the other refuses it, and why that is right. */
const ALLOWED: { why: string; holds: (change: string, oracle: string) => boolean }[] = [
  {
    why: 'an optional value of `prompt`, for which the other has no page here',
    holds: (change) => change === 'prompt=select_account',
  },
  {
    why: 'a request of OAuth without the scope `openid`, which gets no ID token; the other serves OpenID Connect alone',
    holds: (change, oracle) => change === 'scope=email' && oracle === 'invalid_request',
  },
  {
    why: 'two blanks between scopes, which people type; the other reads an empty scope between them',
    holds: (change, oracle) => change === 'scope=openid  email' && oracle === 'invalid_scope',
  },
];

export function differentialTests(seed: number, count: number): void {
  describe(`our OpenID Connect provider beside another one, with ${count} requests of each kind`, function () {
    this.timeout(60_000 + count * 500);
    const core = during(startOAuthCore);
    let client: TestClient;
    let ann: Awaited<ReturnType<OAuthCore['signIn']>>;
    const pkce = newPkce();
    const valid = () => ({ ...core.requestOf(client), scope: SCOPE, state: 's', nonce: 'n', ...pkce.asked });
    const oracle = during(async () => {
      client = await core.newClient({ resources: [RESOURCE] });
      ann = await core.signIn();
      return startOpenIdOracle({ ...client, redirectUri: REDIRECT_URI, resource: RESOURCE });
    });
    before(() => oracle.signIn(encoded(Object.entries(valid()))));

    const ours = async (query: string): Promise<AuthorizationOutcome> => {
      const { body, back } = await core.authorize(ann, query);
      const code = back?.get('code');
      if (typeof code === 'string') return { kind: 'code', code };
      if (back !== undefined) return { kind: 'error', error: back.get('error') ?? '' };
      return body['Kind'] === 'Login' || body['Kind'] === 'Consent' ? { kind: 'page' } : { kind: 'refused' };
    };
    const isAllowed = (changes: readonly string[], theirs: string): boolean =>
      changes.some((change) => ALLOWED.some(({ holds }) => holds(change, theirs)));
    const isAccepted = ({ kind }: AuthorizationOutcome): boolean => kind === 'code' || kind === 'page';

    it('both accept the valid request', async () => {
      const query = encoded(Object.entries(valid()));
      assert.deepEqual([(await ours(query)).kind, (await oracle.authorize(query)).kind], ['code', 'code']);
    });

    it('accepts no authorization request that the other refuses, and redirects nowhere where it does not', async () => {
      const random = randomFrom(seed);
      const found: string[] = [];
      let accepted = 0;
      for (let at = 0; at < count; at += 1) {
        if (at % CODES_EACH === 0) ann = await core.signIn();
        const { pairs, changes } = mutated(valid(), ODD_AUTHORIZATION, random);
        const query = encoded(pairs);
        const [mine, theirs] = [await ours(query), await oracle.authorize(query)];
        if (isAccepted(mine)) accepted += 1;
        const isMore = isAccepted(mine) && !isAccepted(theirs);
        const isRedirect = mine.kind !== 'refused' && theirs.kind === 'refused';
        const said = theirs.kind === 'error' ? theirs.error : theirs.kind;
        if ((isMore || isRedirect) && !isAllowed(changes, said))
          found.push(`${changes.join(', ')}: ours ${JSON.stringify(mine)}, theirs ${JSON.stringify(theirs)}`);
      }
      assert.deepEqual(found, []);
      assert.ok(accepted > count / 10, `${accepted}`);
    });

    it('accepts no token request that the other refuses', async () => {
      const random = randomFrom(seed + 1);
      const found: string[] = [];
      let accepted = 0;
      for (let at = 0; at < count; at += 1) {
        if (at % CODES_EACH === 0) ann = await core.signIn();
        const query = encoded(Object.entries(valid()));
        const [mine, theirs] = [await ours(query), await oracle.authorize(query)];
        assert.ok(mine.kind === 'code' && theirs.kind === 'code');
        const form = {
          grant_type: 'authorization_code',
          redirect_uri: REDIRECT_URI,
          code_verifier: pkce.verifier,
        };
        const { pairs, changes } = mutated({ ...form, code: 'THE CODE' }, ODD_TOKEN, random);
        const withCode = (code: string): string =>
          encoded(pairs.map(([name, value]): Pairs[number] => [name, value === 'THE CODE' ? code : value]));
        const roll = random();
        const secret = roll < 0.1 ? 'wrong' : client.secret;
        const basic = `Basic ${Buffer.from(`${client.id}:${secret}`).toString('base64')}`;
        const headers = {
          'content-type': roll > 0.95 ? 'application/json' : 'application/x-www-form-urlencoded',
          ...(roll > 0.15 && { authorization: basic }),
        };
        const own = await fetch(new URL('/oauth/token', core.url), {
          method: 'POST',
          headers: { ...headers, 'x-forwarded-for': `10.${at % 250}.${Math.floor(at / 250)}.1` },
          body: withCode(mine.code),
        });
        await own.arrayBuffer();
        const other = await oracle.token(withCode(theirs.code), headers);
        if (own.status === 200) accepted += 1;
        if (own.status === 200 && other.status !== 200 && !isAllowed(changes, other.error ?? ''))
          found.push(`${changes.join(', ')}: ${JSON.stringify(other)}`);
      }
      assert.deepEqual(found, []);
      assert.ok(accepted > count / 10, `${accepted}`);
    });
  });
}

type Pairs = [name: string, value: string][];

/** A request with up to three changes, and their names. */
function mutated(
  valid: Readonly<Record<string, string>>,
  odd: Readonly<Record<string, readonly string[]>>,
  random: () => number,
): { pairs: Pairs; changes: string[] } {
  const pick = <T>(list: readonly T[]): T => {
    const one = list[Math.floor(random() * list.length)];
    if (one === undefined) throw new Error('there is nothing to pick from');
    return one;
  };
  let pairs: Pairs = Object.entries(valid);
  const changes: string[] = [];
  const times = Math.floor(random() * 4);
  for (let at = 0; at < times; at += 1) {
    const name = pick(Object.keys(odd));
    const has = pairs.some(([one]) => one === name);
    const roll = random();
    if (has && roll < 0.25) {
      pairs = pairs.filter(([one]) => one !== name);
      changes.push(`-${name}`);
    } else if (has && roll < 0.35) {
      const value = pairs.find(([one]) => one === name)?.[1] ?? '';
      pairs.push([name, value]);
      changes.push(`2x${name}`);
    } else {
      const value = pick(odd[name] ?? ['']);
      pairs = [...pairs.filter(([one]) => one !== name), [name, value]];
      changes.push(`${name}=${value}`);
    }
  }
  return { pairs, changes };
}

function encoded(pairs: Pairs): string {
  return new URLSearchParams(pairs).toString();
}
