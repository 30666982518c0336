import { type ComponentChildren, Fragment } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Avatar } from '../../ui/avatar.tsx';
import { pageData, UNITS } from '../../ui/locale.ts';
import { type Before, type TextKey, words, wordsFor } from '../text.ts';
import { listAt } from './filters.ts';
import { Icon, type IconName } from './icon.tsx';
import styles from './values.module.css';

export type Meaning = 'success' | 'warning' | 'danger' | 'information' | 'neutral';

const ICONS: Record<Meaning, IconName> = {
  success: 'check',
  warning: 'warning',
  danger: 'ban',
  information: 'info',
  neutral: 'clock',
};

/** A state as a word; the colour only repeats its meaning. */
export function Badge({ meaning, children }: { meaning: Meaning; children: ComponentChildren }) {
  return (
    <span class={[styles['badge'], styles[meaning]].join(' ')}>
      <Icon name={ICONS[meaning]} />
      {children}
    </span>
  );
}

/** Returns a component that shows which of several values it is, by the text `<texts>.<value>`. */
export function badgesOf<V extends string | number>(texts: Before<`${V}`>, meanings: Record<V, Meaning>) {
  return ({ of }: { of: V }) => <Badge meaning={meanings[of]}>{wordsFor(texts, of)}</Badge>;
}

export function None() {
  return (
    <span class={styles['none']} data-none>
      –
    </span>
  );
}

/** Somebody in a row of a list: their initials, their name if it is known, and their address. */
export function Person({ email, name }: { email: string; name?: string | null }) {
  return (
    <span class={styles['person']}>
      <Avatar name={name ?? email} size="small" />
      {name && <span>{name}</span>}
      <span class={name ? 'quiet' : undefined}>{email}</span>
    </span>
  );
}

/**
 * A value that is rather broken before a sign, a dot or a slash of an address than within a word. Screen readers would
 * take the places for spaces, so they get it elsewhere.
 */
function Breakable({ text }: { text: string }) {
  return (
    <>
      {text.split(/(?=[@.]|(?<!\/)\/(?!\/))/).map((part, place) => (
        <Fragment key={place}>
          {place > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </>
  );
}

interface CopyProps {
  value: string;
  /** The kind of value, for screen readers: "trace id". */
  label: string;
  /** Shows the whole value; by default, long ids are shortened in the middle. */
  whole?: boolean;
}

/** An id that is copied to the clipboard with a click. */
export function Copy({ value, label, whole = false }: CopyProps) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [isCopied]);
  return (
    <button
      type="button"
      class={styles['copy']}
      title={value}
      onClick={(event) => {
        event.stopPropagation();
        // Browsers offer a clipboard only with HTTPS or on localhost.
        void navigator.clipboard?.writeText(value).then(() => setCopied(true));
      }}
    >
      <span class="only-read">{words('copy.what', { what: label, value })}</span>
      <span aria-hidden="true">{whole ? <Breakable text={value} /> : shortened(value)}</span>
      <Icon name={isCopied ? 'check' : 'copy'} />
      <span class="only-read" role="status">
        {isCopied ? words('copy.done') : ''}
      </span>
    </button>
  );
}

/** Text that keeps its lines: settings to paste, or what may be long and is wrapped. */
export function Preformatted({ label, text, look, lang }: PreformattedProps) {
  return (
    <pre class={styles[look]} lang={lang} tabIndex={0} role="region" aria-label={label}>
      {text}
    </pre>
  );
}

interface PreformattedProps {
  label: string;
  text: string;
  look: 'settings' | 'wrapped';
  lang?: string | undefined;
}

/** The first and the last characters of an id: people compare ids by these. */
export function shortened(id: string): string {
  return id.length > 16 ? `${id.slice(0, 8)}…${id.slice(-4)}` : id;
}

/** A time, relative in words or exact. The tooltip shows it exactly, in local time and in UTC. */
export function Time({ at: time, exact = false }: { at: string | null | undefined; exact?: boolean }) {
  const locale = region();
  if (time === null || time === undefined) return <None />;
  const moment = new Date(time);
  const here = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' }).format(moment);
  return (
    <time dateTime={time} title={`${here}\n${moment.toISOString()}`}>
      {exact ? here : (relative(moment, locale) ?? words('sessionExists.now'))}
    </time>
  );
}

/** The page's language with the reader's region, for example `en-GB`. */
function region(): string {
  const { Locale } = pageData;
  return navigator.languages.find((language) => language.split('-')[0] === Locale) ?? Locale;
}

const STEPS = [['year', 31_536_000], ['month', 2_592_000], ['week', 604_800], ...UNITS] as const;

/** How long ago, or how soon, in the largest unit that fits; `undefined` for what is less than a minute away. */
function relative(moment: Date, locale: string): string | undefined {
  const seconds = Math.round((moment.getTime() - Date.now()) / 1000);
  const format = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'long' });
  const found = STEPS.find(([, length]) => Math.abs(seconds) >= length);
  return found && format.format(Math.trunc(seconds / found[1]), found[0]);
}

