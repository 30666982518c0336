import type { Answer } from '../api/call-api.ts';
import { useWords, useWordsFor } from '../text.ts';
import { shortened } from '../ui/copy.tsx';

export type Entry = Answer<'GET /admin/audit'>['Items'][number];

/** Who made a change: the name if known, else the shortened id. */
export function ActorName({ entry: { ActorKind, ActorName: name, ActorId } }: { entry: Entry }) {
  const words = useWords();
  if (ActorKind === 'System') return <span class="quiet">{words('audit.system')}</span>;
  return <>{name ?? (ActorId === null ? '–' : shortened(ActorId))}</>;
}

/** The changed object: its kind, and its name or shortened id. */
export function TargetName({ entry: { TargetKind, TargetName: name, TargetId } }: { entry: Entry }) {
  const wordsFor = useWordsFor();
  return (
    <>
      <span class="quiet">{wordsFor('audit.kind', TargetKind)}</span>{' '}
      {name ?? (TargetId === null ? '' : shortened(TargetId))}
    </>
  );
}

const PLACES: Readonly<Partial<Record<string, string>>> = {
  Account: 'accounts',
  ApiToken: 'tokens',
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
