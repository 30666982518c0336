import { useLocation } from 'preact-iso';
import { useState } from 'preact/hooks';
import { Button } from '../../ui/form/button.tsx';
import type { Problem } from '../../ui/api/api.ts';
import { useConsole } from '../api/console-context.ts';
import { useRefresh } from '../api/use-query.ts';
import { useWords } from '../text.ts';
import { ConfirmDialog } from '../ui/confirm/confirm-dialog.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { countOfFaces, type Person } from './face-types.ts';
import { PersonDialog } from './person-dialog.tsx';

type Open = { kind: 'delete' } | { kind: 'edit'; person: Person; etag: string | undefined };

/** The actions on a person. */
export function PersonActions({ person }: { person: Person }) {
  const words = useWords();
  const { callApi, toast } = useConsole();
  const [open, setOpen] = useState<Open>();
  const close = (): void => setOpen(undefined);
  // Edits the newest version, which may differ from the one shown.
  const edit = async (): Promise<void> => {
    const result = await callApi('GET /person/{id}', { path: { id: person.Id } });
    if (result.ok) setOpen({ kind: 'edit', person: result.value, etag: result.etag });
    else toast(words('persons.gone'));
  };
  return (
    <>
      <Button onClick={() => void edit()}>{words('persons.edit')}</Button>
      <Menu label={words('persons.more')}>
        <MenuItem danger onClick={() => setOpen({ kind: 'delete' })}>
          {words('persons.delete')}
        </MenuItem>
      </Menu>
      {open?.kind === 'edit' && <PersonDialog edited={open} onClose={close} />}
      {open?.kind === 'delete' && <DeleteDialog person={person} onClose={close} />}
    </>
  );
}

/** Deletes a person permanently, after a confirmation. */
function DeleteDialog({ person, onClose }: { person: Person; onClose: () => void }) {
  const words = useWords();
  const { callApi, toast } = useConsole();
  const refresh = useRefresh();
  const { route } = useLocation();
  const remove = async (): Promise<Problem | undefined> => {
    const result = await callApi('DELETE /person/{id}', { path: { id: person.Id } });
    if (!result.ok) return result.problem;
    route('/console/persons');
    toast(words('persons.deleted'));
    await refresh('GET /person');
    return undefined;
  };
  return (
    <ConfirmDialog
      title={words('persons.delete.title', { name: person.Name })}
      action={words('persons.delete')}
      onConfirm={remove}
      onClose={onClose}
    >
      <p>{words('persons.delete.lead', { count: countOfFaces(person) })}</p>
    </ConfirmDialog>
  );
}
