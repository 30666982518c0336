import { createHash } from 'node:crypto';
import { startCounterpart } from '../../counterparts/counterpart.ts';
import type { Asked, Target } from '../../load/load.ts';
import { compare } from '../../load/rounds.ts';
import type { Figure, Row } from '../../row.ts';
import type { Application, System } from '../../system/system.ts';
import { loginOf } from '../../system/users.ts';

const USERS = 300;
const COST = 4;
const VERIFIER = 'a-verifier-of-the-benchmark--which-is-long-enough';

/** What applications ask for, against the best-known provider for Node with Redis. */
export const applications: Row = {
  name: 'applications',
  about:
    'introspection, refresh and client credentials of applications, compared with oidc-provider and Redis',
  limits: `Half of the CPU time of a token is its ES256 signature, about 110 µs, which both sides pay; with an ID token there
are two, and \`node:crypto\` makes them no faster. A refresh reads and rotates in one statement that refreshes share.`,
  async measure(bench) {
    const system = await bench.ownSystem({ bcryptCost: COST, users: 1, others: USERS });
    const provider = await startCounterpart('oidc-provider.mjs', [
      system.stack.facts.redisUrl,
      String(USERS),
    ]);
    bench.onEnd(provider.stop);
    // What it sends.
    const facts = provider.facts as {
      client_id: string;
      client_secret: string;
      api: string;
      accessTokens: string[];
      refreshTokens: string[];
    };
    const { id, secret, api } = system.application;
    const ours = { client_id: id, client_secret: secret };
    const theirs = { client_id: facts.client_id, client_secret: facts.client_secret };
    const signedIn = await signInAll(system);

    const pairs: { id: string; title: string; atLeast: number; ours: Target; theirs: Target }[] = [
      {
        id: 'introspection',
        title: 'POST /oauth/introspect : oidc-provider, opaque token, Redis',
        atLeast: 2,
        ours: target(system, 'POST /oauth/introspect', [
          ...signedIn.map(({ accessToken }) => formTo('/oauth/introspect', { ...ours, token: accessToken })),
        ]),
        theirs: provider.target(
          'oidc-provider, introspection',
          facts.accessTokens.map((token) => formTo('/token/introspection', { ...theirs, token })),
        ),
      },
      {
        id: 'client-refresh',
        title: 'POST /oauth/token, refresh with an ID token : oidc-provider, with rotation, Redis',
        atLeast: 1,
        ours: refreshing(
          target(
            system,
            'POST /oauth/token, refresh',
            signedIn.map(({ refreshToken }) => refreshOf('/oauth/token', ours, refreshToken)),
          ),
          (token) => refreshOf('/oauth/token', ours, token),
        ),
        theirs: refreshing(
          provider.target(
            'oidc-provider, refresh',
            facts.refreshTokens.map((token) => refreshOf('/token', theirs, token)),
          ),
          (token) => refreshOf('/token', theirs, token),
        ),
      },
      {
        id: 'client-credentials',
        title: 'POST /oauth/token, client credentials : oidc-provider, JWT, Redis',
        atLeast: 2,
        ours: target(system, 'POST /oauth/token, client credentials', [
          formTo('/oauth/token', { ...ours, grant_type: 'client_credentials', resource: api, scope: 'read' }),
        ]),
        theirs: provider.target('oidc-provider, client credentials', [
          formTo('/token', {
            ...theirs,
            grant_type: 'client_credentials',
            resource: facts.api,
            scope: 'read',
          }),
        ]),
      },
    ];
    const figures: Figure[] = [];
    for (const { id: name, title, atLeast, ours: mine, theirs: other } of pairs) {
      const { rate, cpu, detail } = await compare(bench, mine, other);
      figures.push({ id: name, title, value: rate, unit: '×', bar: { atLeast }, detail, cpuRatio: cpu });
    }
    return figures;
  },
};

function target({ core }: System, name: string, requests: Asked[]): Target {
  const { url, cpuSeconds } = core.refresh;
  return { name, url, cpuSeconds, requests };
}

/** Adopts the refresh token of each answer, as a client does. */
function refreshing(plain: Target, refresh: (token: string) => Asked): Target {
  return {
    ...plain,
    next: (_asked, answer) => {
      const body = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n'))) as { refresh_token: string };
      return refresh(body.refresh_token);
    },
  };
}

function refreshOf(path: string, client: Record<string, string>, token: string): Asked {
  return formTo(path, { ...client, grant_type: 'refresh_token', refresh_token: token });
}

function formTo(path: string, fields: Record<string, string>): Asked {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  return { method: 'POST', path, headers, body: new URLSearchParams(fields).toString() };
}

interface SignedIn {
  accessToken: string;
  refreshToken: string;
}

async function signInAll({ core, others, application }: System): Promise<SignedIn[]> {
  const all: SignedIn[] = [];
  for (const email of others) all.push(await signIn(core.refresh.url, application, email));
  return all;
}

async function signIn(
  url: string,
  { id, secret, callback, api }: Application,
  email: string,
): Promise<SignedIn> {
  const own = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', origin: url };
  const send = async (asked: Pick<Asked, 'path' | 'headers' | 'body'>): Promise<Response> => {
    const { path, headers = {}, body = '' } = asked;
    const answer = await fetch(url + path, { method: 'POST', headers, body });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
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
