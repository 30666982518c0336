import { useState } from 'preact/hooks';
import { Button } from '../../ui/form/button.tsx';
import type { Account } from '../account/account.ts';
import { ActionDialog } from '../account/actions/action-dialog.tsx';
import type { ActionName } from '../account/actions/actions.ts';
import { useWords } from '../text.ts';

/** A button that executes an action on an account, after a confirmation. */
export function ActionButton({ account, name }: { account: Account; name: ActionName }) {
  const words = useWords();
  // The action at the time of the click: when it is done, `name` may already be the opposite action.
  const [asked, setAsked] = useState<ActionName>();
  return (
    <>
      <Button onClick={() => setAsked(name)}>{words(`account.${name}`)}</Button>
      {asked && <ActionDialog account={account} name={asked} onClose={() => setAsked(undefined)} />}
    </>
  );
}
