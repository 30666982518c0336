import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Problem } from '../../ui/api/api.ts';
import { Button } from '../../ui/form/button.tsx';
import { useWords } from '../text.ts';
import dialog from '../ui/dialog.module.css';
import { ProblemBox } from '../ui/layout/state.tsx';

interface BulkPreviewProps {
  /** What would happen, and to how many. */
  lead: ComponentChildren;
  /** What the button does; there is none where nothing would happen. */
  action: string | undefined;
  onApply: () => Promise<Problem | undefined>;
  onBack: () => void;
  /** Those it would happen to. */
  children: ComponentChildren;
}

/** What a change would do, before it does it. */
export function BulkPreview({ lead, action, onApply, onBack, children }: BulkPreviewProps) {
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
      <div role="status">{lead}</div>
      {children}
      <div class={dialog['actions']}>
        <Button onClick={onBack}>{words('bulk.back')}</Button>
        {action !== undefined && (
          <Button kind="danger" busy={isBusy} onClick={() => void apply()}>
            {action}
          </Button>
        )}
      </div>
    </>
  );
}
