import type { Auth } from '@gatehouse/auth-core';
import type { AccountsDeps, MailRequests } from '@gatehouse/accounts';
import { defineSubjects } from '@gatehouse/http';
import type { SessionWatch } from './account/session/session-watch.ts';

export interface Deps extends AccountsDeps {
  authenticate: Auth['authenticate'];
  sessionWatch: Pick<SessionWatch, 'watch'>;
  mailRequests: Pick<MailRequests, 'wake'>;
  /** The address of shared content, with `{ContentDefinitionId}` as the placeholder of its id. */
  contentUrl?: string | undefined;
}

export const routeOf = defineSubjects<Deps>();

export const route = routeOf({});
