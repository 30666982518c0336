import type { ComponentType } from 'preact';
import { useRoute } from 'preact-iso';
import { Avatar } from '../../ui/avatar.tsx';
import { Actions } from '../../ui/form.tsx';
import { nameOfLanguage } from '../../ui/page.tsx';
import { AccountContent } from '../account-content/account-content.tsx';
import { type Account, type Answer, useQuery } from '../api/call-api.ts';
import { AUDIT_COLUMNS } from '../audit/audit.tsx';
import { ActButton, actsOn } from '../kit/act.tsx';
import { List } from '../kit/list.tsx';
import { ConditionBadge, DEVICE, IP_ADDRESS, MailStatus } from '../objects.tsx';
import { SESSIONS_OF_ACCOUNT } from '../sessions/sessions.tsx';
import { SignInMethods } from '../sign-in-methods/sign-in-methods.tsx';
import { SIGN_IN_FILTERS, SIGN_IN_LIST } from '../sign-ins/sign-ins.tsx';
import { counted, type TextKey, words, wordsFor } from '../text.ts';
import { FilterBar } from '../ui/filter-bar.tsx';
import { type Filter, listAt, useFilters } from '../ui/filters.ts';
import { Card, FactList, Loaded, ScreenPage, Tabs } from '../ui/screen-page.tsx';
import { ago, at, Copy, type Fact, linkTo, Time, whether } from '../ui/values.tsx';
import { AccountActions, EDIT } from './actions.tsx';
import styles from './profile.module.css';
import { StandingCard } from './standing.tsx';

interface TabProps {
  account: Account;
}

/** By their path. All but the first and the methods contain a table. */
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
      lead={
        data && (
          <p class={styles['known']}>
            {data.DisplayName !== null && <span>{data.Email} ·</span>}
            <span>{wordsFor('role', data.Role)} ·</span>
            <span>
              {words('accounts.lastLogin')}:{' '}
              {data.LastLoginAt === null ? words('account.never') : <Time at={data.LastLoginAt} />}
            </span>
          </p>
        )
      }
      wide={Content !== AccountProfile && Content !== SignInMethods}
    >
      <Tabs
        label={words('account.parts')}
        tabs={TABS.map(([name, title]) => [name ? `${base}/${name}` : base, words(title), name === tab])}
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
        ['fact.kind', ({ Kind }) => wordsFor('mails.kind', Kind)],
        ['fact.state', ({ Status }) => <MailStatus of={Status} />],
        ['mails.tries', ({ Tries }) => Tries, 'end'],
        ago('accounts.created', 'CreatedAt'),
      ]}
    />
  );
}

const SIDE: readonly Filter[] = [
  { name: 'side', label: 'account.audit.side', options: ['actor'], texts: 'account.audit' },
];

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

/** A fact, and what of it is null, false or empty in most accounts. */
type Shown = readonly [fact: Fact<Account>, unusual?: keyof Account];

/** By the texts `account.group.<group>`. */
const GROUPS: Readonly<Record<string, readonly Shown[]>> = {
  '': [
    [['audit.id', ({ Id }) => <Copy value={Id} label={words('id.account')} />]],
    [['field.email', ({ Email }) => <Copy value={Email} label={words('field.email')} whole />]],
    [['field.name', ({ DisplayName }) => DisplayName], 'DisplayName'],
    [['accounts.role', ({ Role }) => wordsFor('role', Role)]],
    [['accounts.groups', groupsOf], 'Groups'],
    [['account.language', ({ Locale }) => nameOfLanguage(Locale)]],
    [whether('accounts.service', 'IsService'), 'IsService'],
  ],
  signIn: [
    [whether('field.password', 'HasPassword')],
    [whether('accounts.twoFactor', 'TwoFactorEnabled')],
    [whether('account.twoFactorRequired', 'TwoFactorRequired'), 'TwoFactorRequired'],
    [whether('account.newPasswordRequired', 'NewPasswordRequired'), 'NewPasswordRequired'],
  ],
  limits: [
    [
      ['account.sessionLimit', ({ SessionLimit: limit }) => limit ?? words('account.sessionLimit.none')],
      'SessionLimit',
    ],
    [at('account.expires', 'ExpiresAt', 'account.never'), 'ExpiresAt'],
  ],
  dates: [[at('accounts.created', 'CreatedAt')], [at('accounts.lastLogin', 'LastLoginAt')]],
};

