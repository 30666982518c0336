import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { type Answer, useQuery } from '../api/call-api.ts';
import { type TextKey, words } from '../text.ts';
import { usePause } from '../ui/filter-bar.tsx';
import { Loaded } from '../ui/screen-page.tsx';
import { TextField } from './fields.tsx';
import styles from './search-choice.module.css';

type Searched = 'GET /admin/account' | 'GET /admin/content-definition';

interface SearchChoiceProps<K extends Searched> {
  operation: K;
  most: number;
  /** The field for the search, which also shows what is wrong with the choice. */
  search: { name: string; label: TextKey };
  /** The field of the choice, and the name of its group. */
  name: string;
  label: TextKey;
  none: TextKey;
  /** The value, its name and what is said beside it; nothing for what cannot be chosen. */
  choiceOf: (
    item: Answer<K>['Items'][number],
  ) => readonly [value: string, words: string, more: ComponentChildren] | false;
}

/** Asks for one of the objects that a search finds. */
export function SearchChoice<K extends Searched>(props: SearchChoiceProps<K>) {
  const { operation, most, search, name, label, none, choiceOf } = props;
  const [text, setText] = useState('');
  const result = useQuery<Searched>(operation, { query: { limit: most, search: text } });
  const afterTyping = usePause();
  return (
    <>
      <TextField
        {...search}
        spellcheck={false}
        onInput={({ currentTarget: { value } }) => afterTyping(() => setText(value.trim()))}
      />
      <Loaded result={result} lines={3}>
        {({ Items }) => {
          const choices = Items.map(choiceOf).filter((choice) => choice !== false);
          if (choices.length === 0)
            return (
              <p class="quiet" role="status">
                {words(none)}
              </p>
            );
          return (
            <fieldset class={styles['choices']} aria-label={words(label)}>
              {choices.map(([value, said, more]) => (
                <label key={value} class={styles['choice']}>
                  <input type="radio" name={name} value={value} />
                  <span>
                    {said} <span class="quiet">{more}</span>
                  </span>
                </label>
              ))}
            </fieldset>
          );
        }}
      </Loaded>
    </>
  );
}
