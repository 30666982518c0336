import { useState } from 'preact/hooks';
import { Button } from '../../ui/form/button.tsx';
import type { Account } from '../account/account.ts';
import { ActionDialog } from '../account/actions/action-dialog.tsx';
import type { ActionName } from '../account/actions/actions.ts';
import { useWords } from '../text.ts';

/** Does something with an account, once that was confirmed. */
export function ActionButton({ account, name }: { account: Account; name: ActionName }) {
  const words = useWords();
  // What was asked for: once it is done, the button may be for the opposite.
  const [asked, setAsked] = useState<ActionName>();
  return (
    <>
      <Button onClick={() => setAsked(name)}>{words(`account.${name}`)}</Button>
      {asked && <ActionDialog account={account} name={asked} onClose={() => setAsked(undefined)} />}
    </>
  );
}
