import type { Problem } from '../../ui/api/api.ts';
import { Field } from '../../ui/form/field.tsx';
import { Form, type FieldValues } from '../../ui/form/form.tsx';
import { Select } from '../../ui/form/select.tsx';
import { useConsole } from '../api/console-context.ts';
import { useRefresh } from '../api/use-query.ts';
import { useWords, useWordsFor } from '../text.ts';
import { Dialog } from '../ui/dialog.tsx';
import { KINDS, type Content } from './content.ts';
import { findOwner, shownOwner } from './find-owner.ts';

interface SaveDialogProps {
  /** The content to change; without it, new content is created. */
  content?: Content;
  ownerEmail?: string | undefined;
  onClose: () => void;
  onSaved?: (content: Content) => void;
}

/** Creates content, or changes its name, kind and owner. */
export function SaveDialog({ content, ownerEmail, onClose, onSaved }: SaveDialogProps) {
  const words = useWords();
  const wordsFor = useWordsFor();
  const { callApi, toast } = useConsole();
  const refresh = useRefresh();
  const present = content?.OwnerId ? { id: content.OwnerId, email: ownerEmail } : undefined;
  const save = async ({ Name = '', Kind = '', OwnerId = '' }: FieldValues): Promise<Problem | undefined> => {
    const owner = await findOwner(callApi, OwnerId, present);
    if (!owner.ok) return owner.problem;
    // The value is one of the options of the field.
    const body = { Name, Kind: Kind as Content['Kind'], OwnerId: owner.value };
    const result = content
      ? await callApi('PUT /admin/content-definition/{id}', { path: { id: content.Id }, body })
      : await callApi('POST /admin/content-definition', { body });
    if (!result.ok) return result.problem;
    toast(words(content ? 'content.changed' : 'content.created'));
    onClose();
    onSaved?.(result.value);
    await refresh(
      'GET /admin/content-definition',
      'GET /admin/content-definition/{id}',
      'GET /admin/content-definition/{id}/member',
    );
    return undefined;
  };
  return (
    <Dialog title={words(content ? 'content.edit' : 'content.create')} onClose={onClose}>
      <Form submit={words(content ? 'content.save' : 'content.create')} onSubmit={save}>
        <Field
          name="Name"
          label={words('content.name')}
          autocomplete="off"
          defaultValue={content?.Name ?? ''}
          required
        />
        <Select
          name="Kind"
          label={words('content.kind')}
          defaultValue={content?.Kind ?? 'LiveChannel'}
          options={KINDS.map((value) => ({ value, words: wordsFor('content.kind', value) }))}
        />
        <Field
          name="OwnerId"
          label={words('content.owner')}
          hint={words('content.owner.hint')}
          autocomplete="off"
          spellcheck={false}
          defaultValue={present ? shownOwner(present) : ''}
        />
      </Form>
    </Dialog>
  );
}
