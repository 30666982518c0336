import { useText } from '../../../ui/locale/locale.ts';
import { Page } from '../../../ui/layout/page.tsx';
import { RecoveryCodes } from '../../../ui/two-factor/recovery-codes.tsx';

/** Shows the recovery codes, once only: the user must confirm that they are stored before continuing. */
export function RecoveryCodesStep({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const text = useText();
  return (
    <Page title={text('recovery.title')} lead={text('recovery.lead')}>
      <RecoveryCodes codes={codes} onDone={onDone} />
    </Page>
  );
}
