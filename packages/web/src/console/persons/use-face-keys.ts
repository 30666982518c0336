import { useEffect, useRef, useState } from 'preact/hooks';
import { useWords, useWordsFor } from '../text.ts';
import { DECISIONS, type Face, type FaceType } from './face-types.ts';
import type { Decisions } from './use-decisions.ts';

/** Keyboard control of the review. The keys work only while the focus is in the review area (WCAG 2.2, 2.1.4). */
export function useFaceKeys(faces: readonly Face[], decisions: Decisions) {
  const words = useWords();
  const wordsFor = useWordsFor();
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
  const firstOfSecondRow = tiles.findIndex((tile) => topOf(tile) !== topOf(tiles[0]));
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

function topOf(tile: HTMLElement | undefined): number | undefined {
  return tile && Math.round(tile.getBoundingClientRect().top);
}
