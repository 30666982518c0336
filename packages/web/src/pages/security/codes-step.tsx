import { useText } from '../../ui/locale/locale.ts';
import { RecoveryCodes } from '../../ui/two-factor/recovery-codes.tsx';
import { Step } from '../../ui/layout/step.tsx';

/** Shows the recovery codes, once only. */
export function CodesStep({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const text = useText();
  return (
    <Step title={text('recovery.title')} lead={text('recovery.lead')}>
      <RecoveryCodes codes={codes} onDone={onDone} />
    </Step>
  );
}
