import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Problem } from '../../ui/api/api.ts';
import { Button } from '../../ui/form/button.tsx';
import { useWords } from '../text.ts';
import dialog from '../ui/dialog.module.css';
import { ProblemBox } from '../ui/layout/state.tsx';

export interface PreviewButtons {
  /** `primary` if the change can be undone; `danger` by default. */
  kind?: 'danger' | 'primary';
  /** The label of the button that leads back, if it does not lead to the form. */
  backLabel?: string;
  onBack?: () => void;
}

interface BulkPreviewProps extends PreviewButtons {
  lead: ComponentChildren;
  /** The label of the button that applies the change; `undefined` if nothing would change. */
  action: string | undefined;
  onApply: () => Promise<Problem | undefined>;
  onBack: () => void;
  /** The list of the objects that would change. */
  children: ComponentChildren;
}

/** Shows what a bulk change would do, before it is applied. */
export function BulkPreview(props: BulkPreviewProps) {
  const { lead, action, kind = 'danger', onApply, backLabel, onBack, children } = props;
  const words = useWords();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const apply = async (): Promise<void> => {
    setBusy(true);
    const found = await onApply();
    setBusy(false);
    setProblem(found);
  };
  return (
    <>
      {problem && <ProblemBox problem={problem} />}
      {lead}
      {children}
      <div class={dialog['actions']}>
        <Button onClick={onBack}>{backLabel ?? words('bulk.back')}</Button>
        {action !== undefined && (
          <Button kind={kind} busy={isBusy} onClick={() => void apply()}>
            {action}
          </Button>
        )}
      </div>
    </>
  );
}
