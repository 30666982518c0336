import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Problem } from '../api/api.ts';
import { Button } from './button.tsx';
import { useCountdown } from '../countdown.ts';
import { fieldErrorsOf, FieldErrorsContext, type FieldErrors, type FieldsByCode } from './field-errors.ts';
import { FormErrors } from './form-errors.tsx';
import styles from './form.module.css';
import { useText } from '../locale/locale.ts';
import { problemText, type Explanations } from '../api/problem-text.ts';

/** The values of the fields, by name. */
export type FieldValues = Readonly<Record<string, string>>;

interface FormProps {
  /** The label of the submit button. */
  submit: string;
  /** Its words while the form is being sent. */
  busyWords?: string;
  kind?: 'primary' | 'danger';
  /** Submits; errors are shown next to their fields and above the form. */
  onSubmit: (values: FieldValues) => Promise<Problem | undefined>;
  explanations?: Explanations;
  /** The fields that some error codes are about, although the API names none. */
  at?: FieldsByCode;
  children?: ComponentChildren;
}

/** A form with fields, one button and its errors. An error keeps what the user has typed. */
export function Form(props: FormProps) {
  const { submit, busyWords, kind = 'primary', onSubmit, explanations, at, children } = props;
  const text = useText();
  const isReady = useReady();
  const form = useRef<HTMLFormElement>(null);
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<Refusal>(NOTHING);
  const [secondsLeft, startWaiting] = useCountdown();
  useEffect(() => focusFirst(form.current, refusal), [refusal]);

  const send = async (): Promise<void> => {
    if (form.current === null || isBusy || secondsLeft > 0) return;
    const missing = missingFields(form.current, text('fault.required'));
    if (missing.size > 0) return setRefusal({ fields: missing });
    setBusy(true);
    const problem = await onSubmit(valuesOf(form.current));
    setBusy(false);
    if (problem === undefined) return setRefusal(NOTHING);
    const fields = fieldErrorsOf(problem, namesOf(form.current), text, at);
    startWaiting(problem.retryAfterSeconds ?? 0);
    setRefusal({ fields, ...(fields.size === 0 && { words: problemText(problem, text, explanations) }) });
  };

  return (
    <form
      ref={form}
      class={styles['form']}
      method="post"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <FormErrors form={form} fields={refusal.fields} words={refusal.words} secondsLeft={secondsLeft} />
      <FieldErrorsContext.Provider value={refusal.fields}>{children}</FieldErrorsContext.Provider>
      <Button
        type="submit"
        kind={kind}
        wide
        busy={isBusy}
        busyWords={busyWords ?? text('form.busy')}
        waits={secondsLeft > 0}
        disabled={!isReady}
      >
        {secondsLeft > 0 ? text('form.wait', { seconds: secondsLeft }) : submit}
      </Button>
    </form>
  );
}

interface Refusal {
  fields: FieldErrors;
  words?: string;
}

const NOTHING: Refusal = { fields: new Map() };

function focusFirst(form: HTMLFormElement | null, { fields, words }: Refusal): void {
  const [first] = namesOf(form).filter((name) => fields.has(name));
  const target = first === undefined ? words && '[role=alert]' : `[name="${first}"]`;
  if (target) form?.querySelector<HTMLElement>(target)?.focus();
}

function inputsOf(form: HTMLFormElement | null): HTMLInputElement[] {
  return [...(form?.querySelectorAll('input') ?? [])];
}

function namesOf(form: HTMLFormElement | null): string[] {
  return inputsOf(form).map(({ name }) => name);
}

function valuesOf(form: HTMLFormElement): FieldValues {
  const entries = [...new FormData(form)].map(([name, value]) => [
    name,
    typeof value === 'string' ? value : '',
  ]);
  return Object.fromEntries(entries) as FieldValues; // the values are strings, as mapped above
}

function missingFields(form: HTMLFormElement, words: string): FieldErrors {
  const missing = inputsOf(form).filter(({ required, value }) => required && value.trim() === '');
  return new Map(missing.map(({ name }) => [name, words]));
}

/** Whether the page's script is running. Before that, forms are disabled: the browser would submit them itself. */
function useReady(): boolean {
  const [isReady, setReady] = useState(false);
  useEffect(() => setReady(true), []);
  return isReady;
}
