import { useEffect, useRef, useState } from 'preact/hooks';
import { useWords } from '../../text.ts';
import { useFilters } from './filters.ts';
import styles from './filter-bar.module.css';
import { Icon } from '../icon.tsx';
import { localTime, momentOf } from '../moment.ts';

/** One way to narrow a list, by the name that the API has for it. */
export interface Filter {
  name: string;
  label: string;
  /** A choice, a text, a day or a moment; a text without options. */
  options?: readonly { value: string; words: string }[];
  type?: 'text' | 'date' | 'datetime-local' | 'search';
  /** Shown once it is asked for, or narrows the list. */
  isRare?: boolean;
}

/** What a list is narrowed by, in one row; all of it is in the address. */
export function FilterBar({ filters }: { filters: readonly Filter[] }) {
  const words = useWords();
  const { values, set } = useFilters();
  const [isAllShown, setAllShown] = useState(false);
  const isNarrowed = filters.some(({ name }) => values[name] !== undefined);
  const shown = filters.filter(({ name, isRare }) => isAllShown || !isRare || values[name] !== undefined);
  return (
    <form class={styles['bar']} role="search" onSubmit={(event) => event.preventDefault()}>
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
          onClick={() => setAllShown(!isAllShown)}
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

function FilterField({ filter: { name, label, options, type = 'text' }, value, onChange }: FieldProps) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isMoment = type === 'datetime-local';
  const shown = isMoment ? localTime(value) : value;
  const [typed, setTyped] = useState(shown);
  // The address may change by other means, such as "back".
  useEffect(() => {
    if (!isMoment || momentOf(typed) !== momentOf(value)) setTyped(shown);
  }, [value]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const onTyped = (text: string): void => {
    setTyped(text);
    clearTimeout(timer.current);
    // A moment stands in the address in UTC: it is the same one wherever that is opened.
    const parsed = isMoment ? (momentOf(text) ?? '') : text.trim();
    timer.current = setTimeout(() => onChange(parsed), TYPING_MS);
  };
  return (
    <label class={[styles['filter'], value !== '' && styles['set']].filter(Boolean).join(' ')}>
      <span>{label}</span>
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
          // Preact knows a kind of attributes for each type; these are the same for all of them.
          // oxlint-disable-next-line typescript/no-unnecessary-type-assertion -- tsc does not take it without
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

/** How long somebody is still typing. */
const TYPING_MS = 300;
