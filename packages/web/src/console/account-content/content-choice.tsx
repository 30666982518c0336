import { useEffect, useRef, useState } from 'preact/hooks';
import { Field } from '../../ui/form/field.tsx';
import { useQuery } from '../api/use-query.ts';
import { useWords, useWordsFor } from '../text.ts';
import { Loaded } from '../ui/layout/state.tsx';
import styles from './account-content.module.css';

/** The search starts this long after the last keystroke. */
const TYPING_MS = 300;
const SHOWN_MAX = 20;

/** Lets the user choose one piece of content, among those whose name contains the search text. */
export function ContentChoice() {
  const words = useWords();
  const wordsFor = useWordsFor();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [search, setSearch] = useState('');
  useEffect(() => () => clearTimeout(timer.current), []);
  const result = useQuery('GET /admin/content-definition', {
    query: { limit: SHOWN_MAX, ...(search !== '' && { search }) },
  });
  return (
    <>
      <Field
        name="search"
        label={words('accountContent.search')}
        autocomplete="off"
        spellcheck={false}
        onInput={({ currentTarget: { value } }) => {
          clearTimeout(timer.current);
          timer.current = setTimeout(() => setSearch(value.trim()), TYPING_MS);
        }}
      />
      <Loaded result={result} lines={3}>
        {({ Items }) =>
          Items.length === 0 ? (
            <p class="quiet" role="status">
              {words('accountContent.search.none')}
            </p>
          ) : (
            <fieldset class={styles['choices']} aria-label={words('accountContent.choose')}>
              {Items.map(({ Id, Name, Kind }) => (
                <label key={Id} class={styles['choice']}>
                  <input type="radio" name="ContentDefinitionId" value={Id} />
                  <span>
                    {Name} <span class="quiet">{wordsFor('content.kind', Kind)}</span>
                  </span>
                </label>
              ))}
            </fieldset>
          )
        }
      </Loaded>
    </>
  );
}
