import { useState } from 'preact/hooks';
import { Button, ButtonLink } from '../../ui/form/button.tsx';
import { ActionDialog } from '../account/actions/action-dialog.tsx';
import { actionsFor, type ActionName } from '../account/actions/actions.ts';
import { useConsole } from '../api/console-context.ts';
import { useQuery } from '../api/use-query.ts';
import { useWords } from '../text.ts';
import { Card } from '../ui/layout/screen-page.tsx';
import type { Mail } from './mail-status.tsx';

/** The kinds of mails that an administrator can have made anew, and the action on the account that does so. */
const ANEW: Partial<Record<Mail['Kind'], ActionName>> = {
  'password-reset': 'reset',
  'account-invitation': 'invite',
};

/** Says why a sent mail cannot be sent again, and offers what makes a new one. */
export function SentNote({ mail: { Kind, Email } }: { mail: Mail }) {
  const words = useWords();
  const action = ANEW[Kind];
  return (
    <Card title={words('mails.again')}>
      <p>{words('mails.again.why')}</p>
      {Email !== null && action !== undefined && <NewMail email={Email} action={action} />}
      {Email !== null && Kind === 'invitation' && (
        <div>
          <ButtonLink href={`/console/invitations?${new URLSearchParams({ email: Email }).toString()}`}>
            {words('mails.again.invitations')}
          </ButtonLink>
        </div>
      )}
    </Card>
  );
}

function NewMail({ email, action }: { email: string; action: ActionName }) {
  const words = useWords();
  const [isOpen, setOpen] = useState(false);
  const { me } = useConsole();
  const [account] = useQuery('GET /admin/account', { query: { email } }).data?.Items ?? [];
  if (account === undefined || !actionsFor(account, me.Account.Id === account.Id).includes(action))
    return null;
  return (
    <div>
      <Button onClick={() => setOpen(true)}>{words(`account.${action}`)}</Button>
      {isOpen && <ActionDialog account={account} name={action} onClose={() => setOpen(false)} />}
    </div>
  );
}
