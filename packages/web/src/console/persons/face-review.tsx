import { useLocation } from 'preact-iso';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Button, type ButtonProps } from '../../ui/button.tsx';
import { formatted, pageData } from '../../ui/locale.ts';
import { Notice } from '../../ui/notice.tsx';
import { type CallApi, useConsole, useQuery } from '../api/call-api.ts';
import { useLeaveWarning } from '../shell/leaving.ts';
import { words, wordsFor } from '../text.ts';
import { useFilters } from '../ui/filters.ts';
import { Icon } from '../ui/icon.tsx';
import { Empty, Loaded, ProblemBox } from '../ui/screen-page.tsx';
import { Pager } from '../ui/table.tsx';
import { Badge, type Meaning, Time } from '../ui/values.tsx';
import { DECISIONS, type Decisions, type Face, type FaceType, useDecisions } from './decisions.ts';
import styles from './faces.module.css';

const PAGE = 50;

export function FaceReview({ personId, type }: { personId: string; type: FaceType }) {
  const { cursor } = useFilters().values;
  const result = useQuery('GET /person/{id}/{faceMatchType}', {
    path: { id: personId, faceMatchType: type },
    query: { limit: PAGE, ...(cursor && { cursor }) },
  });
  const decisions = useDecisions(personId);
  useLeaveWarning(decisions.pending.length > 0, words('persons.unsaved'));
  return (
    <Loaded result={result}>
      {(page) => (
        <>
          <Faces personId={personId} faces={page.Items} decisions={decisions} isOld={result.isOld} />
          <Pager {...page} />
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

/** Keyboard control of the review. The keys work only while the focus is in the review area (WCAG 2.2, 2.1.4). */
function useFaceKeys(faces: readonly Face[], decisions: Decisions) {
  const box = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState(0);
  const [announcement, setAnnouncement] = useState('');
  const current = Math.min(at, Math.max(0, faces.length - 1));
  const focusOn = (place: number): void => {
    setAt(place);
    (tilesIn(box.current)[place] ?? box.current)?.focus();
  };
  // A new list of faces starts at its first face; a reload of the same list keeps the position.
  useEffect(() => {
    const { activeElement } = document;
    if (activeElement === document.body || box.current?.contains(activeElement)) focusOn(0);
    else setAt(0);
  }, [faces.map(({ Id }) => Id).join()]);
  const decide = (type: FaceType): void => {
    const face = faces[current];
    if (face === undefined) return;
    decisions.decide(face, type);
    setAnnouncement(`${words('persons.face', { number: current + 1 })}: ${wordsFor('faceType', type)}`);
    focusOn(Math.min(current + 1, faces.length - 1));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const place = placeAfter(event.key, current, tilesIn(box.current));
    const decided = DECISIONS.find(([key]) => key === event.key)?.[1];
    if (place !== undefined) focusOn(place);
    else if (decided !== undefined) decide(decided);
    else if (event.key === 'u') void decisions.undo();
    else if (event.key === 's') void decisions.save();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return { box, current, announcement, decide, lookAt: setAt, onKeyDown };
}

function tilesIn(box: HTMLElement | null): HTMLElement[] {
  return [...(box?.querySelectorAll<HTMLElement>('button[data-face]') ?? [])];
}

/** The index of the tile to which a key moves the focus, from the tile at `at`; `undefined` for other keys. */
function placeAfter(key: string, at: number, tiles: readonly HTMLElement[]): number | undefined {
  const tops = tiles.map((tile) => Math.round(tile.getBoundingClientRect().top));
  const firstOfSecondRow = tops.findIndex((top) => top !== tops[0]);
  const columns = firstOfSecondRow === -1 ? tiles.length : firstOfSecondRow;
  const places: Readonly<Record<string, number>> = {
    ArrowLeft: at - 1,
    ArrowRight: at + 1,
    ArrowUp: at - columns,
    ArrowDown: at + columns,
    Home: 0,
    End: tiles.length - 1,
  };
  const place = Object.hasOwn(places, key) ? places[key] : undefined;
  if (place === undefined) return undefined;
  return place < 0 || place >= tiles.length ? at : place;
}

interface ReviewBarProps {
  decisions: Decisions;
  canDecide: boolean;
  onDecide: (type: FaceType) => void;
}

function ReviewBar({ decisions, canDecide, onDecide }: ReviewBarProps) {
  const { pending, saved, isSaving, undo, save } = decisions;
  const count = pending.length;
  return (
    <div class={styles['bar']} role="group" aria-label={words('persons.review')}>
      {DECISIONS.map(([key, type]) => (
        <KeyButton key={key} letter={key} disabled={!canDecide} onClick={() => onDecide(type)}>
          {wordsFor('persons.decide', type)}
        </KeyButton>
      ))}
      <KeyButton letter="u" disabled={count === 0 && saved.length === 0} onClick={() => void undo()}>
        {words('persons.undo')}
      </KeyButton>
      <span class={styles['standing']} role="status">
        {count > 0 && words('persons.pending', { count })}
        {count === 0 && saved.length > 0 && words('persons.decided', { count: saved.length })}
      </span>
      <KeyButton letter="s" kind="primary" busy={isSaving} disabled={count === 0} onClick={() => void save()}>
        {words('persons.save')}
      </KeyButton>
    </div>
  );
}

function KeyButton({ letter, ...button }: ButtonProps & { letter: string }) {
  return <Button aria-keyshortcuts={letter} icon={<kbd aria-hidden="true">{letter}</kbd>} {...button} />;
}

interface FaceTileProps {
  face: Face;
  number: number;
  /** The face that keys decide about. Only this tile can be reached with Tab, the others with the arrow keys. */
  isCurrent: boolean;
  /** The type of the face according to the decision that is not saved yet. */
  decided: FaceType | undefined;
  isFaulty: boolean;
  onFocus: () => void;
}

const MEANINGS: Partial<Record<FaceType, Meaning>> = { 4: 'success', 3: 'danger', 5: 'neutral' };

function FaceTile({ face, number, isCurrent, decided, isFaulty, onFocus }: FaceTileProps) {
  const url = addressOf(face);
  // The Content-Security-Policy allows images of these origins only.
  const isShown = url !== undefined && pageData.FaceImageOrigins?.includes(url.origin) === true;
  const percent = formatted(face.Similarity, { style: 'percent' });
  const label = [
    words('persons.face', { number }),
    words('persons.face.like', { percent }),
    decided && wordsFor('faceType', decided),
    isFaulty && words('persons.face.faulty'),
  ];
  return (
    <li class={styles['item']}>
      <button
        type="button"
        data-face
        data-faulty={isFaulty}
        class={styles['tile']}
        tabIndex={isCurrent ? 0 : -1}
        aria-label={label.filter(Boolean).join(', ')}
        onFocus={onFocus}
      >
        {isShown ? (
          <img class={styles['image']} src={url.href} alt="" loading="lazy" referrerpolicy="no-referrer" />
        ) : (
          <span class={styles['placeholder']}>
            <Icon name="persons" size={20} />
          </span>
        )}
        {decided && (
          <span class={styles['decided']}>
            <Badge meaning={MEANINGS[decided] ?? 'information'}>{wordsFor('faceType', decided)}</Badge>
          </span>
        )}
      </button>
      <span class={styles['caption']}>
        {percent} · <Time at={face.CapturedAt} />
      </span>
      {url && !isShown && (
        <a class={styles['link']} href={url.href} target="_blank" rel="noopener noreferrer">
          {words('persons.face.image')} <span class="only-read">{number}</span>
        </a>
      )}
    </li>
  );
}

/** The image's URL, only if it is http or https: the reported URL may be anything. */
function addressOf({ ImageUrl }: Face): URL | undefined {
  if (ImageUrl === null || !URL.canParse(ImageUrl)) return undefined;
  const url = new URL(ImageUrl);
  return url.protocol === 'https:' || url.protocol === 'http:' ? url : undefined;
}

const READ_AT_ONCE = 200;
/** Limits the search: if this many answers contain no faces to review, searching by name is better. */
const READS_MAX = 10;

export function NextToReview({ exceptId }: { exceptId?: string }) {
  const { callApi, toast } = useConsole();
  const { route } = useLocation();
  const go = async (): Promise<void> => {
    const id = await findNext(callApi, exceptId);
    if (id === undefined) toast(words('persons.review.nobody'));
    else route(`/console/persons/${id}`);
  };
  return (
    <Button onClick={go}>{words(exceptId === undefined ? 'persons.review' : 'persons.review.next')}</Button>
  );
}

async function findNext(callApi: CallApi, exceptId: string | undefined): Promise<string | undefined> {
  let cursor: string | undefined;
  for (let read = 0; read < READS_MAX; read += 1) {
    const result = await callApi('GET /person', {
      query: { limit: READ_AT_ONCE, ...(cursor && { cursor }) },
    });
    if (!result.ok) return undefined;
    const found = result.value.Items.find(
      ({ Id, FaceMatchCounts }) => Id !== exceptId && FaceMatchCounts.ProbableMatch > 0,
    );
    if (found !== undefined) return found.Id;
    cursor = result.value.NextCursor;
    if (cursor === undefined) return undefined;
  }
  return undefined;
}
