import type { ComponentType } from 'preact';
import { useRoute } from 'preact-iso';
import { Avatar } from '../../ui/avatar.tsx';
import { AccountContent } from '../account-content/account-content.tsx';
import { useQuery } from '../api/call-api.ts';
import { AUDIT_COLUMNS } from '../audit/audit.tsx';
import { List } from '../kit/list.tsx';
import { MailStatus } from '../mails/mail-status.tsx';
import { ConditionBadge } from '../objects.tsx';
import { SESSIONS_OF_ACCOUNT } from '../sessions/sessions.tsx';
import { SignInMethods } from '../sign-in-methods/sign-in-methods.tsx';
import { SIGN_IN_FILTERS, SIGN_IN_LIST } from '../sign-ins/sign-ins.tsx';
import { type TextKey, words, wordsFor } from '../text.ts';
import { ago } from '../ui/fact.tsx';
import { FilterBar } from '../ui/filter-bar.tsx';
import { type Filter, listAt, useFilters } from '../ui/filters.ts';
import { Loaded, ScreenPage, Tabs } from '../ui/screen-page.tsx';
import type { Account } from './account.ts';
import { AccountActions } from './actions.tsx';
import { AccountGrants } from './grants.tsx';
import { AccountLead, AccountProfile } from './profile.tsx';

interface TabProps {
  account: Account;
}

/** The tabs by their path, with their titles. All but the first and the methods contain a table. */
const TABS: readonly (readonly [tab: string, title: TextKey, Content: ComponentType<TabProps>])[] = [
  ['', 'account.profile', AccountProfile],
  ['sessions', 'c.sessions.title', AccountSessions],
  ['grants', 'grants.title', AccountGrants],
  ['sign-ins', 'c.signIns.title', AccountSignIns],
  ['methods', 'methods.title', SignInMethods],
  ['content', 'c.content.title', AccountContent],
  ['mails', 'c.mails.title', AccountMails],
  ['audit', 'c.audit.title', AccountAudit],
];

export function AccountScreen() {
  const { id = '', tab = '' } = useRoute().params;
  const result = useQuery('GET /admin/account/{id}', { path: { id } });
  const { data } = result;
  const base = `/console/accounts/${id}`;
  const [, , Content = AccountProfile] = TABS.find(([name]) => name === tab) ?? [];
  return (
    <ScreenPage
      title={data?.DisplayName ?? data?.Email ?? words('account.one')}
      badge={data && <ConditionBadge status={data.LoginStatus} />}
      actions={data && <AccountActions account={data} />}
      avatar={data && <Avatar name={data.DisplayName ?? data.Email} />}
      lead={data && <AccountLead account={data} />}
      wide={Content !== AccountProfile && Content !== SignInMethods}
    >
      <Tabs
        label={words('account.parts')}
        tabs={TABS.map(([name, title]) => ({
          href: name ? `${base}/${name}` : base,
          words: words(title),
          isCurrent: name === tab,
        }))}
      />
      <Loaded result={result}>{(account) => <Content key={tab} account={account} />}</Loaded>
    </ScreenPage>
  );
}

function AccountSessions({ account: { Id } }: TabProps) {
  return <List {...SESSIONS_OF_ACCOUNT} query={{ userId: Id, count: true }} none="account.noSessions" />;
}

function AccountSignIns({ account: { Id } }: TabProps) {
  return <List {...SIGN_IN_LIST} query={{ userId: Id, count: true }} filters={SIGN_IN_FILTERS} />;
}

function AccountMails({ account: { Email: email } }: TabProps) {
  return (
    <List
      operation="GET /admin/mail"
      query={{ email, count: true }}
      caption="c.mails.title"
      none="account.noMails"
      hrefOf={({ Id }) => `/console/mails/${Id}`}
      columns={[
        ['account.mail.kind', ({ Kind }) => wordsFor('mails.kind', Kind)],
        ['account.mail.status', ({ Status }) => <MailStatus status={Status} />],
        ['account.mail.tries', ({ Tries }) => Tries, 'end'],
        ago('accounts.created', 'CreatedAt'),
      ]}
    />
  );
}

const SIDE: readonly Filter[] = [
  { name: 'side', label: 'account.audit.side', options: ['actor'], texts: 'account.audit' },
];

/** The audit entries about an account, or about actions of its owner. Each links to its entry in the audit. */
function AccountAudit({ account: { Id: id } }: TabProps) {
  const { side, cursor } = useFilters().values;
  const query = side === 'actor' ? { actorId: id } : { targetId: id };
  const shown = { ...query, ...(cursor && { cursor }) };
  return (
    <>
      <FilterBar filters={SIDE} isFixed />
      <List
        operation="GET /admin/audit"
        query={{ ...query, names: true, count: true }}
        caption="c.audit.title"
        none="account.noAudit"
        hrefOf={({ Id }) => listAt('audit', { ...shown, entry: Id })}
        columns={AUDIT_COLUMNS}
      />
    </>
  );
}
