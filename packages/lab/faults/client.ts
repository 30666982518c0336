import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { eventually } from '@gatehouse/runtime/testing';
import { PASSWORD } from '../../e2e/src/testing/index.ts';
import { oneCall, type Outcome } from '../cluster/one-call.ts';
import type { FaultWorld } from './fault-world.ts';

/** The calls of the API. `remember` gets each outcome. */
export function clientOf(world: FaultWorld, remember: (outcome: Outcome) => void = () => {}) {
  const { core, portal } = world.stack.facts.urls;
  const ask = async (...given: Parameters<typeof oneCall>): Promise<Outcome> => {
    const outcome = await oneCall(...given);
    remember(outcome);
    return outcome;
  };
  const register = (Email: string) =>
    ask('register', `${core}/account/register`, { body: { Email, Password: PASSWORD } });
  const verify = (Email: string, Code: string) =>
    ask('verify', `${core}/account/verify`, { body: { Email, Code } });
  const login = (Username: string, Password = PASSWORD) =>
    ask('login', `${core}/account/login`, { body: { Username, Password } });
  const ping = (token: string, name = 'ping') => ask(name, `${core}/account/ping`, { body: {}, token });
  const check = (token: string) => ask('check', `${core}/ping/auth`, { token });
  const profile = (token: string) => ask('profile', `${portal}/account/profile`, { token });
  const refresh = (RefreshToken: string) =>
    ask('refresh', `${core}/account/refresh-token`, { body: { RefreshToken } });
  const logout = (token: string) => ask('logout', `${core}/account/logout`, { body: {}, token });
  const invite = (token: string, email: string, ContentDefinitionId: string) =>
    ask('invite', `${portal}/account/invite-user`, {
      body: { Emails: [email], ContentDefinitionId },
      token,
    });
  const mailedCode = async (email: string, count = 1): Promise<string> => {
    const mails = await eventually(() => {
      const found = world.sink.mailsTo(email);
      return found.length >= count && found;
    }, 30);
    const content = mails.at(-1)?.text.split('\r\n\r\n').slice(1).join(' ') ?? '';
    const code = /\b[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}\b/.exec(content)?.[0];
    assert.ok(code, 'a code in the mail');
    return code;
  };
  const newAccount = async (): Promise<string> => {
    const email = someEmail();
    assert.equal((await register(email)).status, 200);
    assert.equal((await verify(email, await mailedCode(email))).status, 200);
    return email;
  };
  return { register, verify, login, ping, check, profile, refresh, logout, invite, mailedCode, newAccount };
}

export type Client = ReturnType<typeof clientOf>;

export function someEmail(): string {
  return `f.${randomUUID()}@example.com`;
}
