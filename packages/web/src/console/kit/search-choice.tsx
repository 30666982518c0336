import type { ComponentChildren } from 'preact';
import type { QueryResult } from '../api/call-api.ts';
import { type TextKey, words } from '../text.ts';
import { usePause } from '../ui/filter-bar.tsx';
import { Loaded } from '../ui/screen-page.tsx';
import { TextField } from './fields.tsx';
import styles from './search-choice.module.css';

interface SearchChoiceProps<T> {
  /** The field for the search, which also shows what is wrong with the choice. */
  search: { name: string; label: TextKey };
  onSearch: (text: string) => void;
  result: QueryResult<{ Items: readonly T[] }>;
  /** The field of the choice, and the name of its group. */
  name: string;
  label: TextKey;
  none: TextKey;
  /** The value, its name and what is said beside it; nothing for what cannot be chosen. */
  choiceOf: (item: T) => readonly [value: string, words: string, more: ComponentChildren] | false;
}

/** Asks for one of the objects that a search finds. */
export function SearchChoice<T>(props: SearchChoiceProps<T>) {
  const { search, onSearch, result, name, label, none, choiceOf } = props;
  const afterTyping = usePause();
  return (
    <>
      <TextField
        {...search}
        spellcheck={false}
        onInput={({ currentTarget: { value } }) => afterTyping(() => onSearch(value.trim()))}
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
