import type { ComponentType } from 'preact';
import { AccountScreen } from './account/account-screen.tsx';
import { AccountsScreen } from './accounts/accounts.tsx';
import { ApplicationScreen, ApplicationsScreen } from './applications/applications.tsx';
import { AuditScreen } from './audit/audit.tsx';
import { ContentScreen, ContentsScreen } from './content/content.tsx';
import { ErasuresScreen } from './erasure/erasure.tsx';
import { ImportScreen } from './import/import.tsx';
import { InvitationsScreen } from './invitations/invitations.tsx';
import { MailScreen, MailsScreen, TemplatesScreen } from './mails/mails.tsx';
import { OverviewScreen } from './overview/overview.tsx';
import { PersonScreen, PersonsScreen } from './persons/persons.tsx';
import { ProfileScreen } from './profile/profile.tsx';
import { SessionScreen, SessionsScreen } from './sessions/sessions.tsx';
import { SignInsScreen } from './sign-ins/sign-ins.tsx';
import { SignOnScreen } from './sign-on/sign-on.tsx';
import { SystemScreen } from './system/system.tsx';
import type { TextKey } from './text.ts';
import { TokenScreen, TokensScreen } from './tokens/tokens.tsx';
import type { IconName } from './ui/icon.tsx';
import { DeliveriesScreen, DeliveryScreen } from './webhooks/deliveries.tsx';
import { WebhookScreen, WebhooksScreen } from './webhooks/webhooks.tsx';

/** A screen: its route pattern below `/console`; its entry in the navigation bar, if not only other screens link to it. */
type Screen = readonly [
  path: string,
  component: ComponentType,
  nav?: readonly [label: TextKey, icon: IconName, key: string],
];

/** Every screen, in the groups and the order of the navigation bar: by the texts `shell.<group>`; its start has none. */
export const SCREEN_GROUPS: Readonly<Record<string, readonly Screen[]>> = {
  '': [
    ['', OverviewScreen, ['c.overview.title', 'overview', 'o']],
    // In the menu at the top right.
    ['/profile', ProfileScreen],
  ],
  people: [
    ['/accounts', AccountsScreen, ['c.accounts.title', 'accounts', 'a']],
    ['/accounts/:id', AccountScreen],
    ['/accounts/:id/:tab', AccountScreen],
    ['/sessions', SessionsScreen, ['c.sessions.title', 'sessions', 's']],
    ['/sessions/:id', SessionScreen],
    ['/sign-ins', SignInsScreen, ['c.signIns.title', 'clock', 'l']],
    ['/invitations', InvitationsScreen, ['c.invitations.title', 'invitations', 'i']],
    ['/erasures', ErasuresScreen, ['c.erasures.title', 'erase', 'e']],
    ['/import', ImportScreen, ['c.import.title', 'import', 'j']],
  ],
  content: [
    ['/content', ContentsScreen, ['c.content.title', 'content', 'c']],
    ['/content/:id', ContentScreen],
    ['/persons', PersonsScreen, ['c.persons.title', 'persons', 'f']],
    ['/persons/:id', PersonScreen],
  ],
  operations: [
    ['/mails', MailsScreen, ['c.mails.title', 'mails', 'm']],
    // Must precede `/mails/:id`. No mail has the id "templates".
    ['/mails/templates', TemplatesScreen],
    ['/mails/:id', MailScreen],
    ['/audit', AuditScreen, ['c.audit.title', 'audit', 'u']],
    ['/system', SystemScreen, ['c.system.title', 'system', 'y']],
  ],
  settings: [
    ['/tokens', TokensScreen, ['c.tokens.title', 'tokens', 't']],
    ['/tokens/:id', TokenScreen],
    ['/applications', ApplicationsScreen, ['c.applications.title', 'applications', 'p']],
    ['/applications/:id', ApplicationScreen],
    ['/webhooks', WebhooksScreen, ['c.webhooks.title', 'webhooks', 'w']],
    // Must precede `/webhooks/:id`. No webhook has the id "deliveries".
    ['/webhooks/deliveries', DeliveriesScreen],
    ['/webhooks/deliveries/:id', DeliveryScreen],
    ['/webhooks/:id', WebhookScreen],
    ['/sign-on', SignOnScreen, ['c.signOn.title', 'signOn', 'n']],
  ],
};

export const SCREENS: readonly Screen[] = Object.values(SCREEN_GROUPS).flat();
