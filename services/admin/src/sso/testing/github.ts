import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { CLIENT } from './provider.ts';
import { serve } from '@gatehouse/runtime/testing';

const JSON_TYPE = 'application/json; charset=utf-8';

export interface GithubPerson {
  user: Record<string, unknown>;
  emails: unknown;
  emailsStatus?: number;
}

/**
 * An OAuth app of GitHub, with the API of an Enterprise Server, as docs.github.com describes them ("Authorizing OAuth
 * apps", "REST API endpoints for emails").
 */
export async function startGithub() {
  let person: GithubPerson = { user: {}, emails: [] };
  const codes = new Map<string, { challenge: string; redirectUri: string }>();
  const asked: URLSearchParams[] = [];
  const token = `gho_${randomBytes(18).toString('hex')}`;

  const redeem = (form: URLSearchParams): object => {
    const code = form.get('code') ?? '';
    const grant = codes.get(code);
    codes.delete(code);
    const challenge = createHash('sha256').update(form.get('code_verifier') ?? '');
    const isClient =
      form.get('client_id') === CLIENT.clientId && form.get('client_secret') === CLIENT.clientSecret;
    if (!isClient) return { error: 'incorrect_client_credentials' };
    if (grant?.challenge !== challenge.digest('base64url')) return { error: 'bad_verification_code' };
    if (grant.redirectUri !== form.get('redirect_uri')) return { error: 'redirect_uri_mismatch' };
    return { access_token: token, scope: 'read:user,user:email', token_type: 'bearer' };
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://127.0.0.1');
    const json = (body: unknown, status = 200) =>
      response.writeHead(status, { 'Content-Type': JSON_TYPE }).end(JSON.stringify(body));
    if (pathname === '/login/oauth/authorize') {
      asked.push(searchParams);
      const code = randomBytes(10).toString('hex');
      const redirectUri = searchParams.get('redirect_uri') ?? '';
      codes.set(code, { challenge: searchParams.get('code_challenge') ?? '', redirectUri });
      const back = new URLSearchParams({ code, state: searchParams.get('state') ?? '' }).toString();
      response.writeHead(302, { Location: `${redirectUri}?${back}` }).end();
    } else if (pathname === '/login/oauth/access_token') {
      // Refusals have the status 200, and without this header the answer is a form.
      if (request.headers.accept?.includes('application/json') === true)
        json(redeem(new URLSearchParams(await text(request))));
      else response.end('error=no_json');
    } else if (request.headers['user-agent'] === undefined) json({ message: 'User-Agent required' }, 403);
    else if (request.headers.authorization !== `Bearer ${token}`) json({ message: 'Bad credentials' }, 401);
    else if (pathname === '/api/v3/user') json(person.user);
    else if (pathname === '/api/v3/user/emails') json(person.emails, person.emailsStatus);
    else json({ message: 'Not Found' }, 404);
  };

  const server = await serve((request, response) => void answer(request, response));
  return {
    ...server,
    issuer: `http://127.0.0.1:${server.port}`,
    asked,
    recognise: (found: GithubPerson) => {
      person = found;
    },
  };
}
