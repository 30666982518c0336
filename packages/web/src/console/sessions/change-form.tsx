import { SessionStatus } from 'gatehouse-client';
import { useState } from 'preact/hooks';
import { Button } from '../../ui/form/button.tsx';
import type { Problem } from '../../ui/api/api.ts';
import { Field } from '../../ui/form/field.tsx';
import { Form } from '../../ui/form/form.tsx';
import { Select } from '../../ui/form/select.tsx';
import type { Look } from '../bulk/bulk-dialog.tsx';
import { useWords, useWordsFor } from '../text.ts';
import { ProblemBox } from '../ui/layout/state.tsx';

/** The other choices, the most likely first. */
const CHOICES = [
  SessionStatus.ChatDisabled,
  SessionStatus.Normal,
  SessionStatus.Expired,
  SessionStatus.SessionReplaced,
  SessionStatus.DeletedInvite,
  SessionStatus.SharedAccess,
] as const;

/** For all sessions of an account: `PendingInvite` restores the deleted invitations of a pending guest. */
const OF_ACCOUNT = [...CHOICES, SessionStatus.PendingInvite] as const;

export interface Wanted {
  Status: SessionStatus;
  Reason?: string;
}

interface ChangeFormProps {
  /** Whether all sessions of one account are changed. */
  isOfAccount: boolean;
  /** Too many sessions, a session that is too old, or an account that is closed: the API's message says which. */
  conflict: Problem | undefined;
  onSubmit: Look<Wanted>;
}

/** Signs out; or asks for another status. And asks for the reason. */
export function ChangeForm({ isOfAccount, conflict, onSubmit }: ChangeFormProps) {
  const words = useWords();
  const wordsFor = useWordsFor();
  const [isOther, setOther] = useState(false);
  return (
    <>
      {conflict && <ProblemBox problem={conflict} />}
      <Form
        submit={words('bulk.preview')}
        onSubmit={({ Status, Reason }) => {
          const chosen = OF_ACCOUNT.find((status) => String(status) === Status) ?? SessionStatus.Deactivated;
          return onSubmit({ Status: chosen, ...(Reason && { Reason }) });
        }}
      >
        {!isOther && <p>{words('sessions.signOut.effect')}</p>}
        {isOther && (
          <Select
            name="Status"
            label={words('sessions.change.status')}
            defaultValue={String(CHOICES[0])}
            options={(isOfAccount ? OF_ACCOUNT : CHOICES).map((status) => ({
              value: String(status),
              words: `${wordsFor('sessionStatus', status)}: ${wordsFor('sessionEffect', status)}`,
            }))}
          />
        )}
        <Field
          name="Reason"
          label={words('sessions.change.reason')}
          hint={words('sessions.change.reason.hint')}
        />
      </Form>
      <Button kind="text" onClick={() => setOther(!isOther)}>
        {words(isOther ? 'sessions.signOut.instead' : 'sessions.change.other')}
      </Button>
    </>
  );
}
