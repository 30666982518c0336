import { useEffect, useRef, useState } from 'preact/hooks';
import { Field } from '../../ui/form/field.tsx';
import styles from '../account-content/account-content.module.css';
import { useQuery } from '../api/use-query.ts';
import { useWords } from '../text.ts';
import { Loaded } from '../ui/layout/state.tsx';

/** The search starts this long after the last keystroke. */
const TYPING_MS = 300;
const SHOWN_MAX = 10;

/**
 * Lets the user choose one account, among those whose email or name contains the search text. Guests and the account
 * `besideId` cannot be chosen.
 */
export function AccountChoice({ name, besideId }: { name: string; besideId: string }) {
  const words = useWords();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [search, setSearch] = useState('');
  useEffect(() => () => clearTimeout(timer.current), []);
  const result = useQuery('GET /admin/account', {
    query: { limit: SHOWN_MAX, ...(search !== '' && { search }) },
  });
  return (
    <>
      <Field
        name={`${name}Search`}
        label={words('erasure.heir')}
        hint={words('erasure.heir.hint')}
        autocomplete="off"
        spellcheck={false}
        onInput={({ currentTarget: { value } }) => {
          clearTimeout(timer.current);
          timer.current = setTimeout(() => setSearch(value.trim()), TYPING_MS);
        }}
      />
      <Loaded result={result} lines={3}>
        {({ Items }) => {
          const others = Items.filter(({ Id, Role }) => Id !== besideId && Role !== 'Guest');
          if (others.length === 0)
            return (
              <p class="quiet" role="status">
                {words('erasure.heir.none')}
              </p>
            );
          return (
            <fieldset class={styles['choices']} aria-label={words('erasure.heir.choose')}>
              {others.map(({ Id, Email, DisplayName }) => (
                <label key={Id} class={styles['choice']}>
                  <input type="radio" name={name} value={Id} />
                  <span>
                    {Email} <span class="quiet">{DisplayName}</span>
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
