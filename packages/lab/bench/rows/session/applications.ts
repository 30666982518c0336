import { createHash } from 'node:crypto';
import { startCounterpart } from '../../counterparts/counterpart.ts';
import { ask, type Asked } from '../../load/load.ts';
import { compare, type Pair } from '../../load/rounds.ts';
import type { Figure, Row } from '../../row.ts';
import { refreshing } from '../../system/core-targets.ts';
import type { System } from '../../system/system.ts';
import { loginOf } from '../../system/users.ts';

const USERS = 300;
const COST = 4;
const VERIFIER = 'a-verifier-of-the-benchmark--which-is-long-enough';

/** What applications ask for, against the best-known provider for Node with Redis. */
export const applications: Row = {
  name: 'applications',
  limits: `Half of the CPU time of a token is its ES256 signature, about 110 µs, which both sides pay; with an ID token there
are two, and \`node:crypto\` makes them no faster. A refresh reads and rotates in one statement that refreshes share.`,
  async measure(bench) {
    const system = await bench.ownSystem({ bcryptCost: COST, users: 1, others: USERS });
    const { core, application, stack } = system;
    const { id, secret, api } = application;
    const args = [stack.facts.redisUrl, String(USERS), id, secret, api];
    const provider = await startCounterpart('oidc-provider.mjs', args);
    bench.onEnd(provider.stop);
    const facts = provider.facts as { accessTokens: string[]; refreshTokens: string[] }; // it sends them
    const client = { client_id: id, client_secret: secret };
    const credentials = { ...client, grant_type: 'client_credentials', resource: api, scope: 'read' };
    const refreshAt = (path: string) => (token: string) =>
      formTo(path, { ...client, grant_type: 'refresh_token', refresh_token: token });
    const signedIn: Awaited<ReturnType<typeof signIn>>[] = [];
    for (const email of system.others) signedIn.push(await signIn(system, email, bench.signal));

    const pairs: Pair[] = [
      {
        id: 'introspection',
        title: 'POST /oauth/introspect : oidc-provider, opaque token, Redis',
        atLeast: 2,
        ours: core.target(
          'POST /oauth/introspect',
          signedIn.map(({ accessToken }) => formTo('/oauth/introspect', { ...client, token: accessToken })),
        ),
        theirs: provider.target(
          'oidc-provider, introspection',
          facts.accessTokens.map((token) => formTo('/token/introspection', { ...client, token })),
        ),
      },
      {
        id: 'client-refresh',
        title: 'POST /oauth/token, refresh with an ID token : oidc-provider, with rotation, Redis',
        atLeast: 1,
        ours: refreshing(
          (requests) => core.target('POST /oauth/token, refresh', requests),
          signedIn.map(({ refreshToken }) => refreshToken),
          refreshAt('/oauth/token'),
        ),
        theirs: refreshing(
          (requests) => provider.target('oidc-provider, refresh', requests),
          facts.refreshTokens,
          refreshAt('/token'),
        ),
      },
      {
        id: 'client-credentials',
        title: 'POST /oauth/token, client credentials : oidc-provider, JWT, Redis',
        atLeast: 2,
        ours: core.target('POST /oauth/token, client credentials', [formTo('/oauth/token', credentials)]),
        theirs: provider.target('oidc-provider, client credentials', [formTo('/token', credentials)]),
      },
    ];
    const figures: Figure[] = [];
    for (const pair of pairs) figures.push(await compare(bench, pair));
    return figures;
  },
};

function formTo(path: string, fields: Record<string, string>): Asked {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  return { method: 'POST', path, headers, body: new URLSearchParams(fields).toString() };
}

async function signIn({ stack, application }: System, email: string, signal: AbortSignal) {
  const url = stack.facts.urls.core;
  const { id, secret, callback, api } = application;
  const own = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', origin: url };
  const send = async (asked: Omit<Asked, 'method'>): Promise<Response> => {
    const answer = await ask(url, { method: 'POST', ...asked }, signal);
    if (!answer.ok) throw new Error(`${asked.path} answered ${answer.status}: ${await answer.text()}`);
    return answer;
  };
  const credentials = JSON.parse(loginOf(email).body ?? '') as object;
  const body = JSON.stringify({ ...credentials, Delivery: 'Cookie' });
  const login = await send({ path: '/account/login', headers: own, body });
  const cookie = login.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
  const asked = new URLSearchParams({
    client_id: id,
    redirect_uri: callback,
    response_type: 'code',
    scope: 'openid offline_access read',
    resource: api,
    code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
    code_challenge_method: 'S256',
  });
  const granted = await send({
    path: '/oauth/authorization',
    headers: { ...own, cookie },
    body: JSON.stringify({ Request: asked.toString() }),
  });
  const { Location } = (await granted.json()) as { Location: string };
  const code = new URL(Location).searchParams.get('code') ?? '';
  const client = { client_id: id, client_secret: secret };
  const exchange = {
    grant_type: 'authorization_code',
    redirect_uri: callback,
    code,
    code_verifier: VERIFIER,
  };
  const tokens = (await (await send(formTo('/oauth/token', { ...client, ...exchange }))).json()) as {
    access_token: string;
    refresh_token: string;
  };
  return { accessToken: tokens.access_token, refreshToken: tokens.refresh_token };
}
