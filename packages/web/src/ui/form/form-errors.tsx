import { useRef } from 'preact/hooks';
import type { RefObject } from 'preact';
import type { FieldErrors } from './field-errors.ts';
import { useText } from '../locale/locale.ts';
import { Notice } from '../layout/notice.tsx';

interface FormErrorsProps {
  form: RefObject<HTMLFormElement | null>;
  fields: FieldErrors;
  words: string | undefined;
  secondsLeft: number;
}

/** The errors above a form: an error that concerns no field, or, if several fields have errors, links to them. */
export function FormErrors({ form, fields, words, secondsLeft }: FormErrorsProps) {
  const text = useText();
  const box = useRef<HTMLDivElement>(null);
  if (words !== undefined) {
    return (
      <Notice meaning="danger" focusable={box}>
        <p>{words}</p>
        {secondsLeft > 0 && <p aria-live="off">{text('form.wait.long', { seconds: secondsLeft })}</p>}
      </Notice>
    );
  }
  if (fields.size < 2) return null;
  return (
    <Notice meaning="danger">
      <p>{text('form.several')}</p>
      <ul>
        {[...fields].map(([name, error]) => (
          <li key={name}>
            <a
              href={`#${inputOf(form.current, name)?.id}`}
              onClick={(event) => {
                event.preventDefault();
                inputOf(form.current, name)?.focus();
              }}
            >
              {inputOf(form.current, name)?.labels?.[0]?.textContent ?? name}: {error}
            </a>
          </li>
        ))}
      </ul>
    </Notice>
  );
}

function inputOf(form: HTMLFormElement | null, name: string): HTMLInputElement | null {
  return form?.querySelector<HTMLInputElement>(`[name="${name}"]`) ?? null;
}
