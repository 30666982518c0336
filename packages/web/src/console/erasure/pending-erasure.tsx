import { useState } from 'preact/hooks';
import { Button } from '../../ui/form/button.tsx';
import type { Account } from '../account/account.ts';
import { ActorLink } from '../account/actor-link.tsx';
import { StandingItem } from '../account/standing/standing-item.tsx';
import { useWords } from '../text.ts';
import { Time } from '../ui/time.tsx';
import { CancelErasureDialog } from './cancel-erasure-dialog.tsx';
import { usePendingErasure } from './use-pending-erasure.ts';

/** Says that an account will be erased, when, and who requested it. Has a button to take the erasure back. */
export function PendingErasure({ account }: { account: Account }) {
  const { Id, ErasesAt } = account;
  const words = useWords();
  const { erasure, isOwnWish } = usePendingErasure(account);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <StandingItem
        meaning="danger"
        title={words(isOwnWish ? 'erasure.ownWish' : 'erasure.pending')}
        advice={words(isOwnWish ? 'erasure.ownWish.advice' : 'erasure.pending.advice')}
        facts={
          <>
            {words('erasure.erasesAt')}: <Time at={ErasesAt} exact />
            {erasure?.AskedBy && !isOwnWish && (
              <>
                {' · '}
                {words('account.reason.by')} <ActorLink id={erasure.AskedBy} />
              </>
            )}
          </>
        }
        action={<Button onClick={() => setOpen(true)}>{words('erasure.takeBack')}</Button>}
      />
      {isOpen && <CancelErasureDialog accountId={Id} onClose={() => setOpen(false)} />}
    </>
  );
}
