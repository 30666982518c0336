import type { ComponentChildren } from 'preact';
import { useRoute } from 'preact-iso';
import type { Answer, Input, Operation } from '../api/call-api.ts';
import { useQuery } from '../api/use-query.ts';
import { type TextKey, useWords, useWordsFor, type Words } from '../text.ts';
import { Card, Facts, Loaded, ScreenPage } from '../ui/screen-page.tsx';
import { Badge, Copy, type Meaning, Time } from '../ui/values.tsx';
import { type Act, Acts } from './act.tsx';

/** A fact about an object: its name, and how it is shown. */
export type Fact<R> = readonly [label: TextKey, show: (row: R, words: Words) => ComponentChildren];

export type State = readonly [meaning: Meaning, words: TextKey];

interface ObjectScreen<K extends Operation> {
  /** Gets the object by the `id` in the screen's path. */
  operation: K;
  everyMs?: number;
  title: (row: Answer<K>) => string;
  /** The title until it is loaded: its kind. */
  one: TextKey;
  state?: (row: Answer<K>) => ComponentChildren;
  /** Above the facts. */
  notice?: (row: Answer<K>, words: Words) => ComponentChildren;
  factsTitle: TextKey;
  facts: (row: Answer<K>) => readonly (Fact<Answer<K>> | false)[];
  acts?: readonly Act<Answer<K>>[];
  /** The label of the menu with the actions that are no buttons. */
  menu?: TextKey;
  wide?: boolean;
  /** Below the facts. */
  more?: (row: Answer<K>, words: Words) => ComponentChildren;
  /** Below it, also while it loads: lists of what belongs to it. */
  lists?: (id: string, words: Words) => ComponentChildren;
  /** The screen of all of them, as a link at the end. */
  all?: readonly [path: string, words: TextKey];
}

/** The screen of one object: its state, its facts, and what can be done with it. */
export function defineScreen<K extends Operation>(own: ObjectScreen<K>) {
  const { operation, everyMs, title, one, wide = false, all } = own;
  return () => {
    const words = useWords();
    const { id = '' } = useRoute().params;
    // Operations that get an object have its id in their path.
    const input = { path: { id } } as unknown as Input<K>;
    const result = useQuery(operation, input, everyMs === undefined ? {} : { everyMs });
    const { data } = result;
    return (
      <ScreenPage
        title={data === undefined ? words(one) : title(data)}
        badge={data && own.state?.(data)}
        actions={
          data &&
          own.acts && (
            <Acts
              acts={own.acts}
              row={data}
              name={title(data)}
              {...(own.menu && { menu: words(own.menu) })}
            />
          )
        }
        wide={wide}
      >
        <Loaded result={result}>
          {(row) => (
            <>
              {own.notice?.(row, words)}
              <FactsCard title={words(own.factsTitle)} facts={own.facts(row)} row={row} />
              {own.more?.(row, words)}
            </>
          )}
        </Loaded>
        {own.lists?.(id, words)}
        {all && (
          <p>
            <a href={`/console/${all[0]}`}>{words(all[1])}</a>
          </p>
        )}
      </ScreenPage>
    );
  };
}

interface FactListProps<R> {
  facts: readonly (Fact<R> | false)[];
  row: R;
}

export function FactsCard<R>({ title, ...list }: FactListProps<R> & { title: string }) {
  return (
    <Card title={title}>
      <FactList {...list} />
    </Card>
  );
}

/** Facts about an object, in a card that has more than these. */
export function FactList<R>({ facts, row }: FactListProps<R>) {
  const words = useWords();
  const shown = facts.filter((fact) => fact !== false);
  return <Facts rows={shown.map(([label, show]) => [words(label), show(row, words)])} />;
}

export function StateBadge({ state: [meaning, key] }: { state: State }) {
  return <Badge meaning={meaning}>{useWords()(key)}</Badge>;
}

/** The text `<prefix>.<value>` for a value of the API. */
export function Word({ of, value }: { of: string; value: string | number }) {
  return <>{useWordsFor()(of, value)}</>;
}

type Having<N extends string, V> = Readonly<Record<N, V>>;

/** A time, shown exactly. */
export function at<N extends string>(label: TextKey, name: N): Fact<Having<N, string | null>> {
  return [label, (row) => <Time at={row[name]} exact />];
}

export function whether<N extends string>(label: TextKey, name: N): Fact<Having<N, boolean>> {
  return [label, (row, words) => words(row[name] ? 'yes' : 'no')];
}

/** A value that can be copied. */
export function copied<N extends string>(label: TextKey, name: N): Fact<Having<N, string>> {
  return [label, (row, words) => <Copy value={row[name]} label={words(label)} />];
}

/** A link within the console. */
export function linked(label: TextKey, text: TextKey, path: string): Fact<unknown> {
  return [label, (_, words) => <a href={`/console/${path}`}>{words(text)}</a>];
}

/** The changes of an object in the audit log. */
export function changesOf(text: TextKey): Fact<Having<'Id', string>> {
  return [
    'c.audit.title',
    ({ Id }, words) => <a href={`/console/audit?targetId=${encodeURIComponent(Id)}`}>{words(text)}</a>,
  ];
}
