import { useId, useState } from 'preact/hooks';
import { Field } from './field.tsx';
import { useFieldError } from './field-errors.ts';
import { CheckIcon, CircleIcon } from '../icon.tsx';
import { useText } from '../locale/locale.ts';
import { usePageData } from '../api/page-data.ts';
import styles from './password-field.module.css';

interface PasswordFieldProps {
  name: string;
  label: string;
  /** `new` shows the missing requirements while the user types. */
  purpose: 'current' | 'new';
  /** `true` unless given. */
  required?: boolean;
}

/** A password field. The user can make the password visible. */
export function PasswordField({ name, label, purpose, required = true }: PasswordFieldProps) {
  const text = useText();
  const { PasswordMinLength } = usePageData();
  const [isShown, setShown] = useState(false);
  const [length, setLength] = useState(0);
  const isNew = purpose === 'new';
  const rule = useId();
  const isLong = length >= PasswordMinLength;
  // A long password may be refused for another reason: a tick beside the error would contradict it.
  const isMet = useFieldError(name) === undefined && isLong;
  return (
    <div class={styles['password']}>
      <Field
        name={name}
        label={label}
        type={isShown ? 'text' : 'password'}
        autocomplete={isNew ? 'new-password' : 'current-password'}
        spellcheck={false}
        autocapitalize="none"
        required={required}
        {...(isNew && {
          describedBy: rule,
          onInput: ({ currentTarget }) => setLength(lengthOf(currentTarget.value)),
        })}
        action={
          <button
            type="button"
            class={styles['show']}
            aria-label={text(isShown ? 'password.hide.label' : 'password.show.label')}
            onClick={() => setShown(!isShown)}
          >
            {text(isShown ? 'password.hide' : 'password.show')}
          </button>
        }
      />
      {isNew && (
        <p class={[styles['rule'], isMet && styles['met']].filter(Boolean).join(' ')} id={rule}>
          {isMet ? <CheckIcon size={16} /> : <CircleIcon size={16} />}
          <span>
            {length === 0 || isLong
              ? text('password.rule')
              : text('password.missing', { count: PasswordMinLength - length })}
          </span>
        </p>
      )}
    </div>
  );
}

/** The length in characters as the API counts them (RFC 8265 §4.2, code points). */
function lengthOf(password: string): number {
  return Array.from(password.normalize('NFC')).length;
}