function isUsual(account: Account, unusual: keyof Account | undefined): boolean {
  const value = unusual && account[unusual];
  return value === null || value === false || (Array.isArray(value) && value.length === 0);
}

function groupsOf({ Groups, GroupSources }: Account): string | null {
  const shown = Groups.map((group) => {
    const sources = GroupSources.flatMap(({ Label, Source }) => (Label === group ? [Source] : []));
    return sources.includes('Administrator') ? group : `${group} (${sources.join(', ')})`;
  });
  return shown.join(', ') || null;
}

function AccountProfile({ account }: { account: Account }) {
  const factsOf = (facts: readonly Shown[], areUsual: boolean) =>
    facts.filter(([, unusual]) => isUsual(account, unusual) === areUsual).map(([fact]) => fact);
  const folded = factsOf(Object.values(GROUPS).flat(), true);
  return (
    <>
      <StandingCard account={account} />
      <Card title={words('account.profile')} action={<ActButton act={EDIT} row={account} />}>
        {Object.entries(GROUPS).map(([group, facts]) => {
          const shown = factsOf(facts, false);
          if (shown.length === 0) return null;
          return (
            <div key={group} class={styles['group']}>
              {group && <h3>{wordsFor('account.group', group)}</h3>}
              <FactList facts={shown} row={account} />
            </div>
          );
        })}
        {folded.length > 0 && (
          <details class={styles['usual']}>
            <summary>{counted('account.usual', folded.length)}</summary>
            <FactList facts={folded} row={account} />
          </details>
        )}
      </Card>
    </>
  );
}

type Grant = Answer<'GET /admin/account/{id}/grant'>['Items'][number];

const END = actsOn<{ account: Account; grant?: Grant }>()({
  label: ({ grant }) => (grant ? 'applications.signOut' : 'grants.endAll'),
  title: ({ grant }) => (grant ? 'applications.signOut' : 'grants.endAll'),
  kind: 'danger',
  values: ({ account: { Email: email }, grant }) => ({ email, name: grant?.Name ?? '' }),
  run: (callApi, { account: { Id: id }, grant }) =>
    grant
      ? callApi('DELETE /admin/account/{id}/grant/{grantId}', { path: { id, grantId: grant.Id } })
      : callApi('DELETE /admin/account/{id}/grant', { path: { id } }),
  done: 'applications.signOut.done',
});

/** The agents and devices that stay signed in to an account by themselves. */
function AccountGrants({ account }: { account: Account }) {
  return (
    <List
      operation="GET /admin/account/{id}/grant"
      path={{ id: account.Id }}
      query={{}}
      caption="grants.title"
      none="grants.none"
      extra={(_, grants) =>
        grants.length > 0 && (
          <Actions>
            <ActButton act={END} row={{ account }} />
          </Actions>
        )
      }
      columns={[
        linkTo('applications.one', 'applications', 'AppId', 'Name'),
        DEVICE,
        IP_ADDRESS,
        ago('fact.since', 'CreatedAt'),
        ago('applications.seen', 'LastUsedAt'),
        ['applications.scopes', ({ Scopes }) => Scopes.join(', '), 'clipped'],
        ago('sessions.expires', 'ExpiresAt'),
        ['applications.signOut', (grant) => <ActButton act={END} row={{ account, grant }} />, 'pinned'],
      ]}
    />
  );
}
