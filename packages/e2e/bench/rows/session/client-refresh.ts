import { connectDb, query } from '@gatehouse/db';
import { createHash } from 'node:crypto';
import { v7 as newId } from 'uuid';
import { compare } from '../../load/rounds.ts';
import type { Asked, Target } from '../../load/load.ts';
import type { Row } from '../../row.ts';
import type { System } from '../../system/system.ts';
import { loginOf } from '../../system/users.ts';

const USERS = 500;
const COST = 4;
const CALLBACK = 'https://app.example.com/callback';
const API = 'https://api.example.com';
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const VERIFIER = 'a verifier of the benchmark, which is long enough'.replaceAll(/\W/g, '-');

export const clientRefresh: Row = {
  name: 'client-refresh',
  about: 'POST /oauth/token with refresh tokens of an application, compared with POST /account/refresh-token',
  limits: `Requests that arrive together share the read of their client (0.68 × before, 0.86 × after, on Node 20), as refreshes
share a statement. What is left: the client session is read together with its account and client, and the form. An ID
token is a second signature; with RS256, which most applications ask for, it takes as long as all of the rest.`,
  async measure(bench) {
    const system = await bench.ownSystem({ bcryptCost: COST, users: USERS, others: 2 * USERS });
    const [apiOnly, signingIn] = [system.others.slice(0, USERS), system.others.slice(USERS)];
    const clientId = await register(system);
    const figures = [];
    for (const [id, scope, emails, atLeast] of [
      ['client-refresh', 'offline_access', apiOnly, 1],
      ['client-refresh-id-token', 'openid offline_access', signingIn, 0.4],
    ] as const) {
      const target = await signInAll(system, { clientId, scope, emails });
      const { rate, cpu, detail } = await compare(bench, target, system.core.refresh);
      const title = `POST /oauth/token, scope ${scope} : POST /account/refresh-token`;
      figures.push({ id, title, value: rate, unit: '×', bar: { atLeast }, detail, cpuRatio: cpu } as const);
    }
    return figures;
  },
};

/** Registers a public client that needs no consent, in the database. */
async function register({ databaseUrl }: System): Promise<string> {
  const db = connectDb({ url: databaseUrl, applicationName: 'gatehouse-bench', poolMax: 1 });
  const id = newId();
  try {
    await query(
      db,
      `insert into oauth_client (id, name, is_public, redirect_uris, scopes, grant_types, is_trusted, roles, resources)
       values (:id, 'Bench', true, array[:callback], '{openid,offline_access}', '{authorization_code,refresh_token}', true,
         '{User}', array[:api])`,
      { id, callback: CALLBACK, api: API },
    );
    return id;
  } finally {
    await db.destroy();
  }
}

/** Signs accounts in to the client; returns the requests that refresh their tokens. */
async function signInAll(
  { core }: System,
  { clientId, scope, emails }: { clientId: string; scope: string; emails: readonly string[] },
): Promise<Target> {
  const { url } = core.refresh;
  const refreshOf = (refreshToken: string): Asked => ({
    method: 'POST',
    path: '/oauth/token',
    headers: FORM,
    body: formOf({ grant_type: 'refresh_token', client_id: clientId, refresh_token: refreshToken }),
  });
  const requests: Asked[] = [];
  for (const email of emails) requests.push(refreshOf(await signIn(url, { clientId, scope, email })));
  return {
    ...core.refresh,
    name: `POST /oauth/token, scope ${scope}`,
    requests,
    next: (_asked, answer) => {
      const body = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n'))) as { refresh_token: string };
      return refreshOf(body.refresh_token);
    },
  };
}

async function signIn(
  url: string,
  { clientId, scope, email }: { clientId: string; scope: string; email: string },
): Promise<string> {
  const own = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', origin: url };
  const send = async (path: string, headers: Record<string, string>, body: string): Promise<Response> => {
    const answer = await fetch(url + path, { method: 'POST', headers, body });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return answer;
  };
  const credentials = JSON.parse(loginOf(email).body ?? '') as object;
  const login = await send('/account/login', own, JSON.stringify({ ...credentials, Delivery: 'Cookie' }));
  const cookie = login.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
  const asked = formOf({
    client_id: clientId,
    redirect_uri: CALLBACK,
    response_type: 'code',
    scope,
    resource: API,
    code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
    code_challenge_method: 'S256',
  });
  const granted = await send('/oauth/authorization', { ...own, cookie }, JSON.stringify({ Request: asked }));
  const { Location } = (await granted.json()) as { Location: string };
  const code = new URL(Location).searchParams.get('code') ?? '';
  const exchange = { grant_type: 'authorization_code', client_id: clientId, redirect_uri: CALLBACK };
  const tokens = await send('/oauth/token', FORM, formOf({ ...exchange, code, code_verifier: VERIFIER }));
  return ((await tokens.json()) as { refresh_token: string }).refresh_token;
}

function formOf(fields: Record<string, string>): string {
  return new URLSearchParams(fields).toString();
}
