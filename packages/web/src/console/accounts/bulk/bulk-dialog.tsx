import { BulkPreview } from '../../bulk/bulk-preview.tsx';
import { BulkResult } from '../../bulk/bulk-result.tsx';
import { PreviewNames } from '../../bulk/preview-names.tsx';
import type { Target } from '../../list/list.tsx';
import { useCounted, useWords } from '../../text.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { BulkForm } from './bulk-form.tsx';
import { ResetMails } from './reset-mails.tsx';
import { useBulkChange } from './use-bulk-change.ts';

/** Changes many accounts in three steps: choose the change and the reason, preview it, see the result. */
export function BulkDialog({ target, onClose }: { target: Target; onClose: () => void }) {
  const words = useWords();
  const counted = useCounted();
  const { wanted, preview, done, look, apply, back } = useBulkChange(target);
  const selected = 'selected' in target ? target.selected : undefined;
  const isMail = wanted !== undefined && wanted.Change === undefined;
  return (
    <Dialog title={words('accounts.bulk.title')} onClose={onClose}>
      {wanted === undefined && <BulkForm onSubmit={look} />}
      {isMail && <ResetMails target={target} onBack={back} onClose={onClose} />}
      {wanted && !isMail && preview && done === undefined && (
        <BulkPreview
          lead={
            <>
              <p>
                {preview.Count === 0
                  ? words('accounts.bulk.nothing')
                  : words('accounts.bulk.lead', {
                      accounts: counted('accounts.count', preview.Count),
                      change: words(`accounts.bulk.${wanted.name}`),
                    })}
              </p>
              {preview.Skipped > 0 && (
                <p class="quiet">{counted('accounts.bulk.skipped', preview.Skipped)}</p>
              )}
            </>
          }
          action={preview.Count === 0 ? undefined : counted('accounts.bulk.apply', preview.Count)}
          onApply={apply}
          onBack={back}
        >
          <PreviewNames preview={preview} nameOf={emailOf} selected={selected} />
        </BulkPreview>
      )}
      {preview && done && (
        <BulkResult preview={preview} done={done} nameOf={emailOf} selected={selected} onClose={onClose} />
      )}
    </Dialog>
  );
}

function emailOf({ Email }: { Email: string }): string {
  return Email;
}
