import { useLocation } from 'preact-iso';
import { useState } from 'preact/hooks';
import { Field } from '../../ui/form/field.tsx';
import { Form, type FieldValues } from '../../ui/form/form.tsx';
import { Notice } from '../../ui/layout/notice.tsx';
import type { Problem } from '../../ui/api/api.ts';
import { useConsole } from '../api/console-context.ts';
import { useRefresh } from '../api/use-query.ts';
import { useWords } from '../text.ts';
import { Dialog } from '../ui/dialog.tsx';
import type { Person } from './face-types.ts';

interface PersonDialogProps {
  /** The person to change, and the version that was read; without it, a new person is created. */
  edited?: { person: Person; etag: string | undefined };
  onClose: () => void;
}

/** Creates or changes a person. Concurrent changes are detected, and do not overwrite each other. */
export function PersonDialog({ edited, onClose }: PersonDialogProps) {
  const words = useWords();
  const { callApi, toast } = useConsole();
  const refresh = useRefresh();
  const { route } = useLocation();
  const [isOutdated, setOutdated] = useState(false);
  const person = edited?.person;
  const save = async (values: FieldValues): Promise<Problem | undefined> => {
    const body = bodyOf(values);
    const result = edited
      ? await callApi('PUT /person/{id}', { path: { id: edited.person.Id }, body, ifMatch: edited.etag })
      : await callApi('POST /person', { body });
    setOutdated(!result.ok && result.problem.status === 412);
    if (!result.ok) return result.problem.status === 412 ? undefined : result.problem;
    onClose();
    toast(words(edited ? 'persons.saved' : 'persons.created.toast'));
    if (!edited) route(`/console/persons/${result.value.Id}`);
    await refresh('GET /person', 'GET /person/{id}');
    return undefined;
  };
  return (
    <Dialog title={words(edited ? 'persons.edit' : 'persons.create')} onClose={onClose}>
      {isOutdated && <Notice meaning="warning">{words('persons.outdated')}</Notice>}
      <Form submit={words(edited ? 'persons.save' : 'persons.create')} onSubmit={save}>
        <Field
          name="Name"
          label={words('persons.name')}
          hint={words('persons.name.hint')}
          defaultValue={person?.Name ?? ''}
          autocomplete="off"
          required
        />
        <Field
          name="ExternalId"
          label={words('persons.externalId')}
          hint={words('persons.externalId.hint')}
          defaultValue={person?.ExternalId ?? ''}
          autocomplete="off"
          spellcheck={false}
        />
        <Field
          name="Notes"
          label={words('persons.notes')}
          defaultValue={person?.Notes ?? ''}
          autocomplete="off"
        />
      </Form>
    </Dialog>
  );
}

function bodyOf({ Name = '', ExternalId = '', Notes = '' }: FieldValues) {
  return { Name, ExternalId: ExternalId.trim() || null, Notes: Notes.trim() || null };
}
