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
  if?: ((row: R) => boolean) | undefined;
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

function fieldsFor<R, F extends readonly FormField<R>[]>(fields: F, row: R): readonly F[number][] {
  return fields.filter((field) => field.if?.(row) ?? true);
}

export function Fields<R>({ of, row }: { of: readonly FormField<R>[]; row: R }) {
  return (
    <>
      {fieldsFor(of, row).map(({ name, Show, initial }) => (
        <Show key={name} initial={initial(row)} row={row} />
      ))}
    </>
  );
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

type Own<R> = Pick<FormField<R>, 'if'>;

/** What an object has under the name of a field: what a form that changes it begins with. */
function valueIn(row: unknown, name: string): unknown {
  return typeof row === 'object' && row !== null ? Reflect.get(row, name) : undefined;
}

export function textIn(row: unknown, name: string): string {
  const value = valueIn(row, name);
  return typeof value === 'string' ? value : '';
}

/** A field with the text `<label>.hint`, if there is one. */
export function TextField({ label, ...input }: Omit<FieldProps, 'label' | 'hint'> & { label: TextKey }) {
  const hint = pageData.Messages[`${label}.hint`];
  return <Field autocomplete="off" {...input} label={words(label)} {...(hint && { hint })} />;
}

type InputProps = Pick<FieldProps, 'spellcheck' | 'inputMode' | 'type'>;

/** A line of text, without spaces around it. It is required, unless `empty` says what an empty one means. */
export function text<N extends string, R = unknown, E extends '' | null | undefined = never>(
  name: N,
  label: TextKey,
  own: Own<R> & InputProps & { empty?: E; initial?: (row: R) => string | null } = {},
): FormField<R, N, string | NoInfer<E>> {
  const { initial = (row: R) => textIn(row, name), empty, if: offered, ...input } = own;
  const shown = { name, label, ...input, required: !('empty' in own) };
  return {
    name,
    if: offered,
    initial: (row) => initial(row) ?? '',
    Show: (props) => <TextField {...shown} defaultValue={props.initial} />,
    read: (typed = '') => (typed.trim() === '' && 'empty' in own ? (empty as E) : typed.trim()),
  };
}

/** Several values in a line, separated by commas or spaces. `empty`: what the request gets for none, if not a list. */
export function list<N extends string, R = unknown, E extends undefined = never>(
  name: N,
  label: TextKey,
  own: Own<R> & {
    initial?: (row: R) => readonly string[];
    separator?: ', ' | ' ';
    /** The values are separated by commas only, because they may contain spaces. */
    isSpaced?: boolean;
    empty?: E;
  } = {},
): FormField<R, N, string[] | NoInfer<E>> {
  const { initial = (row: R) => valueIn(row, name), separator = ', ', isSpaced = false, ...shown } = own;
  return {
    ...text<N, R, ''>(name, label, { ...shown, spellcheck: false, empty: '' }),
    initial: (row) => {
      const value = initial(row);
      return Array.isArray(value) ? value.join(separator) : '';
    },
    read: (typed = '') => {
      const values = isSpaced ? labelsIn(typed) : listIn(typed);
      return values.length === 0 && 'empty' in own ? own.empty : values;
    },
  };
}

/** One of several values. `as` makes what the request gets of the chosen one. */
export function choice<N extends string, R = unknown, V = string>(
  name: N,
  label: TextKey,
  own: {
    initial?: string;
    options: () => readonly { value: string; words: string }[];
    as?: (value: string) => V;
  },
): FormField<R, N, V> {
  const { initial, options, as } = own;
  return {
    name,
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
    Show: ({ initial }) => <LanguageSelect label={label} locale={initial || pageData.Locale} />,
    read: (typed) => typed,
  };
}

interface LanguageSelectProps {
  label: TextKey;
  locale: string;
  onChange?: (locale: string) => void;
}

/** A field `Locale`: the language in which somebody else is addressed. */
export function LanguageSelect({ label, locale, ...rest }: LanguageSelectProps) {
  const { Locales } = pageData;
  // The API takes any language tag, for the apps around it: an account may have one that is none of these.
  const all = Locales.includes(locale) ? Locales : [...Locales, locale];
  const options = all.map((tag) => ({
    value: tag,
    words: Locales.includes(tag) ? nameOfLanguage(tag) : words('language.none', { tag }),
    lang: tag,
  }));
  return <Select name="Locale" label={words(label)} defaultValue={locale} options={options} {...rest} />;
}

export function check<N extends string, R = unknown>(
  name: N,
  label: TextKey,
  own: Own<R> & { initial?: (row: R) => boolean } = {},
): FormField<R, N, boolean> {
  const { initial = (row: R) => valueIn(row, name) === true } = own;
  return {
    name,
    if: own.if,
    initial: (row) => (initial(row) ? 'on' : ''),
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
  label: TextKey,
  own: { empty?: E; initial?: (row: R) => string } = {},
): FormField<R, N, string | NoInfer<E>> {
  const { initial = (row: R) => textIn(row, name) } = own;
  return {
    ...text<N, R, ''>(name, label, { type: 'datetime-local', empty: '' }),
    initial: (row) => localTime(initial(row)),
    read: (typed = '') => momentOf(typed) ?? (own.empty as E),
  };
}