/** What is known of an object: its name, and how it is shown. A screen has it among its facts, a table as a column. */
export type Fact<R> = readonly [
  label: TextKey,
  show: (row: R) => ComponentChildren,
  look?: Look<R> | undefined,
];

/**
 * How a column looks:
 *
 * - `end`: numbers are aligned at the end.
 * - `clipped`, or in which rows: a text that may be long is truncated if the table would be too wide, and shown in full
 *   on hover. In the first column, which tells the rows apart, only very long ones are.
 * - `secondary`: left out where the table has less than 1,100 px, as what the object's own screen shows is enough.
 * - `pinned`: the actions of a row stay visible, and their head is only for screen readers.
 */
export type Look<R> = 'end' | 'clipped' | 'secondary' | 'pinned' | ((row: R) => boolean);

export type State = readonly [meaning: Meaning, words: TextKey];

export function StateBadge({ state: [meaning, key] }: { state: State }) {
  return <Badge meaning={meaning}>{words(key)}</Badge>;
}

/** A fact about what an object has under a name. */
type About<N extends string, V> = Fact<Readonly<Record<N, V>>>;

/** A time, shown exactly. `none`: what is said if there is none. */
export function at<N extends string>(label: TextKey, name: N, none?: TextKey): About<N, string | null> {
  return [label, ({ [name]: time }) => (none && time === null ? words(none) : <Time at={time} exact />)];
}

/** A time, shown as how long ago it was or how soon it will be. */
export function ago<N extends string>(label: TextKey, name: N, look?: 'secondary'): About<N, string | null> {
  return [label, (row) => <Time at={row[name]} />, look];
}

export function whether<N extends string>(label: TextKey, name: N): About<N, boolean> {
  return [label, (row) => words(row[name] ? 'yes' : 'no')];
}

/** A property as a badge: what it means that the object has it, and that it does not. */
export function badge<N extends string>(label: TextKey, name: N, has: State, not: State): About<N, boolean> {
  return [label, (row) => <StateBadge state={row[name] ? has : not} />];
}

export function copied<N extends string>(label: TextKey, name: N): About<N, string> {
  return [label, (row) => <Copy value={row[name]} label={words(label)} />];
}

/** The name of another object, which links to its screen at `/console/<path>/<id>`. */
export function linkTo<I extends string, N extends string>(
  label: TextKey,
  path: string,
  id: I,
  name: N,
): About<I | N, string> {
  return [label, (row) => <a href={`/console/${path}/${row[id]}`}>{row[name]}</a>, 'clipped'];
}

export function linked(label: TextKey, text: TextKey, path: string): Fact<unknown> {
  return [label, (_) => <a href={`/console/${path}`}>{words(text)}</a>];
}

/** The changes of an object in the audit log. */
export function changesOf(text: TextKey): About<'Id', string> {
  return ['c.audit.title', ({ Id }) => <a href={listAt('audit', { targetId: Id })}>{words(text)}</a>];
}
