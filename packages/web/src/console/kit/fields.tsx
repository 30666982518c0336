import type { ComponentChildren } from 'preact';
import { Checkbox, Field, type FieldProps, Select } from '../../ui/fields.tsx';
import type { FieldValues } from '../../ui/form.tsx';
import { pageData } from '../../ui/locale.ts';
import { nameOfLanguage } from '../../ui/page.tsx';
import { type TextKey, words } from '../text.ts';
import { labelsIn, listIn, localTime, momentOf } from '../ui/typed.ts';

/** A field of a form about an `R`: how it is shown, and the value `V` that a request gets from what was typed. */
export interface FormField<R = unknown, N extends string = string, V = unknown> {
  name: N;
  /** Whether the form has it, for example only for some kinds of `R`. */
  if?: (row: R) => boolean;
  /** What stands in it at first, as it would be typed. */
  initial: (row: R) => string;
  Show: (props: { initial: string; row: R }) => ComponentChildren;
  /** `undefined`: the request does not get the field. `all`: what the form holds, for a field of several inputs. */
  read: (typed: string | undefined, row: R, all: FieldValues) => V;
}

/** The body of a request from these fields. Those that may be `undefined` are optional. */
export type BodyOf<F extends readonly FormField<never>[]> = {
  [E in F[number] as undefined extends ReturnType<E['read']> ? never : E['name']]: ReturnType<E['read']>;
} & {
  [E in F[number] as undefined extends ReturnType<E['read']> ? E['name'] : never]?: Exclude<
    ReturnType<E['read']>,
    undefined
  >;
};

export function fieldsFor<R, F extends readonly FormField<R>[]>(fields: F, row: R): readonly F[number][] {
  return fields.filter((field) => field.if?.(row) ?? true);
}

/** The values of these fields; with `isChange` only those that were changed. */
export function bodyOf<R, const F extends readonly FormField<R>[]>(
  fields: F,
  typed: FieldValues,
  row: R,
  isChange = false,
): BodyOf<F> {
  const read = fieldsFor(fields, row)
    .filter(({ name, initial }) => !isChange || (typed[name] ?? '') !== initial(row))
    .map((field) => [field.name, field.read(typed[field.name], row, typed)] as const)
    .filter(([, value]) => value !== undefined);
  return Object.fromEntries(read) as BodyOf<F>; // by name what each field reads
}

/** The body that undoes a change of these fields: what those that were changed held before. */
export function formerOf<R, const F extends readonly FormField<R>[]>(fields: F, typed: FieldValues, row: R) {
  const changed = fields.filter(({ name, initial }) => (typed[name] ?? '') !== initial(row));
  const former = changed.map(({ name, initial }) => [name, initial(row)] as const);
  const filled = Object.fromEntries(former.filter(([, value]) => value !== ''));
  return bodyOf(changed, filled, row) as BodyOf<F>; // by name what some of these fields read
}

interface Own<R> {
  label: TextKey;
  hint?: TextKey;
  if?: (row: R) => boolean;
}

/** What an object has under the name of a field: what a form that changes it begins with. */
function valueIn(row: unknown, name: string): unknown {
  return typeof row === 'object' && row !== null ? Reflect.get(row, name) : undefined;
}

function textIn(row: unknown, name: string): string {
  const value = valueIn(row, name);
  return typeof value === 'string' ? value : '';
}

type InputProps = Pick<FieldProps, 'autocomplete' | 'spellcheck' | 'inputMode' | 'type'>;

/** A line of text, without spaces around it. It is required, unless `empty` says what an empty one means. */
export function text<N extends string, R = unknown, E extends '' | null | undefined = never>(
  name: N,
  own: Own<R> & InputProps & { empty?: E; initial?: (row: R) => string | null },
): FormField<R, N, string | E> {
  const { label, hint, initial, empty, if: offered, ...input } = own;
  return {
    name,
    ...(offered && { if: offered }),
    initial: (row) => (initial ? (initial(row) ?? '') : textIn(row, name)),
    Show: (props) => (
      <Field
        name={name}
        label={words(label)}
        {...(hint && { hint: words(hint) })}
        autocomplete="off"
        {...input}
        defaultValue={props.initial}
        required={!('empty' in own)}
      />
    ),
    read: (typed = '') => (typed.trim() === '' && 'empty' in own ? (empty as E) : typed.trim()),
  };
}

