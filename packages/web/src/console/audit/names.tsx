import type { Answer } from '../api/call-api.ts';
import { useWords, useWordsFor } from '../text.ts';
import { shortened } from '../ui/copy.tsx';

export type Entry = Answer<'GET /admin/audit'>['Items'][number];

/** Who made a change: by name, if there is one. */
export function ActorName({ entry: { ActorKind, ActorName: name, ActorId } }: { entry: Entry }) {
  const words = useWords();
  if (ActorKind === 'System') return <span class="quiet">{words('audit.system')}</span>;
  return <>{name ?? (ActorId === null ? '–' : shortened(ActorId))}</>;
}

/** What was changed: its kind, and its name or id. */
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

/** The screen of what an entry names; `undefined` where there is none for each. */
export function placeOf(kind: string, id: string | null): string | undefined {
  const screen = PLACES[kind];
  return screen === undefined || id === null ? undefined : `/console/${screen}/${id}`;
}
