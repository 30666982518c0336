import { createHash } from 'node:crypto';
import { startCounterpart } from '../counterparts/counterpart.ts';
import { compare, type Pair } from '../compare.ts';
import { ask, type Asked } from '../load.ts';
import type { Bench, Figure, Row } from '../row.ts';
import { checkOf, loginOf, pingOf, posting, refreshing, type System } from '../system.ts';

function comparing(name: string, pairsOf: (bench: Bench) => Promise<Pair[]>): Row {
  const measure = async (bench: Bench): Promise<Figure[]> => {
    const figures: Figure[] = [];
    for (const pair of await pairsOf(bench)) figures.push(await compare(bench, pair));
    return figures;
  };
  return { name, measure };
}

async function counterpartOf(bench: Bench, ...given: Parameters<typeof startCounterpart>) {
  const counterpart = await startCounterpart(...given);
  bench.onEnd(counterpart.stop);
  return counterpart;
}

export const ping = comparing('ping', async (bench) => {
  const { stack, users, core } = await bench.system();
  const args = [stack.facts.redisUrl, String(users.length)];
  const byHand = await counterpartOf(bench, 'express-by-hand.mjs', args);
  const sessions = (byHand.facts['tokens'] as string[]).map((token) => ({ token })); // it sends them
  const target = (requests: Asked[]) =>
    byHand.target('the same by hand, with Express, jose and ioredis', requests);
  return [
    { id: 'ping', ours: core.ping, theirs: target(sessions.map(pingOf)) },
    { id: 'ping-auth', ours: core.pingAuth, theirs: target(sessions.map(checkOf)) },
  ];
});

/** It looks up the session in Redis, as ours does, or keeps it in a signed cookie, which outlives the session's end. */
const WAYS = { 'session in Redis': 'session-check', 'cookie cache': 'session-check-cookie' };

export const sessionCheck = comparing('session-check', async (bench) => {
  const { stack, databaseUrl, users, core } = await bench.system();
  const pairs: Pair[] = [];
  for (const [way, id] of Object.entries(WAYS)) {
    const args = [databaseUrl, stack.facts.redisUrl, String(users.length), way];
    const betterAuth = await counterpartOf(bench, 'express-better-auth.mjs', args);
    const cookies = betterAuth.facts['cookies'] as string[]; // it sends them
    const requests = cookies.map((cookie): Asked => ({ method: 'GET', path: '/check', headers: { cookie } }));
    pairs.push({ id, ours: core.pingAuth, theirs: betterAuth.target(`better-auth, ${way}`, requests) });
  }
  return pairs;
});

/** With few users, each session would store hundreds of replaced tokens, as none does in practice. */
const REFRESHING = 1000;

export const refresh = comparing('refresh', async (bench) => {
  const { databaseUrl, users, core } = await bench.ownSystem({ bcryptCost: 4, users: REFRESHING });
  const express = await counterpartOf(bench, 'express-update.mjs', [databaseUrl, String(users.length)]);
  const requests = users.map((_user, id) => posting('/refresh', { id }));
  const theirs = express.target('bare Express with one UPDATE … RETURNING', requests);
  return [{ id: 'refresh', ours: core.refresh, theirs }];
});

const OF_APPLICATIONS = 300;

/** What applications ask for, against the best-known provider for Node with Redis. */
export const applications = comparing('applications', async (bench) => {
  const system = await bench.ownSystem({ bcryptCost: 4, users: 1, others: OF_APPLICATIONS });
  const { core, stack, others } = system;
  const { id: client_id, secret: client_secret, api } = system.application;
  const args = [stack.facts.redisUrl, String(OF_APPLICATIONS), client_id, client_secret, api];
  const provider = await counterpartOf(bench, 'oidc-provider.mjs', args);
  const facts = provider.facts as { accessTokens: string[]; refreshTokens: string[] }; // it sends them
  const signedIn: Awaited<ReturnType<typeof signIn>>[] = [];
  for (const email of others) signedIn.push(await signIn(system, email, bench.signal));
  const form = (path: string, more: Record<string, string>) =>
    formTo(path, { client_id, client_secret, ...more });
  const ownToken = (path: string) =>
    form(path, { grant_type: 'client_credentials', resource: api, scope: 'read' });
  const refreshAt = (path: string) => (refresh_token: string) =>
    form(path, { grant_type: 'refresh_token', refresh_token });
  return [
    {
      id: 'introspection',
      ours: core.target(
        'POST /oauth/introspect',
        signedIn.map(({ access_token: token }) => form('/oauth/introspect', { token })),
      ),
      theirs: provider.target(
        'oidc-provider, opaque token, Redis',
        facts.accessTokens.map((token) => form('/token/introspection', { token })),
      ),
    },
    {
      id: 'client-refresh',
      ours: refreshing(
        core.target(
          'POST /oauth/token, refresh with an ID token',
          signedIn.map(({ refresh_token }) => refreshAt('/oauth/token')(refresh_token)),
        ),
        refreshAt('/oauth/token'),
      ),
      theirs: refreshing(
        provider.target('oidc-provider, with rotation, Redis', facts.refreshTokens.map(refreshAt('/token'))),
        refreshAt('/token'),
      ),
    },
    {
      id: 'client-credentials',
      ours: core.target('POST /oauth/token, client credentials', [ownToken('/oauth/token')]),
      theirs: provider.target('oidc-provider, JWT, Redis', [ownToken('/token')]),
    },
  ];
});

function formTo(path: string, fields: Record<string, string>): Asked {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  return { method: 'POST', path, headers, body: new URLSearchParams(fields).toString() };
}

const VERIFIER = 'a-verifier-of-the-benchmark--which-is-long-enough';

async function signIn({ stack, application }: System, email: string, signal: AbortSignal) {
  const url = stack.facts.urls.core;
  const { id: client_id, secret: client_secret, callback: redirect_uri, api: resource } = application;
  const send = async (asked: Asked, headers: object = {}): Promise<Response> => {
    const answer = await ask(url, { ...asked, headers: { ...asked.headers, ...headers } }, signal);
    if (!answer.ok) throw new Error(`${asked.path} answered ${answer.status}: ${await answer.text()}`);
    return answer;
  };
  const own = { 'sec-fetch-site': 'same-origin', origin: url };
  const login = await send(loginOf(email, undefined, { Delivery: 'Cookie' }), own);
  const cookies = login.headers.getSetCookie().map((one) => one.split(';')[0]);
  const asked = new URLSearchParams({
    client_id,
    redirect_uri,
    response_type: 'code',
    scope: 'openid offline_access read',
    resource,
    code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
    code_challenge_method: 'S256',
  });
  const request = posting('/oauth/authorization', { Request: asked.toString() });
  const granted = await send(request, { ...own, cookie: cookies.join('; ') });
  const { Location } = (await granted.json()) as { Location: string };
  const code = new URL(Location).searchParams.get('code') ?? '';
  const exchange = { grant_type: 'authorization_code', redirect_uri, code, code_verifier: VERIFIER };
  const tokens = await send(formTo('/oauth/token', { client_id, client_secret, ...exchange }));
  return (await tokens.json()) as { access_token: string; refresh_token: string }; // RFC 6749 §5.1
}
