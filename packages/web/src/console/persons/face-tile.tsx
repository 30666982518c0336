import { usePageData } from '../../ui/api/page-data.ts';
import { useWords, useWordsFor } from '../text.ts';
import { Badge, type Meaning } from '../ui/badge.tsx';
import { Icon } from '../ui/icon.tsx';
import { Time } from '../ui/time.tsx';
import type { Face, FaceType } from './face-types.ts';
import styles from './faces.module.css';

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

/** A face, its similarity to the person, and the reviewer's decision about it. */
export function FaceTile({ face, number, isCurrent, decided, isFaulty, onFocus }: FaceTileProps) {
  const words = useWords();
  const wordsFor = useWordsFor();
  const { Locale } = usePageData();
  const percent = new Intl.NumberFormat(Locale, { style: 'percent' }).format(face.Similarity);
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
        class={[styles['tile'], isCurrent && styles['current'], isFaulty && styles['faulty']]
          .filter(Boolean)
          .join(' ')}
        tabIndex={isCurrent ? 0 : -1}
        aria-label={label.filter(Boolean).join(', ')}
        onFocus={onFocus}
      >
        <FaceImage face={face} />
        {decided && (
          <span class={styles['decided']}>
            <Badge meaning={MEANINGS[decided] ?? 'information'}>{wordsFor('faceType', decided)}</Badge>
          </span>
        )}
      </button>
      <span class={styles['caption']}>
        {percent} · <Time at={face.CapturedAt} />
      </span>
      <ImageLink face={face} number={number} />
    </li>
  );
}

/** The image if the Content-Security-Policy allows its origin (`FACE_IMAGE_ORIGINS`), else an icon. */
function FaceImage({ face }: { face: Face }) {
  const origins = useOrigins();
  const url = addressOf(face);
  if (url !== undefined && origins.includes(url.origin)) {
    return <img class={styles['image']} src={url.href} alt="" loading="lazy" referrerpolicy="no-referrer" />;
  }
  return (
    <span class={styles['placeholder']}>
      <Icon name="persons" size={20} />
    </span>
  );
}

/** A link to an image that the page may not show. */
function ImageLink({ face, number }: { face: Face; number: number }) {
  const words = useWords();
  const origins = useOrigins();
  const url = addressOf(face);
  if (url === undefined || origins.includes(url.origin)) return null;
  return (
    <a class={styles['link']} href={url.href} target="_blank" rel="noopener noreferrer">
      {words('persons.face.image')} <span class="only-read">{number}</span>
    </a>
  );
}

function useOrigins(): readonly string[] {
  return usePageData().FaceImageOrigins ?? [];
}

/** The image's URL, only if it is http or https: the reported URL may be anything. */
function addressOf({ ImageUrl }: Face): URL | undefined {
  if (ImageUrl === null || !URL.canParse(ImageUrl)) return undefined;
  const url = new URL(ImageUrl);
  return url.protocol === 'https:' || url.protocol === 'http:' ? url : undefined;
}
