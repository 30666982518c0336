import type { AccountsDeps, FaceRules, MailRequests } from '@gatehouse/accounts';
import type { Auth, Keys } from '@gatehouse/auth-core';
import type { Limiter } from '@gatehouse/runtime';
import { defineRoutes } from '@gatehouse/http';
import type { PageSettings } from './page/page-settings.ts';

/** What Core's endpoints work with. */
export interface Deps extends AccountsDeps {
  keys: Keys;
  /** The public base URL, which access tokens name as their issuer. */
  issuer: string;
  /** Who may have the headers echoed that reach this service. */
  pingHeaders: 'public' | 'bearer' | 'off';
  authenticate: Auth['authenticate'];
  /** Whether somebody may make an account for themselves. */
  selfRegistration: 'open' | 'closed';
  /** The facts about the installation that account pages get. */
  pages: PageSettings;
  mailRequests: Pick<MailRequests, 'wake'>;
  faceRules: FaceRules;
  faceLimiter: Limiter;
}

/** Declares one of Core's endpoints. */
export const route = defineRoutes<Deps>();