/** Several values in a line, separated by commas or spaces; `as` makes what the request gets of them. */
export function list<N extends string, R = unknown, V = string[]>(
  name: N,
  own: Own<R> & {
    initial?: (row: R) => readonly string[];
    separator?: ', ' | ' ';
    /** The values are separated by commas only, because they may contain spaces. */
    isSpaced?: boolean;
    as?: (values: string[]) => V;
  },
): FormField<R, N, V> {
  const { initial, separator = ', ', isSpaced = false, as, ...shown } = own;
  return {
    ...text<N, R, ''>(name, { ...shown, spellcheck: false, empty: '' }),
    initial: (row) => {
      const value = initial ? initial(row) : valueIn(row, name);
      return Array.isArray(value) ? value.join(separator) : '';
    },
    read: (typed = '') => {
      const values = isSpaced ? labelsIn(typed) : listIn(typed);
      return as ? as(values) : (values as V); // without `as`, V is string[]
    },
  };
}

/** One of several values. `as` makes what the request gets of the chosen one. */
export function choice<N extends string, R = unknown, V = string>(
  name: N,
  own: Own<R> & {
    initial?: string;
    options: () => readonly { value: string; words: string }[];
    as?: (value: string) => V;
  },
): FormField<R, N, V> {
  const { label, initial, options, as, if: offered } = own;
  return {
    name,
    ...(offered && { if: offered }),
    initial: (row) => initial ?? textIn(row, name),
    Show: (props) => (
      <Select name={name} label={words(label)} defaultValue={props.initial} options={options()} />
    ),
    read: (typed = '') => (as ? as(typed) : (typed as V)), // without `as`, V is string
  };
}

/** The language in which an account is addressed; at first that of the console, if there is no account yet. */
export function language<R extends { Locale: string } | undefined>(
  label: TextKey,
): FormField<R, 'Locale', string | undefined> {
  return {
    name: 'Locale',
    initial: (row) => row?.Locale ?? '',
    Show: ({ initial }) => (
      <LanguageSelect label={words(label)} {...(initial !== '' && { locale: initial })} />
    ),
    read: (typed) => typed,
  };
}

export function check<N extends string, R = unknown>(
  name: N,
  own: Own<R> & { initial?: (row: R) => boolean },
): FormField<R, N, boolean> {
  const { label, initial, if: offered } = own;
  return {
    name,
    ...(offered && { if: offered }),
    initial: (row) => ((initial ? initial(row) : valueIn(row, name) === true) ? 'on' : ''),
    Show: (props) => (
      <Checkbox name={name} checked={props.initial === 'on'}>
        {words(label)}
      </Checkbox>
    ),
    read: (typed) => typed !== undefined,
  };
}

/** A point in time, typed in the reader's time zone. */
export function moment<N extends string, R = unknown, E extends null | undefined = undefined>(
  name: N,
  own: Own<R> & { empty?: E },
): FormField<R, N, string | E> {
  const field = text(name, { ...own, type: 'datetime-local', empty: '' });
  return {
    ...field,
    initial: (row) => localTime(textIn(row, name)),
    read: (typed = '') => momentOf(typed) ?? (own.empty as E),
  };
}

interface LanguageSelectProps {
  label: string;
  /** The present language of the account; by default that of the console. */
  locale?: string;
  onChange?: (locale: string) => void;
}

/** A field `Locale`: the language in which somebody else is addressed. */
export function LanguageSelect({ label, locale, onChange }: LanguageSelectProps) {
  const { Locale, Locales } = pageData;
  const chosen = locale ?? Locale;
  // The API takes any language tag, for the apps around it: an account may have one that is none of these.
  const all = Locales.includes(chosen) ? Locales : [...Locales, chosen];
  return (
    <Select
      name="Locale"
      label={label}
      defaultValue={chosen}
      options={all.map((tag) => ({
        value: tag,
        words: Locales.includes(tag) ? nameOfLanguage(tag) : words('language.none', { tag }),
        lang: tag,
      }))}
      {...(onChange && { onChange })}
    />
  );
}
