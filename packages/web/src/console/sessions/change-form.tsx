import { useState } from 'preact/hooks';
import type { Problem } from '../../ui/api.ts';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Select } from '../../ui/select.tsx';
import { useWords, useWordsFor } from '../text.ts';
import { ProblemBox } from '../ui/state.tsx';

/** The likeliest first. */
const CHOICES = [4, 2, 1, 7, 3, 8, 5] as const;

interface ChangeFormProps {
  onSubmit: (change: { Status: (typeof CHOICES)[number]; Reason?: string }) => Promise<Problem | undefined>;
}

/** Asks for the new status, and why. */
export function ChangeForm({ onSubmit }: ChangeFormProps) {
  const words = useWords();
  const wordsFor = useWordsFor();
  const [conflict, setConflict] = useState<Problem>();
  return (
    <>
      {conflict && <ProblemBox problem={conflict} />}
      <Form
        submit={words('bulk.preview')}
        onSubmit={async ({ Status, Reason }) => {
          const chosen = CHOICES.find((status) => String(status) === Status) ?? CHOICES[0];
          const problem = await onSubmit({ Status: chosen, ...(Reason && { Reason }) });
          // Too many, too old, an account that is closed: the API says which.
          setConflict(problem?.code === 'conflict' ? problem : undefined);
          return problem?.code === 'conflict' ? undefined : problem;
        }}
      >
        <Select
          name="Status"
          label={words('sessions.change.status')}
          defaultValue="4"
          options={CHOICES.map((status) => ({
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
