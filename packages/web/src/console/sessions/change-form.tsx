import { SessionStatus } from '@gatehouse/client';
import { useState } from 'preact/hooks';
import type { Problem } from '../../ui/api/api.ts';
import { Field } from '../../ui/form/field.tsx';
import { Form } from '../../ui/form/form.tsx';
import { Select } from '../../ui/form/select.tsx';
import { useWords, useWordsFor } from '../text.ts';
import { ProblemBox } from '../ui/layout/state.tsx';

/** The most likely choices first. */
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
  /** Whether all sessions of one account are changed. */
  isOfAccount: boolean;
  onSubmit: (change: { Status: SessionStatus; Reason?: string }) => Promise<Problem | undefined>;
}

/** Asks for the new status, and for the reason. */
export function ChangeForm({ isOfAccount, onSubmit }: ChangeFormProps) {
  const words = useWords();
  const wordsFor = useWordsFor();
  const [conflict, setConflict] = useState<Problem>();
  return (
    <>
      {conflict && <ProblemBox problem={conflict} />}
      <Form
        submit={words('bulk.preview')}
        onSubmit={async ({ Status, Reason }) => {
          const chosen = OF_ACCOUNT.find((status) => String(status) === Status) ?? CHOICES[0];
          const problem = await onSubmit({ Status: chosen, ...(Reason && { Reason }) });
          // Too many sessions, a session that is too old, or an account that is closed: the API's message says which.
          setConflict(problem?.code === 'conflict' ? problem : undefined);
          return problem?.code === 'conflict' ? undefined : problem;
        }}
      >
        <Select
          name="Status"
          label={words('sessions.change.status')}
          defaultValue={String(CHOICES[0])}
          options={(isOfAccount ? OF_ACCOUNT : CHOICES).map((status) => ({
            value: String(status),
            words: `${wordsFor('sessionStatus', status)}: ${wordsFor('sessionEffect', status)}`,
          }))}
        />
        <Field
          name="Reason"
          label={words('sessions.change.reason')}
          hint={words('sessions.change.reason.hint')}
        />
      </Form>
    </>
  );
}
