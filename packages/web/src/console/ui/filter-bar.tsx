import { useEffect, useRef, useState } from 'preact/hooks';
import { useNamed, useWords, useWordsFor } from '../text.ts';
import styles from './filter-bar.module.css';
import { type Filter, type Option, useFilters } from './filters.ts';
import { Icon } from './icon.tsx';
import { localTime, momentOf } from './typed.ts';

/** The filters of a list, stored in the URL. A rare filter that is set is shown, and stays visible when it is cleared. */
export function FilterBar({ filters }: { filters: readonly Filter[] }) {
  const words = useWords();
  const { values, set } = useFilters();
  const [isAllShown, setAllShown] = useState(false);
  const isNarrowed = filters.some(({ name }) => values[name] !== undefined);
  const revealed = useRef(new Set<string>());
  for (const { name } of filters) if (values[name] !== undefined) revealed.current.add(name);
  const shown = filters.filter(({ name, isRare }) => isAllShown || !isRare || revealed.current.has(name));
  return (
    <form
      class={[styles['bar'], isAllShown && styles['all']].filter(Boolean).join(' ')}
      role="search"
      onSubmit={(event) => event.preventDefault()}
    >
      {shown.map((filter) => (
        <FilterField
          key={filter.name}
          filter={filter}
          value={values[filter.name] ?? ''}
          onChange={(value) => set({ [filter.name]: value })}
        />
      ))}
      {filters.some(({ isRare }) => isRare) && (
        <button
          type="button"
          class={styles['clear']}
          aria-expanded={isAllShown}
          onClick={() => {
            revealed.current.clear();
            setAllShown(!isAllShown);
          }}
        >
          <Icon name="filter" /> {words('filter.more')}
        </button>
      )}
      {isNarrowed && (
        <button
          type="button"
          class={styles['clear']}
          onClick={() => set(Object.fromEntries(filters.map(({ name }) => [name, undefined])))}
        >
          <Icon name="close" /> {words('filter.clear')}
        </button>
      )}
    </form>
  );
}

interface FieldProps {
  filter: Filter;
  value: string;
  onChange: (value: string) => void;
}

function FilterField({ filter, value, onChange }: FieldProps) {
  const { name, label, type = 'text' } = filter;
  const words = useWords();
  const options = useOptions(filter, value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isMoment = type === 'datetime-local';
  const shown = isMoment ? localTime(value) : value;
  const [typed, setTyped] = useState(shown);
  // The address can also change in other ways, for example with the Back button.
  useEffect(() => {
    if (!isMoment || momentOf(typed) !== momentOf(value)) setTyped(shown);
  }, [value]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const onTyped = (text: string): void => {
    setTyped(text);
    clearTimeout(timer.current);
    // The address contains times in UTC, so that a shared link means the same time in every time zone.
    const parsed = isMoment ? (momentOf(text) ?? '') : text.trim();
    timer.current = setTimeout(() => onChange(parsed), TYPING_MS);
  };
  return (
    <label class={[styles['filter'], value !== '' && styles['set']].filter(Boolean).join(' ')}>
      <span>{words(label)}</span>
      {options ? (
        <select name={name} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
          <option value="">–</option>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.words}
            </option>
          ))}
        </select>
      ) : (
        <input
          name={name}
          // Preact has different attribute types for each input type; the attributes here are valid for all of them.
          // oxlint-disable-next-line typescript/no-unnecessary-type-assertion -- tsc rejects it without the assertion
          type={type as 'text'}
          {...(isMoment && { step: 1 })}
          value={typed}
          maxLength={254}
          spellcheck={false}
          autocomplete="off"
          onInput={(event) => onTyped(event.currentTarget.value)}
        />
      )}
    </label>
  );
}

/** The options of a choice; `undefined` if the filter is a field. */
function useOptions({ type, texts, ...filter }: Filter, value: string): readonly Option[] | undefined {
  const words = useWords();
  const wordsFor = useWordsFor();
  const named = useNamed();
  const options = filter.useOptions?.(value) ?? filter.options ?? (texts && named(texts));
  if (type === 'boolean' && options === undefined)
    return [
      { value: 'true', words: words('yes') },
      { value: 'false', words: words('no') },
    ];
  if (!options) return undefined;
  return options.map((option) =>
    typeof option === 'object'
      ? option
      : { value: String(option), words: texts === undefined ? String(option) : wordsFor(texts, option) },
  );
}

/** The filter is applied this long after the last keystroke. */
const TYPING_MS = 300;
