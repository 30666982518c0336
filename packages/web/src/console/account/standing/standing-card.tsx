import { LoginStatus } from 'gatehouse-client';
import { useQuery } from '../../api/use-query.ts';
import { PendingErasure } from '../../erasure/pending-erasure.tsx';
import { useWords } from '../../text.ts';
import { Card } from '../../ui/layout/screen-page.tsx';
import { Loaded } from '../../ui/layout/state.tsx';
import type { Account, Standing } from '../account.ts';
import { ReasonItem } from './reason-item.tsx';
import { StandingItem } from './standing-item.tsx';
import styles from './standing.module.css';
import { WaitItem } from './wait-item.tsx';

/** Short, because waits expire, and users may try to log in while they are on the phone with support. */
const EVERY_MS = 15_000;

/** Why an account's owner cannot log in, since when, who caused it, and what to do about it. */
export function StandingCard({ account }: { account: Account }) {
  const words = useWords();
  const input = { path: { id: account.Id } };
  const result = useQuery('GET /admin/account/{id}/standing', input, { everyMs: EVERY_MS });
  return (
    <Loaded result={result} lines={2}>
      {(standing) => {
        const { Reasons, Failures, BlockedUntil } = standing;
        const isFree = Reasons.length === 0 && BlockedUntil === null;
        return (
          <Card title={words(isFree ? 'account.standing.can' : 'account.standing.why')}>
            <ul class={styles['list']}>
              {account.ErasesAt !== null && <PendingErasure account={account} />}
              {Reasons.filter(({ Code }) => !isErasure(account, Code)).map((reason) => (
                <ReasonItem key={reason.Code} account={account} reason={reason} />
              ))}
              {isFree && (
                <StandingItem
                  meaning="success"
                  title={words('account.standing.free')}
                  advice={words(
                    standing.LoginStatus === LoginStatus.TwoFactorCodeRequired
                      ? 'account.standing.secondFactor'
                      : 'account.standing.password',
                  )}
                />
              )}
              {(Failures > 0 || BlockedUntil !== null) && <WaitItem id={account.Id} standing={standing} />}
            </ul>
          </Card>
        );
      }}
    </Loaded>
  );
}

/** Whether an account is disabled because of a pending erasure: cancelling the erasure enables it again. */
function isErasure({ ErasesAt }: Account, code: Standing['Reasons'][number]['Code']): boolean {
  return ErasesAt !== null && code === 'account_disabled';
}
