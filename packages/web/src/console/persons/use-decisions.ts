import { useState } from 'preact/hooks';
import type { Problem } from '../../ui/api/api.ts';
import { useConsole } from '../api/console-context.ts';
import { useRefresh } from '../api/use-query.ts';
import type { Face, FaceType } from './face-types.ts';

/** A reviewer's decision about a face, with its previous type. */
interface Decision {
  faceId: string;
  former: FaceType;
  type: FaceType;
}

export interface Decisions {
  /** Decisions that are not saved yet, latest last. */
  pending: readonly Decision[];
  /** Decisions that were just saved, and can still be undone. */
  saved: readonly Decision[];
  problem: Problem | undefined;
  /** The faces because of which saving failed. */
  faulty: ReadonlySet<string>;
  /** How many decisions were dropped because their faces no longer belong to this person. */
  fallen: number;
  isSaving: boolean;
  decide: (face: Face, type: FaceType) => void;
  /** Drops the latest decision that is not saved. If there is none, restores the previous types of the saved ones. */
  undo: () => Promise<void>;
  /** Saves all decisions, or none. */
  save: () => Promise<void>;
}

/** The maximum number of decisions per request of the API. */
const MAX = 500;

/** Decisions about the faces of a person: made one by one, saved together. */
export function useDecisions(personId: string): Decisions {
  const { callApi } = useConsole();
  const refresh = useRefresh();
  const [pending, setPending] = useState<readonly Decision[]>([]);
  const [saved, setSaved] = useState<readonly Decision[]>([]);
  const [problem, setProblem] = useState<Problem>();
  const [faulty, setFaulty] = useState<ReadonlySet<string>>(new Set());
  const [fallen, setFallen] = useState(0);
  const [isSaving, setSaving] = useState(false);

  const put = async (decisions: readonly Decision[]): Promise<boolean> => {
    setSaving(true);
    const Items = decisions.map(({ faceId, type }) => ({ FaceId: faceId, FaceMatchType: type }));
    const result = await callApi('PUT /person/{id}/face', { path: { id: personId }, body: { Items } });
    setSaving(false);
    const named = new Set(result.ok ? [] : namedBy(result.problem, decisions));
    const isGone = !result.ok && result.problem.status === 404 && named.size > 0;
    setProblem(result.ok || isGone ? undefined : result.problem);
    setFaulty(named);
    setFallen(isGone ? named.size : 0);
    if (isGone) {
      setPending(pending.filter(({ faceId }) => !named.has(faceId)));
      setSaved(saved.filter(({ faceId }) => !named.has(faceId)));
    }
    await refresh('GET /person/{id}/{faceMatchType}', 'GET /person/{id}', 'GET /person');
    return result.ok;
  };
  return {
    pending,
    saved,
    problem,
    faulty,
    fallen,
    isSaving,
    decide: ({ Id, FaceMatchType: former }, type) => {
      const others = pending.filter(({ faceId }) => faceId !== Id);
      setPending(type === former ? others : [...others, { faceId: Id, former, type }].slice(-MAX));
    },
    undo: async () => {
      if (pending.length > 0) return setPending(pending.slice(0, -1));
      if (saved.length === 0 || isSaving) return undefined;
      const undone = saved.map(({ faceId, former, type }) => ({ faceId, former: type, type: former }));
      if (await put(undone)) setSaved([]);
      return undefined;
    },
    save: async () => {
      if (pending.length === 0 || isSaving || !(await put(pending))) return;
      setSaved(pending);
      setPending([]);
    },
  };
}

/** The faces that an API error points to, for example with `/Items/3/FaceId`. */
function namedBy({ errors }: Problem, decisions: readonly Decision[]): string[] {
  return errors.flatMap(({ pointer }) => {
    const at = /^\/Items\/(\d{1,3})\b/.exec(pointer)?.[1];
    return decisions[Number(at)]?.faceId ?? [];
  });
}
