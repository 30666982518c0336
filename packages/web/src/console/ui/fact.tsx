import type { ComponentChildren } from 'preact';
import { type TextKey, words } from '../text.ts';
import { listAt } from './filters.ts';
import { Badge, Copy, type Meaning, Time } from './values.tsx';

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

type Having<N extends string, V> = Readonly<Record<N, V>>;

/** A time, shown exactly. */
export function at<N extends string>(label: TextKey, name: N): Fact<Having<N, string | null>> {
  return [label, (row) => <Time at={row[name]} exact />];
}

/** A time, shown as how long ago it was or how soon it will be. */
export function ago<N extends string>(
  label: TextKey,
  name: N,
  look?: 'secondary',
): Fact<Having<N, string | null>> {
  return [label, (row) => <Time at={row[name]} />, look];
}

export function whether<N extends string>(label: TextKey, name: N): Fact<Having<N, boolean>> {
  return [label, (row) => words(row[name] ? 'yes' : 'no')];
}

/** A property as a badge: what it means that the object has it, and that it does not. */
export function badge<N extends string>(
  label: TextKey,
  name: N,
  has: State,
  not: State,
): Fact<Having<N, boolean>> {
  return [label, (row) => <StateBadge state={row[name] ? has : not} />];
}

/** A value that can be copied. */
export function copied<N extends string>(label: TextKey, name: N): Fact<Having<N, string>> {
  return [label, (row) => <Copy value={row[name]} label={words(label)} />];
}

/** A link within the console. */
export function linked(label: TextKey, text: TextKey, path: string): Fact<unknown> {
  return [label, (_) => <a href={`/console/${path}`}>{words(text)}</a>];
}

/** The changes of an object in the audit log. */
export function changesOf(text: TextKey): Fact<Having<'Id', string>> {
  return ['c.audit.title', ({ Id }) => <a href={listAt('audit', { targetId: Id })}>{words(text)}</a>];
}
