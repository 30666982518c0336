import { useState } from 'preact/hooks';
import { Button, ButtonLink } from '../../../ui/form/button.tsx';
import { useWords, type TextKey } from '../../text.ts';
import { Time } from '../../ui/time.tsx';
import type { Account, Standing } from '../account.ts';
import { ActionDialog } from '../actions/action-dialog.tsx';
import type { ActionName } from '../actions/actions.ts';
import { ActorLink } from '../actor-link.tsx';
import { EditDialog } from '../actions/edit-dialog.tsx';
import { StandingItem } from './standing-item.tsx';

type Reason = Standing['Reasons'][number];

/** A condition that prevents a login: since when, who set it, and what can be done. */
export function ReasonItem({ account, reason }: { account: Account; reason: Reason }) {
  const words = useWords();
  const { Code, Since, By } = reason;
  return (
    <StandingItem
      meaning="danger"
      title={words(`account.reason.${Code}`)}
      advice={words(`account.reason.${Code}.advice`, { email: account.Email })}
      facts={
        (Since ?? By) && (
          <>
            {Code === 'account_disabled' && <BanFacts account={account} />}
            {Since && (
              <>
                {words('account.reason.since')} <Time at={Since} exact />
              </>
            )}
            {Since && By && ' · '}
            {By && (
              <>
                {words('account.reason.by')} <ActorLink id={By} />
              </>
            )}
          </>
        )
      }
      action={<WayOut account={account} code={Code} />}
    />
  );
}

/** Until when and why an account is disabled, and whether its owner reads it. */
function BanFacts({ account: { DisabledUntil, DisabledReason, TellReason } }: { account: Account }) {
  const words = useWords();
  return (
    <>
      {DisabledUntil !== null && (
        <>
          {words('ban.ends')} <Time at={DisabledUntil} exact />
          {' · '}
        </>
      )}
      {DisabledReason !== null && (
        <>
          {words('ban.because', { reason: DisabledReason })}
          {' · '}
        </>
      )}
      {TellReason && <>{words('ban.told')} · </>}
    </>
  );
}

const ACTION: Partial<Record<Reason['Code'], ActionName>> = {
  account_disabled: 'enable',
  signup_pending: 'invite',
  migration_pending: 'invite',
  new_password_required: 'reset',
  two_factor_setup_required: 'release2fa',
};

/** The action that resolves a condition; renders nothing if only the account's owner can resolve it. */
function WayOut({ account, code }: { account: Account; code: Reason['Code'] }) {
  const words = useWords();
  const [isOpen, setOpen] = useState(false);
  const close = (): void => setOpen(false);
  const editButton = (key: TextKey) => <Button onClick={() => setOpen(true)}>{words(key)}</Button>;
  const name = ACTION[code];
  if (name !== undefined) {
    return (
      <>
        {editButton(`account.${name}`)}
        {isOpen && <ActionDialog account={account} name={name} onClose={close} />}
      </>
    );
  }
  switch (code) {
    case 'account_expired':
      return (
        <>
          {editButton('account.edit.expiry')}
          {isOpen && <EditDialog account={account} onClose={close} />}
        </>
      );
    case 'invitation_pending': {
      const of = new URLSearchParams({ email: account.Email }).toString();
      return <ButtonLink href={`/console/invitations?${of}`}>{words('c.invitations.title')}</ButtonLink>;
    }
    case 'email_confirmation_pending':
      return <ButtonLink href={`/console/accounts/${account.Id}/mails`}>{words('c.mails.title')}</ButtonLink>;
    default:
      return null;
  }
}
