import { SessionStatus } from 'gatehouse-client';
import { useState } from 'preact/hooks';
import type { Problem } from '../../ui/api.ts';
import { Field, Select } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import type { Answer } from '../api/call-api.ts';
import { BulkDialog, type Look, naming } from '../kit/bulk.tsx';
import { NAMED_MAX } from '../kit/difference.ts';
import { choicesOf, counted, words, wordsFor } from '../text.ts';
import { ProblemBox } from '../ui/screen-page.tsx';
import { isOfEnded, type SessionFilter } from './session-filter.ts';

type Changed = Answer<'POST /admin/user-session'>;

type Target =
  { Filter: SessionFilter } | { SessionId: string } | { SessionIds: readonly string[] } | { UserId: string };

interface Wanted {
  Status: SessionStatus;
  Reason?: string;
}

interface ChangeDialogProps {
  target: Target;
  /** The names of the selected sessions, by their ids. */
  selected?: ReadonlyMap<string, string> | undefined;
  onClose: () => void;
}

export function ChangeDialog({ target, selected, onClose }: ChangeDialogProps) {
  return (
    <BulkDialog<Wanted, Changed>
      title={words('sessions.change.title')}
      form={(look, conflict) => (
        <ChangeForm choices={'UserId' in target ? OF_ACCOUNT : CHOICES} conflict={conflict} onSubmit={look} />
      )}
      send={(callApi, wanted, preview) => {
        const body = preview ? seen(target, preview) : { ...target, DryRun: true };
        return callApi('POST /admin/user-session', { body: { ...body, ...wanted } });
      }}
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
      {...naming<Changed['Items'][number]>(nameOf, selected, onClose)}
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

/** The most likely first. */
const CHOICES = [
  SessionStatus.Deactivated,
  SessionStatus.ChatDisabled,
  SessionStatus.Normal,
  SessionStatus.Expired,
  SessionStatus.SessionReplaced,
  SessionStatus.DeletedInvite,
  SessionStatus.SharedAccess,
] as const;

/** For all sessions of an account: `PendingInvite` restores the deleted invitations of a pending guest. */
const OF_ACCOUNT = [...CHOICES, SessionStatus.PendingInvite] as const;

interface ChangeFormProps {
  choices: readonly SessionStatus[];
  /** Too many sessions, a session that is too old, or an account that is closed: the API's message says which. */
  conflict: Problem | undefined;
  onSubmit: Look<Wanted>;
}

function ChangeForm({ choices, conflict, onSubmit }: ChangeFormProps) {
  const [chosen, setChosen] = useState<SessionStatus>(SessionStatus.Deactivated);
  return (
    <>
      {conflict && <ProblemBox problem={conflict} />}
      <Form
        submit={words('bulk.preview')}
        onSubmit={({ Reason }) => onSubmit({ Status: chosen, ...(Reason && { Reason }) })}
      >
        <Select
          name="Status"
          label={words('sessions.change.status')}
          defaultValue={String(chosen)}
          options={choicesOf('sessionStatus', choices)}
          onChange={(value) => setChosen(choices.find((status) => String(status) === value) ?? chosen)}
        />
        <p role="status">{wordsFor('sessionEffect', chosen)}</p>
        <Field
          name="Reason"
          label={words('sessions.change.reason')}
          hint={words('sessions.change.reason.hint')}
        />
      </Form>
    </>
  );
}
