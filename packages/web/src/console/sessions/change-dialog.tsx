import { BulkPreview } from '../bulk/bulk-preview.tsx';
import { BulkResult } from '../bulk/bulk-result.tsx';
import { PreviewNames } from '../bulk/preview-names.tsx';
import { useCounted, useWords, useWordsFor } from '../text.ts';
import { Dialog } from '../ui/dialog.tsx';
import { ChangeForm } from './change-form.tsx';
import type { Target } from './session-filter.ts';
import { useSessionChange } from './use-session-change.ts';

interface ChangeDialogProps {
  target: Target;
  /** The names of the selected sessions, by their ids. */
  selected?: ReadonlyMap<string, string> | undefined;
  onClose: () => void;
}

/** Changes sessions in three steps: choose the status and the reason, preview the change, see the result. */
export function ChangeDialog({ target, selected, onClose }: ChangeDialogProps) {
  const words = useWords();
  const wordsFor = useWordsFor();
  const counted = useCounted();
  const { wanted, preview, done, look, apply, back } = useSessionChange(target);
  return (
    <Dialog title={words('sessions.change.title')} onClose={onClose}>
      {preview === undefined && <ChangeForm isOfAccount={'UserId' in target} onSubmit={look} />}
      {preview && wanted && done === undefined && (
        <BulkPreview
          lead={
            <p>
              {preview.Count === 0
                ? words('sessions.change.nothing')
                : words('sessions.change.lead', {
                    sessions: counted('sessions.count', preview.Count),
                    accounts: counted('accounts.count', preview.UserCount),
                    status: wordsFor('sessionStatus', wanted.Status),
                  })}
            </p>
          }
          action={preview.Count === 0 ? undefined : counted('sessions.change.apply', preview.Count)}
          onApply={apply}
          onBack={back}
        >
          <PreviewNames preview={preview} nameOf={nameOf} selected={selected} />
        </BulkPreview>
      )}
      {preview && done && (
        <BulkResult preview={preview} done={done} nameOf={nameOf} selected={selected} onClose={onClose} />
      )}
    </Dialog>
  );
}

function nameOf({ Email, IpAddress }: { Email: string; IpAddress: string | null }) {
  return (
    <>
      {Email} <span class="quiet">{IpAddress}</span>
    </>
  );
}
