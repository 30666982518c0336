import type { Answer } from '../api/call-api.ts';
import { BulkDialog } from '../bulk/bulk-dialog.tsx';
import { BulkResult } from '../bulk/bulk-result.tsx';
import { NAMED_MAX } from '../bulk/difference.ts';
import { PreviewNames } from '../bulk/preview-names.tsx';
import { useCounted, useWords, useWordsFor } from '../text.ts';
import { ChangeForm, type Wanted } from './change-form.tsx';
import { isOfEnded, type Target } from './session-filter.ts';

type Changed = Answer<'POST /admin/user-session'>;

interface ChangeDialogProps {
  target: Target;
  /** The names of the selected sessions, by their ids. */
  selected?: ReadonlyMap<string, string> | undefined;
  onClose: () => void;
}

/** Changes the status of sessions. */
export function ChangeDialog({ target, selected, onClose }: ChangeDialogProps) {
  const words = useWords();
  const wordsFor = useWordsFor();
  const counted = useCounted();
  return (
    <BulkDialog<Wanted, Changed>
      title={words('UserId' in target ? 'sessions.signOut' : 'sessions.change.title')}
      form={(look, conflict) => (
        <ChangeForm isOfAccount={'UserId' in target} conflict={conflict} onSubmit={look} />
      )}
      send={(callApi, wanted, preview) => {
        const body = preview ? seen(target, preview) : { ...target, DryRun: true };
        return callApi('POST /admin/user-session', { body: { ...body, ...wanted } });
      }}
      refreshes={['GET /admin/user-session', 'GET /admin/user-session/{id}', 'GET /admin/statistics/now']}
      lead={({ Count, UserCount }, { Status }) => (
        <p role="status">
          {Count === 0
            ? words('sessions.change.nothing')
            : words('sessions.change.lead', {
                sessions: counted('sessions.count', Count),
                accounts: counted('accounts.count', UserCount),
                status: wordsFor('sessionStatus', Status),
              })}
        </p>
      )}
      action={(count) => counted('sessions.change.apply', count)}
      names={(preview) => <PreviewNames preview={preview} nameOf={nameOf} selected={selected} />}
      result={(done, preview) => (
        <BulkResult preview={preview} done={done} nameOf={nameOf} selected={selected} onClose={onClose} />
      )}
      onClose={onClose}
    />
  );
}

/**
 * Limits a change to the previewed sessions: the administrator has not seen those that match only since then. This is
 * not possible for ended sessions, because `SessionIds` selects only active ones.
 */
function seen(target: Target, { Ids }: Changed): Target {
  const isNameable = 'Filter' in target && !isOfEnded(target.Filter) && Ids.length <= NAMED_MAX;
  return isNameable ? { SessionIds: Ids } : target;
}

function nameOf({ Email, IpAddress }: { Email: string; IpAddress: string | null }) {
  return (
    <>
      {Email} <span class="quiet">{IpAddress}</span>
    </>
  );
}
