import { Button } from '../../ui/form/button.tsx';
import { useWords, useWordsFor } from '../text.ts';
import { DECISIONS, type FaceType } from './face-types.ts';
import styles from './faces.module.css';
import type { Decisions } from './use-decisions.ts';

interface ReviewBarProps {
  decisions: Decisions;
  canDecide: boolean;
  /** Called with a decision about the current face. */
  onDecide: (type: FaceType) => void;
}

/** The possible decisions, each with its key, and the number of decisions not saved yet. */
export function ReviewBar({ decisions, canDecide, onDecide }: ReviewBarProps) {
  const words = useWords();
  const wordsFor = useWordsFor();
  const { pending, saved, isSaving, undo, save } = decisions;
  const count = pending.length;
  return (
    <div class={styles['bar']} role="group" aria-label={words('persons.review')}>
      {DECISIONS.map(([key, type]) => (
        <Button
          key={key}
          aria-keyshortcuts={key}
          icon={<Key name={key} />}
          disabled={!canDecide}
          onClick={() => onDecide(type)}
        >
          {wordsFor('persons.decide', type)}
        </Button>
      ))}
      <Button
        aria-keyshortcuts="u"
        icon={<Key name="u" />}
        disabled={count === 0 && saved.length === 0}
        onClick={() => void undo()}
      >
        {words('persons.undo')}
      </Button>
      <span class={styles['standing']} role="status">
        {count > 0 && words('persons.pending', { count })}
        {count === 0 && saved.length > 0 && words('persons.decided', { count: saved.length })}
      </span>
      <Button
        kind="primary"
        aria-keyshortcuts="s"
        icon={<Key name="s" />}
        busy={isSaving}
        disabled={count === 0}
        onClick={() => void save()}
      >
        {words('persons.save.decisions')}
      </Button>
    </div>
  );
}

function Key({ name }: { name: string }) {
  return <kbd aria-hidden="true">{name}</kbd>;
}
