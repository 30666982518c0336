import { useId } from 'preact/hooks';
import fieldStyles from '../../ui/field.module.css';
import { Icon } from './icon.tsx';
import styles from './text-area.module.css';

interface TextAreaProps {
  label: string;
  hint: string;
  value: string;
  error?: string | undefined;
  rows?: number;
  onInput: (value: string) => void;
}

/** A field with several lines, with its label above and its error below. */
export function TextArea({ label, hint, value, error, rows = 6, onInput }: TextAreaProps) {
  const id = useId();
  return (
    <div class={fieldStyles['field']}>
      <label class={fieldStyles['label']} for={id}>
        {label}
      </label>
      <p class={fieldStyles['hint']} id={`${id}-hint`}>
        {hint}
      </p>
      <textarea
        class={[fieldStyles['input'], styles['area']].join(' ')}
        id={id}
        rows={rows}
        value={value}
        spellcheck={false}
        autocomplete="off"
        aria-describedby={error === undefined ? `${id}-hint` : `${id}-hint ${id}-error`}
        aria-invalid={error === undefined ? undefined : 'true'}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      {error !== undefined && (
        <p class={fieldStyles['error']} id={`${id}-error`} role="alert">
          <Icon name="alert" />
          <span>{error}</span>
        </p>
      )}
    </div>
  );
}
