import type { AccountsDeps, MailRequests } from '@gatehouse/accounts';
import type { Auth, ClientKeys, ClientTokens, Keys } from '@gatehouse/auth-core';
import type { Limiter } from '@gatehouse/runtime';
import { defineSubjects } from '@gatehouse/http';
import type { ErrorCode, Refuse, RequestFacts } from '@gatehouse/http';
import { kit } from '@gatehouse/kit';
import type { Agents } from './oauth/agents/agent-settings.ts';
import type { FaceRules } from './person/face/match-rules.ts';
import type { PageSettings } from './page/page-settings.ts';

export interface Deps extends AccountsDeps {
  keys: Keys;
  clientKeys: ClientKeys;
  clientTokens: ClientTokens;
  /** The public base URL, which is the issuer of access tokens. */
  issuer: string;
  /** The address of the account pages for browsers. */
  publicUrl: string;
  /** Whether a hook worker tells applications of the end of sessions. */
  tellsOfLogouts: boolean;
  /** Applications that say in a document what they are; `undefined` if none may. */
  agents: Agents | undefined;
  /** Who may see the request headers that reach this service. */
  pingHeaders: 'public' | 'bearer' | 'off';
  authenticate: Auth['authenticate'];
  selfRegistration: 'open' | 'closed';
  /** Whether verifying an email keeps the password only for the caller who registered it. */
  verifyNeedsRegistrant: boolean;
  pages: PageSettings;
  mailRequests: Pick<MailRequests, 'wake'>;
  faceRules: FaceRules;
  faceLimiter: Limiter;
}

/** A request that is being handled, and how it may be refused. */
export interface Call<E extends ErrorCode> {
  deps: Deps;
  request: RequestFacts;
  refuse: Refuse<E>;
}

export const { routes, list } = kit<Deps>();

export const routeOf = defineSubjects<Deps>();

export const route = routeOf({});
