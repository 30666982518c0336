import { useRoute } from 'preact-iso';
import { AccountContent } from '../account-content/account-content.tsx';
import { useQuery } from '../api/use-query.ts';
import { List } from '../list/list.tsx';
import { SESSION_LIST } from '../sessions/session-list.tsx';
import { SignInMethods } from '../sign-in-methods/sign-in-methods.tsx';
import { useWords } from '../text.ts';
import { ScreenPage } from '../ui/layout/screen-page.tsx';
import { Loaded } from '../ui/layout/state.tsx';
import { Tabs } from '../ui/layout/tabs.tsx';
import { AccountActions } from './actions/account-actions.tsx';
import { AccountAudit } from './account-audit.tsx';
import { AccountMails } from './account-mails.tsx';
import { AccountSignIns } from './account-sign-ins.tsx';
import { AccountProfile } from './account-profile.tsx';
import { ConditionBadge } from '../accounts/condition-badge.tsx';

/** One account: its profile, and tabs for its sessions, sign-ins, sign-in methods, content, mails and audit entries. */
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
      wide={WIDE.has(tab)}
    >
      <Tabs
        label={words('account.parts')}
        tabs={[
          { href: base, words: words('account.profile') },
          { href: `${base}/sessions`, words: words('c.sessions.title') },
          { href: `${base}/sign-ins`, words: words('c.signIns.title') },
          { href: `${base}/methods`, words: words('methods.title') },
          { href: `${base}/content`, words: words('c.content.title') },
          { href: `${base}/mails`, words: words('c.mails.title') },
          { href: `${base}/audit`, words: words('c.audit.title') },
        ]}
      />
      <Loaded result={result}>
        {(account) => {
          switch (tab) {
            case 'sessions':
              return <List {...SESSION_LIST} query={{ userId: id, count: true }} none="account.noSessions" />;
            case 'sign-ins':
              return <AccountSignIns id={id} />;
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
        }}
      </Loaded>
    </ScreenPage>
  );
}

/** The tabs that contain tables, and may use the full width of the window. */
const WIDE = new Set(['sessions', 'sign-ins', 'content', 'mails', 'audit']);
