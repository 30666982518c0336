import { FaceMatchType } from 'gatehouse-client';
import { useState } from 'preact/hooks';
import type { Problem } from '../../ui/api.ts';
import { type Answer, type CallApi, refresh, useConsole } from '../api/call-api.ts';

export type Person = Answer<'GET /person/{id}'>;
export type Face = Answer<'GET /person/{id}/{faceMatchType}'>['Items'][number];
export type FaceType = Face['FaceMatchType'];

/** The match types of faces (docs/persons.md), in the order in which they are reviewed. */
export const FACE_TYPES = (
  ['ProbableMatch', 'Automatch', 'ConfirmedMatch', 'NotMatch', 'Blurry'] as const
).map((name) => [name, FaceMatchType[name]] as const);

export const DECISIONS = [
  ['c', FaceMatchType.ConfirmedMatch],
  ['x', FaceMatchType.NotMatch],
  ['b', FaceMatchType.Blurry],
] as const satisfies readonly (readonly [string, FaceType])[];

/** The match type in the address; by default, the probable matches, which need a review. */
export function readFaceType(text: string | undefined): FaceType {
  return FACE_TYPES.find(([, type]) => String(type) === text)?.[1] ?? FaceMatchType.ProbableMatch;
}

interface Decision {
  faceId: string;
  former: FaceType;
  type: FaceType;
}

export type Decisions = ReturnType<typeof useDecisions>;

interface Failure {
  problem?: Problem | undefined;
  /** The faces because of which it has. */
  faulty: ReadonlySet<string>;
  /** How many decisions were dropped because their faces no longer belong to this person. */
  fallen: number;
}

const NO_FAILURE: Failure = { faulty: new Set(), fallen: 0 };

/** Decisions about the faces of a person: made one by one, saved together, and undone after that. */
export function useDecisions(personId: string) {
  const { callApi } = useConsole();
  /** Not saved yet, latest last. */
  const [pending, setPending] = useState<readonly Decision[]>([]);
  /** Just saved. */
  const [saved, setSaved] = useState<readonly Decision[]>([]);
  const [failure, setFailure] = useState(NO_FAILURE);
  const [isSaving, setSaving] = useState(false);

  const send = async (decisions: readonly Decision[], onSent: (part: readonly Decision[]) => void) => {
    setSaving(true);
    const { problem, faulty } = await sendDecisions(callApi, personId, { decisions, onSent });
    setSaving(false);
    const isGone = problem?.status === 404 && faulty.size > 0;
    setFailure(isGone ? { faulty, fallen: faulty.size } : { problem, faulty, fallen: 0 });
    if (isGone) {
      setPending((now) => without(now, faulty));
      setSaved((now) => without(now, faulty));
    }
    await refresh();
  };
  return {
    ...{ pending, saved, isSaving, ...failure },
    decide: ({ Id, FaceMatchType: former }: Face, type: FaceType) =>
      setPending((now) => {
        const others = without(now, new Set([Id]));
        // A decision that is being saved cannot be withdrawn, only overruled by another one.
        return type === former && !isSaving ? others : [...others, { faceId: Id, former, type }];
      }),
    /** Drops the latest decision that is not saved. If there is none, restores the previous types of the saved ones. */
    undo: async () => {
      if (isSaving) return;
      if (pending.length > 0) return setPending(pending.slice(0, -1));
      if (saved.length === 0) return;
      const undone = saved.map(({ faceId, former, type }) => ({ faceId, former: type, type: former }));
      await send(undone, (part) => {
        const restored = new Set(part.map(({ faceId }) => faceId));
        setSaved((now) => without(now, restored));
      });
    },
    /** Saves all decisions. If part of them is refused, those that are not saved stay pending. */
    save: async () => {
      if (pending.length === 0 || isSaving) return;
      const done: Decision[] = [];
      await send(pending, (part) => {
        done.push(...part);
        setSaved([...done]);
        setPending((now) => now.filter((decision) => !part.includes(decision)));
      });
    },
  };
}

function without(decisions: readonly Decision[], faceIds: ReadonlySet<string>): Decision[] {
  return decisions.filter(({ faceId }) => !faceIds.has(faceId));
}

const SENT_AT_ONCE_MAX = 500;

/** Sends them part by part, and calls `onSent` after each that was saved. Returns why one was refused, if so. */
async function sendDecisions(
  callApi: CallApi,
  personId: string,
  { decisions, onSent }: { decisions: readonly Decision[]; onSent: (part: readonly Decision[]) => void },
): Promise<Omit<Failure, 'fallen'>> {
  for (let from = 0; from < decisions.length; from += SENT_AT_ONCE_MAX) {
    const part = decisions.slice(from, from + SENT_AT_ONCE_MAX);
    const Items = part.map(({ faceId, type }) => ({ FaceId: faceId, FaceMatchType: type }));
    const result = await callApi('PUT /person/{id}/face', { path: { id: personId }, body: { Items } });
    if (!result.ok) return { problem: result.problem, faulty: new Set(namedBy(result.problem, part)) };
    onSent(part);
  }
  return NO_FAILURE;
}

/** The faces that an API error points to, for example with `/Items/3/FaceId`. */
function namedBy({ errors }: Problem, decisions: readonly Decision[]): string[] {
  return errors.flatMap(({ pointer }) => {
    const at = /^\/Items\/(\d{1,3})\b/.exec(pointer)?.[1];
    return decisions[Number(at)]?.faceId ?? [];
  });
}
