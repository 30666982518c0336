import { SessionStatus } from '@gatehouse/client';
import { useState } from 'preact/hooks';
import type { Problem } from '../../ui/api/api.ts';
import { Field } from '../../ui/form/field.tsx';
import { Form } from '../../ui/form/form.tsx';
import { Select } from '../../ui/form/select.tsx';
import { useWords, useWordsFor } from '../text.ts';
import { ProblemBox } from '../ui/layout/state.tsx';

/** The likeliest first. */
const CHOICES = [
  SessionStatus.Deactivated,
  SessionStatus.ChatDisabled,
  SessionStatus.Normal,
  SessionStatus.Expired,
  SessionStatus.SessionReplaced,
  SessionStatus.DeletedInvite,
  SessionStatus.SharedAccess,
] as const;

/** For the invitations of one guest, which have the statuses of sessions too. */
const OF_ACCOUNT = [...CHOICES, SessionStatus.PendingInvite] as const;

interface ChangeFormProps {
  /** Whether all of one account are changed. */
  isOfAccount: boolean;
  onSubmit: (change: { Status: SessionStatus; Reason?: string }) => Promise<Problem | undefined>;
}

/** Asks for the new status, and why. */
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
          // Too many, too old, an account that is closed: the API says which.
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
