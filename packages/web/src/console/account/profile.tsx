import { nameOfLanguage } from '../../ui/page.tsx';
import { ActButton } from '../kit/act.tsx';
import { FactList } from '../kit/define-screen.tsx';
import { type TextKey, counted, words, wordsFor } from '../text.ts';
import { at, type Fact, whether } from '../ui/fact.tsx';
import { Card } from '../ui/screen-page.tsx';
import { Copy, Time } from '../ui/values.tsx';
import type { Account } from './account.ts';
import { EDIT } from './actions.tsx';
import styles from './profile.module.css';
import { StandingCard } from './standing.tsx';

/** A fact, and whether it is as in most accounts. */
type Shown = readonly [fact: Fact<Account>, isUsual?: (account: Account) => boolean];

interface Group {
  title?: TextKey;
  facts: readonly Shown[];
}

const GROUPS: readonly Group[] = [
  {
    facts: [
      [['audit.id', ({ Id }) => <Copy value={Id} label={words('id.account')} />]],
      [['accounts.email', ({ Email }) => <Copy value={Email} label={words('accounts.email')} whole />]],
      [['accounts.name', ({ DisplayName }) => DisplayName], ({ DisplayName }) => DisplayName === null],
      [['accounts.role', ({ Role }) => wordsFor('role', Role)]],
      [['accounts.groups', groupsOf], ({ Groups }) => Groups.length === 0],
      [['account.language', ({ Locale }) => nameOfLanguage(Locale)]],
      [whether('account.service', 'IsService'), ({ IsService }) => !IsService],
    ],
  },
  {
    title: 'account.group.signIn',
    facts: [
      [whether('accounts.password', 'HasPassword')],
      [whether('accounts.twoFactor', 'TwoFactorEnabled')],
      [whether('account.twoFactorRequired', 'TwoFactorRequired'), (account) => !account.TwoFactorRequired],
      [
        whether('account.newPasswordRequired', 'NewPasswordRequired'),
        (account) => !account.NewPasswordRequired,
      ],
    ],
  },
  {
    title: 'account.group.limits',
    facts: [
      [
        ['account.sessionLimit', ({ SessionLimit: limit }) => limit ?? words('account.sessionLimit.none')],
        ({ SessionLimit }) => SessionLimit === null,
      ],
      [
        [
          'account.expires',
          ({ ExpiresAt: until }) => (until === null ? words('account.never') : <Time at={until} exact />),
        ],
        ({ ExpiresAt }) => ExpiresAt === null,
      ],
    ],
  },
  {
    title: 'account.group.dates',
    facts: [[at('accounts.created', 'CreatedAt')], [at('accounts.lastLogin', 'LastLoginAt')]],
  },
];

function groupsOf({ Groups, GroupSources }: Account): string | null {
  const shown = Groups.map((group) => {
    const sources = GroupSources.flatMap(({ Label, Source }) => (Label === group ? [Source] : []));
    return sources.includes('Administrator') ? group : `${group} (${sources.join(', ')})`;
  });
  return shown.join(', ') || null;
}

/** Whether its owner can log in, and the properties of the account; those of most accounts are folded. */
export function AccountProfile({ account }: { account: Account }) {
  const factsOf = ({ facts }: Group, usual: boolean) =>
    facts.filter(([, isUsual]) => (isUsual?.(account) ?? false) === usual).map(([fact]) => fact);
  const folded = GROUPS.flatMap((group) => factsOf(group, true));
  return (
    <>
      <StandingCard account={account} />
      <Card title={words('account.profile')} action={<ActButton act={EDIT} row={account} />}>
        {GROUPS.map((group) => ({ ...group, shown: factsOf(group, false) }))
          .filter(({ shown }) => shown.length > 0)
          .map(({ title, shown }) => (
            <div key={title} class={styles['group']}>
              {title && <h3>{words(title)}</h3>}
              <FactList facts={shown} row={account} />
            </div>
          ))}
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

/** Below the title: the address if that has a name instead, the role, and when its owner was last here. */
export function AccountLead({ account: { Email, DisplayName, Role, LastLoginAt } }: { account: Account }) {
  return (
    <p class={styles['known']}>
      {DisplayName !== null && <span>{Email} ·</span>}
      <span>{wordsFor('role', Role)} ·</span>
      <span>
        {words('accounts.lastLogin')}:{' '}
        {LastLoginAt === null ? words('account.never') : <Time at={LastLoginAt} />}
      </span>
    </p>
  );
}
