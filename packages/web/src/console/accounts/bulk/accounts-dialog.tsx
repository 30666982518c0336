import type { Answer, Input } from '../../api/call-api.ts';
import { BulkDialog } from '../../bulk/bulk-dialog.tsx';
import { BulkResult } from '../../bulk/bulk-result.tsx';
import { NAMED_MAX } from '../../bulk/difference.ts';
import { PreviewNames } from '../../bulk/preview-names.tsx';
import type { Target } from '../../list/list.tsx';
import { useCounted, useWords } from '../../text.ts';
import { BulkForm, type Wanted } from './bulk-form.tsx';

type AccountFilter = NonNullable<Input<'POST /admin/account/bulk'>['body']>['Filter'];
type Changed = Answer<'POST /admin/account/bulk'>;

/** Changes many accounts, or mails their owners. */
export function AccountsDialog({ target, onClose }: { target: Target; onClose: () => void }) {
  const words = useWords();
  const counted = useCounted();
  const selected = 'selected' in target ? target.selected : undefined;
  const filter: AccountFilter = 'selected' in target ? { Ids: [...target.selected.keys()] } : target.filter;
  return (
    <BulkDialog<Wanted, Changed>
      title={words('accounts.bulk.title')}
      form={(look, conflict) => (
        <BulkForm target={target} conflict={conflict} onSubmit={look} onClose={onClose} />
      )}
      send={(callApi, { Change, Reason }, preview) => {
        // Excludes accounts that did not match at the time of the preview.
        const seen = preview && preview.Ids.length <= NAMED_MAX && { Ids: preview.Ids };
        const body = { Filter: { ...filter, ...seen }, ...(!preview && { DryRun: true }) };
        return Change === undefined
          ? callApi('POST /admin/account/bulk/invite', { body })
          : callApi('POST /admin/account/bulk', { body: { ...body, Change, ...(Reason && { Reason }) } });
      }}
      refreshes={['GET /admin/account', 'GET /admin/user-session', 'GET /admin/statistics/now']}
      lead={({ Count, Skipped }, { name }) => (
        <div role="status">
          <p>
            {Count === 0
              ? words('accounts.bulk.nothing')
              : words('accounts.bulk.lead', {
                  accounts: counted('accounts.count', Count),
                  change: words(`accounts.bulk.${name}`),
                })}
          </p>
          {Skipped > 0 && <p class="quiet">{counted('accounts.bulk.skipped', Skipped)}</p>}
        </div>
      )}
      action={(count) => counted('accounts.bulk.apply', count)}
      names={(preview) => <PreviewNames preview={preview} nameOf={emailOf} selected={selected} />}
      result={(done, preview) => (
        <BulkResult preview={preview} done={done} nameOf={emailOf} selected={selected} onClose={onClose} />
      )}
      onClose={onClose}
    />
  );
}

function emailOf({ Email }: { Email: string }): string {
  return Email;
}
