import { useState } from 'preact/hooks';
import type { Problem } from '../../ui/api.ts';
import { Form, type FieldValues } from '../../ui/form.tsx';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import type { Answer, Input } from '../api/ask.ts';
import { useConsole } from '../api/console-context.ts';
import { useRefresh } from '../api/use-ask.ts';
import { useWords, useWordsFor } from '../text.ts';
import { Dialog } from '../ui/dialog.tsx';
import { ChangePreview } from './change-preview.tsx';
import { ChangeResult } from './change-result.tsx';
import type { SessionFilter } from './session-filter.ts';

/** Whose sessions are changed. */
export type Target = { Filter: SessionFilter } | { SessionId: string } | { UserId: string };

type Changed = Answer<'POST /admin/user-session'>;

interface ChangeDialogProps {
  target: Target;
  onClose: () => void;
}

/** Changes sessions in three steps: to what and why, what that would change, what it did change. */
export function ChangeDialog({ target, onClose }: ChangeDialogProps) {
  const words = useWords();
  const wordsFor = useWordsFor();
  const { ask } = useConsole();
  const refresh = useRefresh();
  const [wanted, setWanted] = useState<{ Status: number; Reason?: string }>();
  const [preview, setPreview] = useState<Changed>();
  const [done, setDone] = useState<Changed>();
  const body = (more: object) => ({ ...target, ...more }) as Input<'POST /admin/user-session'>['body'];
  const look = async ({ Status, Reason }: FieldValues): Promise<Problem | undefined> => {
    const change = { Status: Number(Status), ...(Reason && { Reason }) };
    const result = await ask('POST /admin/user-session', {
      body: body({ ...change, DryRun: true }),
    } as object);
    if (!result.ok) return result.problem;
    setWanted(change);
    setPreview(result.value);
    return undefined;
  };
  const apply = async (): Promise<Problem | undefined> => {
    const result = await ask('POST /admin/user-session', { body: body(wanted ?? {}) } as object);
    if (!result.ok) return result.problem;
    setDone(result.value);
    await refresh('GET /admin/user-session', 'GET /admin/user-session/{id}');
    return undefined;
  };
  return (
    <Dialog title={words('sessions.change.title')} onClose={onClose}>
      {preview === undefined && (
        <Form submit={words('sessions.change.preview')} onSubmit={look}>
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
      )}
      {preview && wanted && done === undefined && (
        <ChangePreview preview={preview} status={wanted.Status} onApply={apply} onClose={onClose} />
      )}
      {preview && done && <ChangeResult preview={preview} done={done} onClose={onClose} />}
    </Dialog>
  );
}

const CHOICES = [4, 2, 1, 7, 3, 8, 5] as const;
