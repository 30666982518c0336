import { useId } from 'preact/hooks';
import { useFieldError } from './field-errors.ts';
import fieldStyles from './field.module.css';
import styles from './select.module.css';

interface SelectProps {
  name: string;
  label: string;
  defaultValue: string;
  options: readonly { value: string; words: string; lang?: string }[];
  /** Called with the chosen value. */
  onChange?: (value: string) => void;
}

/** A select field with the browser's own menu. */
export function Select({ name, label, defaultValue, options, onChange }: SelectProps) {
  const error = useFieldError(name);
  const id = useId();
  return (
    <div class={fieldStyles['field']}>
      <label class={fieldStyles['label']} for={id}>
        {label}
      </label>
      <select
        class={styles['select']}
        id={id}
        name={name}
        aria-describedby={error ? `${id}-error` : undefined}
        aria-invalid={error ? 'true' : undefined}
        {...(onChange && { onChange: (event) => onChange(event.currentTarget.value) })}
      >
        {options.map(({ value, words, lang }) => (
          <option key={value} value={value} lang={lang} selected={value === defaultValue}>
            {words}
          </option>
        ))}
      </select>
      {error && (
        <p class={fieldStyles['error']} id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}
