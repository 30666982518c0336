import type { ComponentChildren, InputHTMLAttributes } from 'preact';
import { useId, useState } from 'preact/hooks';
import checkboxStyles from './checkbox.module.css';
import fieldStyles from './field.module.css';
import { useFieldError } from './form.tsx';
import { Icon } from './icon.tsx';
import { pageData, text } from './locale.ts';
import passwordFieldStyles from './password-field.module.css';
import selectStyles from './select.module.css';

export interface FieldProps extends Omit<InputHTMLAttributes, 'type' | 'name' | 'list' | 'role'> {
  type?: 'text' | 'email' | 'password' | 'datetime-local';
  /** The name in the request, which is also used in the API's pointers. */
  name: string;
  label: string;
  hint?: ComponentChildren;
  action?: ComponentChildren;
  /** Whether the value is a code, which is read character by character. */
  code?: boolean;
  describedBy?: string;
}

export function Field({ name, label, hint, action, code, describedBy, type = 'text', ...input }: FieldProps) {
  const error = useFieldError(name);
  const id = useId();
  const parts = [hint !== undefined && `${id}-hint`, describedBy, error && `${id}-error`].filter(Boolean);
  return (
    <div class={fieldStyles['field']}>
      <label class={fieldStyles['label']} for={id}>
        {label}
      </label>
      {hint !== undefined && (
        <p class={fieldStyles['hint']} id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <div class={fieldStyles['line']}>
        <input
          {...input}
          {...(code && CODE)}
          // Preact has a separate attribute type for each input type; those used here are the same for all of them.
          // oxlint-disable-next-line typescript/no-unnecessary-type-assertion -- tsc does not take it without
          type={type as 'text'}
          {...(type === 'datetime-local' && { step: 1 })}
          class={[fieldStyles['input'], code && fieldStyles['code'], action && fieldStyles['withAction']]
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
        <p class={fieldStyles['error']} id={`${id}-error`}>
          <Icon name="alert" size={16} />
          <span>{error}</span>
        </p>
      )}
    </div>
  );
}

const CODE = { autocapitalize: 'characters', spellcheck: false } as const;

/** A field for a code that must be typed, by default one of the authenticator app or what stands in for it. */
export function CodeField(field: Pick<FieldProps, 'label'> & Partial<FieldProps>) {
  return <Field name="TwoFactorCode" code autocomplete="one-time-code" required {...field} />;
}

interface PasswordFieldProps extends Partial<Pick<FieldProps, 'name' | 'label' | 'required' | 'autofocus'>> {
  /** `new` shows the missing requirements while the user types. */
  purpose: 'current' | 'new';
}

export function PasswordField({ name = 'Password', purpose, ...field }: PasswordFieldProps) {
  const { PasswordMinLength } = pageData;
  const [isShown, setShown] = useState(false);
  const [length, setLength] = useState(0);
  const isNew = purpose === 'new';
  const rule = useId();
  const isLong = length >= PasswordMinLength;
  // A long password may be refused for another reason: a tick beside the error would contradict it.
  const isMet = useFieldError(name) === undefined && isLong;
  return (
    <div class={passwordFieldStyles['password']}>
      <Field
        name={name}
        label={text('field.password')}
        type={isShown ? 'text' : 'password'}
        autocomplete={isNew ? 'new-password' : 'current-password'}
        spellcheck={false}
        autocapitalize="none"
        required
        {...field}
        {...(isNew && {
          describedBy: rule,
          onInput: ({ currentTarget }) => setLength(lengthOf(currentTarget.value)),
        })}
        action={
          <button
            type="button"
            class={passwordFieldStyles['show']}
            aria-label={text(isShown ? 'password.hide.label' : 'password.show.label')}
            onClick={() => setShown(!isShown)}
          >
            {text(isShown ? 'password.hide' : 'password.show')}
          </button>
        }
      />
      {isNew && (
        <p
          class={[passwordFieldStyles['rule'], isMet && passwordFieldStyles['met']].filter(Boolean).join(' ')}
          id={rule}
        >
          {isMet ? <Icon name="check" size={16} /> : <Icon name="circle" size={16} />}
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

interface SelectProps {
  name: string;
  label: string;
  defaultValue: string;
  options: readonly { value: string; words: string; lang?: string }[];
  onChange?: (value: string) => void;
}

export function Select({ name, label, defaultValue, options, onChange }: SelectProps) {
  const id = useId();
  return (
    <div class={fieldStyles['field']}>
      <label class={fieldStyles['label']} for={id}>
        {label}
      </label>
      <select
        class={selectStyles['select']}
        id={id}
        name={name}
        {...(onChange && { onChange: (event) => onChange(event.currentTarget.value) })}
      >
        {options.map(({ value, words, lang }) => (
          <option key={value} value={value} lang={lang} selected={value === defaultValue}>
            {words}
          </option>
        ))}
      </select>
    </div>
  );
}

interface CheckboxProps {
  name: string;
  children: ComponentChildren;
  checked?: boolean;
  onChange?: (isChecked: boolean) => void;
}

export function Checkbox({ name, children, checked = false, onChange }: CheckboxProps) {
  return (
    <label class={checkboxStyles['label']}>
      <input
        class={checkboxStyles['box']}
        type="checkbox"
        name={name}
        value="on"
        defaultChecked={checked}
        {...(onChange && { onChange: (event) => onChange(event.currentTarget.checked) })}
      />
      <span>{children}</span>
    </label>
  );
}
