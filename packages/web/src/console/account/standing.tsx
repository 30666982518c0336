import { LoginStatus } from 'gatehouse-client';
import type { ComponentChildren } from 'preact';
import { type Account, type Answer, useQuery } from '../api/call-api.ts';
import { RESTORE, usePendingErasure } from '../erasure/erasure.tsx';
import { type Act, ActButton, Acts, actsOn, calls } from '../kit/act.tsx';
import { ActorLink } from '../objects.tsx';
import { counted, type TextKey, words } from '../text.ts';
import { listAt } from '../ui/filters.ts';
import { Icon } from '../ui/icon.tsx';
import { Card, Loaded, Way } from '../ui/screen-page.tsx';
import { Time } from '../ui/values.tsx';
import { EDIT, ENABLE, INVITE, RELEASE_2FA, RESET } from './actions.tsx';
import styles from './standing.module.css';

type Standing = Answer<'GET /admin/account/{id}/standing'>;
type Reason = Standing['Reasons'][number];

/** Short, because waits expire, and users may try to log in while they are on the phone with support. */
const EVERY_MS = 15_000;

export function StandingCard({ account }: { account: Account }) {
  const input = { path: { id: account.Id } };
  const result = useQuery('GET /admin/account/{id}/standing', input, { everyMs: EVERY_MS });
  const isErased = account.ErasesAt !== null;
  return (
    <Loaded result={result} lines={2}>
      {(standing) => {
        const { Reasons, Failures, BlockedUntil } = standing;
        const isFree = Reasons.length === 0 && BlockedUntil === null;
        const asksCode = standing.LoginStatus === LoginStatus.TwoFactorCodeRequired;
        // What an erasure has disabled is enabled by cancelling the erasure.
        const reasons = Reasons.filter(({ Code }) => !(isErased && Code === 'account_disabled'));
        return (
          <Card title={words(isFree ? 'account.standing.can' : 'account.standing.why')}>
            <ul class={styles['list']}>
              {isErased && <PendingErasure account={account} />}
              {reasons.map((reason) => (
                <ReasonItem key={reason.Code} account={account} reason={reason} />
              ))}
              {isFree && (
                <Item
                  meaning="success"
                  title={words('account.standing.free')}
                  advice={words(asksCode ? 'account.standing.secondFactor' : 'account.standing.password')}
                />
              )}
              {(Failures > 0 || BlockedUntil !== null) && <WaitItem account={account} standing={standing} />}
            </ul>
          </Card>
        );
      }}
    </Loaded>
  );
}

interface ItemProps {
  meaning: keyof typeof ICONS;
  title: string;
  advice: string;
  facts?: readonly ComponentChildren[];
  action?: ComponentChildren;
}

const ICONS = { success: 'check', danger: 'ban', warning: 'clock' } as const;

function Item({ meaning, title, advice, facts = [], action }: ItemProps) {
  const known = facts.filter(Boolean);
  return (
    <li class={[styles['item'], styles[meaning]].join(' ')}>
      <Icon name={ICONS[meaning]} size={20} />
      <div class={styles['words']}>
        <p class={styles['title']}>{title}</p>
        <p>{advice}</p>
        {known.length > 0 && (
          <p class="quiet">{known.flatMap((fact, place) => (place === 0 ? [fact] : [' · ', fact]))}</p>
        )}
      </div>
      {action}
    </li>
  );
}

function PendingErasure({ account }: { account: Account }) {
  const { erasure, isOwnWish } = usePendingErasure(account);
  return (
    <Item
      meaning="danger"
      title={words(isOwnWish ? 'erasure.ownWish' : 'erasure.pending')}
      advice={words(isOwnWish ? 'erasure.ownWish.advice' : 'erasure.pending.advice')}
      facts={[
        <>
          {words('erasure.erasesAt')}: <Time at={account.ErasesAt} exact />
        </>,
        erasure?.AskedBy && !isOwnWish && <By id={erasure.AskedBy} />,
      ]}
      action={<ActButton act={RESTORE} row={account} />}
    />
  );
}

function On({ label, at }: { label: TextKey; at: string }) {
  return (
    <>
      {words(label)} <Time at={at} exact />
    </>
  );
}

function By({ id }: { id: string }) {
  return (
    <>
      {words('account.reason.by')} <ActorLink id={id} />
    </>
  );
}

function ReasonItem({ account, reason: { Code, Since, By: by } }: { account: Account; reason: Reason }) {
  const { DisabledUntil: until, DisabledReason: reason, TellReason } = account;
  const isBan = Code === 'account_disabled';
  const facts = [
    isBan && until && <On label="ban.ends" at={until} />,
    isBan && reason !== null && words('ban.because', { reason }),
    isBan && TellReason && words('ban.told'),
    Since && <On label="fact.since" at={Since} />,
    by && <By id={by} />,
  ];
  return (
    <Item
      meaning="danger"
      title={words(`account.reason.${Code}`)}
      advice={words(`account.reason.${Code}.advice`, { email: account.Email })}
      facts={(Since ?? by) ? facts : []}
      action={<WayOut account={account} code={Code} />}
    />
  );
}

const WAYS_OUT: Partial<Record<Reason['Code'], Act<Account>>> = {
  account_disabled: ENABLE,
  account_expired: { ...EDIT, label: 'account.edit.expiry' },
  signup_pending: INVITE,
  migration_pending: INVITE,
  new_password_required: RESET,
  two_factor_setup_required: RELEASE_2FA,
};

/** What resolves a condition; nothing if only the account's owner can. */
function WayOut({ account, code }: { account: Account; code: Reason['Code'] }) {
  const act = WAYS_OUT[code];
  if (act !== undefined) return <ActButton act={act} row={account} />;
  if (code === 'invitation_pending')
    return <Way href={listAt('invitations', { email: account.Email })} label="c.invitations.title" />;
  if (code === 'email_confirmation_pending')
    return <Way href={`/console/accounts/${account.Id}/mails`} label="c.mails.title" />;
  return null;
}

const UNLOCK = actsOn<Account>()({
  label: 'account.unlock',
  button: 'at once',
  run: calls('POST /admin/account/{id}/unlock'),
  done: 'account.unlocked',
});

/** Recent failed logins, how long new attempts are blocked because of them, and a button that resets both. */
function WaitItem({ account, standing }: { account: Account; standing: Standing }) {
  const { Failures, BlockedUntil: until, LastRefusedAt: last } = standing;
  return (
    <Item
      meaning="warning"
      title={counted('account.failures', Failures)}
      advice={words(until === null ? 'account.failures.advice' : 'account.wait.advice')}
      facts={[
        until && <On label="account.wait.until" at={until} />,
        last && <On label="account.wait.last" at={last} />,
      ]}
      action={<Acts acts={[UNLOCK]} row={account} />}
    />
  );
}
