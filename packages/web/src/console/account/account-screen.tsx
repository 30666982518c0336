import { useRoute } from 'preact-iso';
import { Avatar } from '../../ui/avatar.tsx';
import { AccountContent } from '../account-content/account-content.tsx';
import { useQuery } from '../api/use-query.ts';
import { AUDIT_COLUMNS } from '../audit/audit.tsx';
import { List } from '../kit/list.tsx';
import { MailStatus } from '../mails/mail-status.tsx';
import { ConditionBadge } from '../objects.tsx';
import { SESSIONS_OF_ACCOUNT } from '../sessions/sessions.tsx';
import { SignInMethods } from '../sign-in-methods/sign-in-methods.tsx';
import { SIGN_IN_FILTERS, SIGN_IN_LIST } from '../sign-ins/sign-ins.tsx';
import { useWords } from '../text.ts';
import { ago } from '../ui/fact.tsx';
import { FilterBar } from '../ui/filter-bar.tsx';
import { type Filter, useFilters } from '../ui/filters.ts';
import { Loaded, ScreenPage, Tabs } from '../ui/screen-page.tsx';
import type { Account } from './account.ts';
import { AccountActions } from './actions.tsx';
import { AccountGrants } from './grants.tsx';
import { AccountLead, AccountProfile } from './profile.tsx';

export function AccountScreen() {
  const words = useWords();
  const { id = '', tab = '' } = useRoute().params;
  const result = useQuery('GET /admin/account/{id}', { path: { id } });
  const { data } = result;
  const base = `/console/accounts/${id}`;
  return (
    <ScreenPage
      title={data?.DisplayName ?? data?.Email ?? words('account.one')}
      badge={data && <ConditionBadge status={data.LoginStatus} />}
      actions={data && <AccountActions account={data} />}
      avatar={data && <Avatar name={data.DisplayName ?? data.Email} />}
      lead={data && <AccountLead account={data} />}
      // The tabs that contain tables.
      wide={['sessions', 'grants', 'sign-ins', 'content', 'mails', 'audit'].includes(tab)}
    >
      <Tabs
        label={words('account.parts')}
        tabs={[
          { href: base, words: words('account.profile') },
          { href: `${base}/sessions`, words: words('c.sessions.title') },
          { href: `${base}/grants`, words: words('grants.title') },
          { href: `${base}/sign-ins`, words: words('c.signIns.title') },
          { href: `${base}/methods`, words: words('methods.title') },
          { href: `${base}/content`, words: words('c.content.title') },
          { href: `${base}/mails`, words: words('c.mails.title') },
          { href: `${base}/audit`, words: words('c.audit.title') },
        ]}
      />
      <Loaded result={result}>{(account) => <Tab key={tab} account={account} tab={tab} />}</Loaded>
    </ScreenPage>
  );
}

function Tab({ account, tab }: { account: Account; tab: string }) {
  const { Id: id } = account;
  switch (tab) {
    case 'sessions':
      return <List {...SESSIONS_OF_ACCOUNT} query={{ userId: id, count: true }} none="account.noSessions" />;
    case 'grants':
      return <AccountGrants account={account} />;
    case 'sign-ins':
      return <List {...SIGN_IN_LIST} query={{ userId: id, count: true }} filters={SIGN_IN_FILTERS} />;
    case 'methods':
      return <SignInMethods account={account} />;
    case 'content':
      return <AccountContent account={account} />;
    case 'mails':
      return <AccountMails email={account.Email} />;
    case 'audit':
      return <AccountAudit id={id} />;
    default:
      return <AccountProfile account={account} />;
  }
}

function AccountMails({ email }: { email: string }) {
  return (
    <List
      operation="GET /admin/mail"
      query={{ email, count: true }}
      caption="c.mails.title"
      none="account.noMails"
      hrefOf={({ Id }) => `/console/mails/${Id}`}
      columns={[
        ['account.mail.kind', ({ Kind }, _, wordsFor) => wordsFor('mails.kind', Kind)],
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
function AccountAudit({ id }: { id: string }) {
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
        hrefOf={({ Id }) => `/console/audit?${new URLSearchParams({ ...shown, entry: Id }).toString()}`}
        columns={AUDIT_COLUMNS}
      />
    </>
  );
}
