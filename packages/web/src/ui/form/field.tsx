import type { ComponentChildren, InputHTMLAttributes } from 'preact';
import { useId } from 'preact/hooks';
import { AlertIcon } from '../icon.tsx';
import styles from './field.module.css';
import { useFieldError } from './field-errors.ts';

export interface FieldProps extends Pick<
  InputHTMLAttributes,
  | 'inputMode'
  | 'autocomplete'
  | 'autocapitalize'
  | 'spellcheck'
  | 'defaultValue'
  | 'required'
  | 'onInput'
  | 'onFocus'
> {
  type?: 'text' | 'email' | 'password' | 'datetime-local';
  /** The name in the request, which is also used in the API's pointers. */
  name: string;
  label: string;
  hint?: ComponentChildren;
  /** An element at the end of the field, on the same line. */
  action?: ComponentChildren;
  /** Whether the value is a code, which is read character by character. */
  code?: boolean;
  /** The ids of other elements that describe the field. */
  describedBy?: string;
}

/** A field with its label above and its error below. */
export function Field({ name, label, hint, action, code, describedBy, type = 'text', ...input }: FieldProps) {
  const error = useFieldError(name);
  const id = useId();
  const parts = [hint !== undefined && `${id}-hint`, describedBy, error && `${id}-error`].filter(Boolean);
  return (
    <div class={styles['field']}>
      <label class={styles['label']} for={id}>
        {label}
      </label>
      {hint !== undefined && (
        <p class={styles['hint']} id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <div class={styles['line']}>
        <input
          {...input}
          {...(code && CODE)}
          // Preact has a separate attribute type for each input type; those used here are the same for all of them.
          // oxlint-disable-next-line typescript/no-unnecessary-type-assertion -- tsc does not take it without
          type={type as 'text'}
          {...(type === 'datetime-local' && { step: 1 })}
          class={[styles['input'], code && styles['code'], action && styles['withAction']]
            .filter(Boolean)
            .join(' ')}
          id={id}
          name={name}
          aria-describedby={parts.length > 0 ? parts.join(' ') : undefined}
          aria-invalid={error ? 'true' : undefined}
        />
        {action}
      </div>
      {error && (
        <p class={styles['error']} id={`${id}-error`}>
          <AlertIcon size={16} />
          <span>{error}</span>
        </p>
      )}
    </div>
  );
}

const CODE = { autocapitalize: 'characters', spellcheck: false } as const;
