import type { ComponentChildren } from 'preact';
import { useRoute } from 'preact-iso';
import { type Answer, type Input, type Operation, useQuery } from '../api/call-api.ts';
import { type TextKey, words } from '../text.ts';
import type { Fact } from '../ui/fact.tsx';
import { Card, Facts, Loaded, ScreenPage } from '../ui/screen-page.tsx';
import { type Act, Acts } from './act.tsx';

interface ObjectScreen<K extends Operation> {
  /** Gets the object by the `id` in the screen's path. */
  operation: K;
  everyMs?: number;
  title: (row: Answer<K>) => string;
  /** The title until it is loaded: its kind. */
  one: TextKey;
  state?: (row: Answer<K>) => ComponentChildren;
  /** Above the facts. */
  notice?: (row: Answer<K>) => ComponentChildren;
  factsTitle: TextKey;
  facts: (row: Answer<K>) => readonly (Fact<Answer<K>> | false)[];
  acts?: readonly Act<Answer<K>>[];
  /** The label of the menu with the actions that are no buttons. */
  menu?: TextKey;
  wide?: boolean;
  /** Below the facts. */
  more?: (row: Answer<K>) => ComponentChildren;
  /** Below it, also while it loads: lists of what belongs to it. */
  lists?: (id: string) => ComponentChildren;
  /** The screen of all of them, as a link at the end. */
  all?: readonly [path: string, words: TextKey];
}

/** The screen of one object: its state, its facts, and what can be done with it. */
export function defineScreen<K extends Operation>(own: ObjectScreen<K>) {
  const { operation, everyMs, title, one, wide = false, all } = own;
  return () => {
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
              {own.notice?.(row)}
              <FactsCard title={words(own.factsTitle)} facts={own.facts(row)} row={row} />
              {own.more?.(row)}
            </>
          )}
        </Loaded>
        {own.lists?.(id)}
        {all && <All path={all[0]} label={all[1]} />}
      </ScreenPage>
    );
  };
}

/** The link at the end of a screen to that of all of its kind. */
export function All({ path, label }: { path: string; label: TextKey }) {
  return (
    <p>
      <a href={`/console/${path}`}>{words(label)}</a>
    </p>
  );
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
  const shown = facts.filter((fact) => fact !== false);
  return <Facts rows={shown.map(([label, show]) => [words(label), show(row)])} />;
}
