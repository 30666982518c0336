import type { ClientErrorCode } from 'gatehouse-client';
import { type ComponentChildren, createContext, type RefObject } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import { type Explanations, type Problem, problemText } from './api.ts';
import { Button } from './button.tsx';
import styles from './form.module.css';
import { pageData, text } from './locale.ts';
import { Notice } from './notice.tsx';

export type FieldValues = Readonly<Record<string, string>>;

export interface FormProps {
  submit: string;
  busyWords?: string;
  kind?: 'primary' | 'danger';
  onSubmit: (values: FieldValues) => Promise<Problem | undefined>;
  explanations?: Explanations | undefined;
  /** The fields that some error codes are about, although the API names none. */
  at?: Readonly<Partial<Record<ClientErrorCode, string>>>;
  children?: ComponentChildren;
}

type Cancel = (() => void) | undefined;

/** Closes what the forms below stand in: each has a button for it. */
export const CancelContext = createContext<Cancel>(undefined);

/** A form with fields, one button and its errors. An error keeps what the user has typed. */
export function Form(props: FormProps) {
  const { submit, busyWords, kind = 'primary', onSubmit, explanations, at, children } = props;
  // Before the page's script runs, forms are disabled: the browser would submit them itself.
  const [isReady, setReady] = useState(false);
  useEffect(() => setReady(true), []);
  const cancel = useContext(CancelContext);
  const form = useRef<HTMLFormElement>(null);
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<Refusal>(NOTHING);
  const [secondsLeft, startWaiting] = useCountdown();
  useEffect(() => focusFirst(form.current, refusal), [refusal]);

  const send = async (): Promise<void> => {
    if (form.current === null || isBusy || secondsLeft > 0) return;
    const missing = inputsOf(form.current).filter(({ required, value }) => required && value.trim() === '');
    const words = text('fault.required');
    if (missing.length > 0) return setRefusal({ fields: new Map(missing.map(({ name }) => [name, words])) });
    setBusy(true);
    const typed = Object.fromEntries(new FormData(form.current)) as FieldValues; // no form asks for files
    const problem = await onSubmit(typed);
    setBusy(false);
    if (problem === undefined) return setRefusal(NOTHING);
    const fields = fieldErrorsOf(problem, namesOf(form.current), at);
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
      <FormErrors form={form} refusal={refusal} secondsLeft={secondsLeft} />
      <FieldErrorsContext.Provider value={refusal.fields}>{children}</FieldErrorsContext.Provider>
      <Actions cancel={cancel}>
        <Button
          type="submit"
          kind={kind}
          wide={cancel === undefined}
          busy={isBusy}
          busyWords={busyWords ?? text('form.busy')}
          waits={secondsLeft > 0}
          disabled={!isReady}
        >
          {secondsLeft > 0 ? text('form.wait', { seconds: secondsLeft }) : submit}
        </Button>
      </Actions>
    </form>
  );
}

/** The buttons at the end of a form or a dialog: the last one acts, and is filled. */
export function Actions({ cancel, children }: { cancel?: Cancel; children: ComponentChildren }) {
  return (
    <div class={styles['actions']}>
      {cancel && (
        <Button autofocus onClick={cancel}>
          {text('form.cancel')}
        </Button>
      )}
      {children}
    </div>
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

interface FormErrorsProps {
  form: RefObject<HTMLFormElement | null>;
  refusal: Refusal;
  secondsLeft: number;
}

/** The errors above a form: an error that concerns no field, or, if several fields have errors, links to them. */
function FormErrors({ form, refusal: { fields, words }, secondsLeft }: FormErrorsProps) {
  if (words !== undefined) {
    return (
      <Notice meaning="danger" focusable>
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
        {[...fields].map(([name, error]) => {
          const input = form.current?.querySelector<HTMLInputElement>(`[name="${name}"]`);
          const focus = (event: Event): void => {
            event.preventDefault();
            input?.focus();
          };
          return (
            <li key={name}>
              <a href={`#${input?.id}`} onClick={focus}>
                {input?.labels?.[0]?.textContent ?? name}: {error}
              </a>
            </li>
          );
        })}
      </ul>
    </Notice>
  );
}

type FieldErrors = ReadonlyMap<string, string>;

const FieldErrorsContext = createContext<FieldErrors>(new Map());

export function useFieldError(name: string): string | undefined {
  return useContext(FieldErrorsContext).get(name);
}

/** The errors of the fields that the form has. The form itself shows all others. */
function fieldErrorsOf(problem: Problem, names: readonly string[], at: FormProps['at'] = {}): FieldErrors {
  const found = new Map<string, string>();
  const { code: whole } = problem;
  const errors =
    at[whole] === undefined ? problem.errors : [{ pointer: `/${at[whole]}`, code: whole, message: '' }];
  for (const { pointer, code, message } of errors) {
    const name = pointer.split('/')[1] ?? '';
    if (!names.includes(name) || found.has(name)) continue;
    const own = problem.reason === undefined ? '' : `${message.charAt(0).toUpperCase()}${message.slice(1)}`;
    // A code without words of its own says less than the API does to administrators.
    const said = code === 'malformed' ? undefined : pageData.Messages[`fault.${code}`];
    found.set(name, said ?? (own || text('fault.malformed')));
  }
  return found;
}

/** Counts down the seconds passed to `start`. It reads the clock, so that a suspended tab does not delay it. */
export function useCountdown(): [left: number, start: (seconds: number) => void] {
  const [endsAt, setEndsAt] = useState(0);
  const [now, setNow] = useState(0);
  const left = Math.max(0, Math.ceil((endsAt - now) / 1000));
  useEffect(() => {
    if (left === 0) return undefined;
    const timer = setTimeout(() => setNow(Date.now()), 250);
    return () => clearTimeout(timer);
  }, [left, now]);
  return [
    left,
    (seconds) => {
      setNow(Date.now());
      setEndsAt(Date.now() + seconds * 1000);
    },
  ];
}
