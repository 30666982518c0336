import type { Answer } from '../api/call-api.ts';
import type { ListTools } from '../list/list.tsx';
import { useWords, useWordsFor } from '../text.ts';
import { shortened } from '../ui/copy.tsx';
import type { Column } from '../ui/table/data-table.tsx';
import { Time } from '../ui/time.tsx';

export type Entry = Answer<'GET /admin/audit'>['Items'][number];

/** The columns of a list of changes. */
export function auditColumns({ words, wordsFor }: Pick<ListTools, 'words' | 'wordsFor'>): Column<Entry>[] {
  return [
    { head: words('audit.what'), cell: ({ Action }) => wordsFor('audit.action', Action) },
    { head: words('audit.who'), cell: (entry) => <ActorName entry={entry} /> },
    { head: words('audit.whom'), cell: (entry) => <TargetName entry={entry} /> },
    { head: words('audit.ip'), cell: ({ IpAddress }) => IpAddress ?? '–' },
    { head: words('audit.when'), cell: ({ At }) => <Time at={At} /> },
  ];
}

/** Who made a change: the name if known, else the shortened id. */
export function ActorName({ entry: { ActorKind, ActorName: name, ActorId } }: { entry: Entry }) {
  const words = useWords();
  if (ActorKind === 'System') return <span class="quiet">{words('audit.system')}</span>;
  return <>{name ?? (ActorId === null ? '–' : shortened(ActorId))}</>;
}

/** The changed object: its kind, and its name or shortened id. */
export function TargetName({ entry: { TargetKind, TargetName: name, TargetId } }: { entry: Entry }) {
  const wordsFor = useWordsFor();
  // An entry about many objects, such as an import, names none.
  if (!name && TargetId === null) return <>–</>;
  return (
    <>
      <span class="quiet">{wordsFor('audit.kind', TargetKind)}</span> {name ?? shortened(TargetId ?? '')}
    </>
  );
}

const PLACES: Readonly<Partial<Record<string, string>>> = {
  Account: 'accounts',
  ApiToken: 'tokens',
  OauthClient: 'applications',
  ContentDefinition: 'content',
  Mail: 'mails',
  Person: 'persons',
  UserSession: 'sessions',
};

/** The path of the screen of an object that an entry names; `undefined` if its kind has no such screen. */
export function placeOf(kind: string, id: string | null): string | undefined {
  const screen = PLACES[kind];
  return screen === undefined || id === null ? undefined : `/console/${screen}/${id}`;
}
