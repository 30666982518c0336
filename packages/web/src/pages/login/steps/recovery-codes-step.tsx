import { useText } from '../../../ui/locale/locale.ts';
import { Page } from '../../../ui/layout/page.tsx';
import { RecoveryCodes } from '../../../ui/two-factor/recovery-codes.tsx';

/** The recovery codes, which are shown only once: continuing requires confirming that they are stored. */
export function RecoveryCodesStep({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const text = useText();
  return (
    <Page title={text('recovery.title')} lead={text('recovery.lead')}>
      <RecoveryCodes codes={codes} onDone={onDone} />
    </Page>
  );
}
