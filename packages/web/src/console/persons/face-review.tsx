import { Notice } from '../../ui/layout/notice.tsx';
import { useQuery } from '../api/use-query.ts';
import { useLeaveWarning } from '../shell/leaving.ts';
import { useWords } from '../text.ts';
import { useFilters } from '../ui/table/filters.ts';
import { Pager } from '../ui/table/pager.tsx';
import { Empty, Loaded, ProblemBox } from '../ui/layout/state.tsx';
import { FaceTile } from './face-tile.tsx';
import type { Face, FaceType, Person } from './face-types.ts';
import styles from './faces.module.css';
import { NextToReview } from './next-to-review.tsx';
import { ReviewBar } from './review-bar.tsx';
import { useDecisions, type Decisions } from './use-decisions.ts';
import { useFaceKeys } from './use-face-keys.ts';

/** The number of faces per page. */
const PAGE = 50;

/** The faces of one type, page by page, and the reviewer's decisions about them. */
export function FaceReview({ person, type }: { person: Person; type: FaceType }) {
  const { values } = useFilters();
  const { cursor } = values;
  const result = useQuery('GET /person/{id}/{faceMatchType}', {
    path: { id: person.Id, faceMatchType: type },
    query: { limit: PAGE, ...(cursor && { cursor }) },
  });
  const decisions = useDecisions(person.Id);
  useLeaveWarning(decisions.pending.length > 0, useWords()('persons.unsaved'));
  return (
    <Loaded result={result}>
      {({ Items, NextCursor }) => (
        <>
          <Faces personId={person.Id} faces={Items} decisions={decisions} isOld={result.isOld} />
          <Pager next={NextCursor} />
        </>
      )}
    </Loaded>
  );
}

interface FacesProps {
  personId: string;
  faces: readonly Face[];
  decisions: Decisions;
  isOld: boolean;
}

function Faces({ personId, faces, decisions, isOld }: FacesProps) {
  const words = useWords();
  const { box, current, announcement, decide, lookAt, onKeyDown } = useFaceKeys(faces, decisions);
  const { pending, saved, fallen, problem } = decisions;
  return (
    <div ref={box} class={styles['review']} tabIndex={-1} onKeyDown={onKeyDown}>
      {(faces.length > 0 || pending.length > 0 || saved.length > 0) && (
        <ReviewBar decisions={decisions} canDecide={faces.length > 0} onDecide={decide} />
      )}
      {problem && <ProblemBox problem={problem} />}
      {fallen > 0 && <Notice meaning="warning">{words('persons.fallen', { count: fallen })}</Notice>}
      {faces.length === 0 ? (
        <Empty title={words('persons.faces.none')}>
          <NextToReview exceptId={personId} />
        </Empty>
      ) : (
        <ul class={styles['faces']} aria-label={words('persons.faces')} aria-busy={isOld}>
          {faces.map((face, place) => (
            <FaceTile
              key={face.Id}
              face={face}
              number={place + 1}
              isCurrent={place === current}
              decided={pending.find(({ faceId }) => faceId === face.Id)?.type}
              isFaulty={decisions.faulty.has(face.Id)}
              onFocus={() => lookAt(place)}
            />
          ))}
        </ul>
      )}
      <p class="only-read" role="status">
        {announcement}
      </p>
    </div>
  );
}
