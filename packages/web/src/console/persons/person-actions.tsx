import { useState } from 'preact/hooks';
import { Button } from '../../ui/form/button.tsx';
import { useConsole } from '../api/console-context.ts';
import { useWords } from '../text.ts';
import { actionDialog } from '../ui/confirm/action-dialog.tsx';
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
const DeleteDialog = actionDialog<{ person: Person }>(({ person }, words) => ({
  title: words('persons.delete.title', { name: person.Name }),
  action: words('persons.delete'),
  effect: <p>{words('persons.delete.lead', { count: countOfFaces(person) })}</p>,
  run: (callApi) => callApi('DELETE /person/{id}', { path: { id: person.Id } }),
  done: words('persons.deleted'),
  next: '/console/persons',
  refreshes: ['GET /person'],
}));
