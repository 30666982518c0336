import { useEffect, useRef, useState } from 'preact/hooks';
import { pageData } from '../../ui/locale.ts';
import { named, type TextKey, words, wordsFor } from '../text.ts';
import styles from './filter-bar.module.css';
import { type Filter, type Option, useFilters } from './filters.ts';
import { Icon } from './icon.tsx';
import { Menu, MenuItem } from './menu.tsx';
import { localTime, momentOf } from './typed.ts';

/**
 * The filters of a list, stored in the URL: a search, a chip with its value for each filter that is set, and a menu
 * that adds others. A chip that is emptied stays until it is removed, so that the focus does not leave it. `isFixed`: they
 * are choices of the screen, so all are shown, and none is added or removed.
 */
export function FilterBar({ filters, isFixed = false }: { filters: readonly Filter[]; isFixed?: boolean }) {
  const { values, set } = useFilters();
  const [added, setAdded] = useState<string>();
  const shown = useRef(new Set<string>());
  for (const { name, type } of filters)
    if (isFixed || type === 'search' || values[name] !== undefined || name === added) shown.current.add(name);
  const remove = (...names: string[]): void => {
    for (const name of names) shown.current.delete(name);
    setAdded(undefined);
    set(Object.fromEntries(names.map((name) => [name, undefined])));
  };
  const others = filters.filter(({ name }) => !shown.current.has(name));
  return (
    <form class={styles['bar']} role="search" onSubmit={(event) => event.preventDefault()}>
      {filters
        .filter(({ name }) => shown.current.has(name))
        .map((filter) => (
          <Chip
            key={filter.name}
            filter={filter}
            value={values[filter.name] ?? ''}
            isNew={filter.name === added}
            onChange={(value) => set({ [filter.name]: value })}
            {...(!isFixed && filter.type !== 'search' && { onRemove: () => remove(filter.name) })}
          />
        ))}
      {others.length > 0 && (
        <Menu label={words('filter.add')} icon="plus" labelled align="start">
          {others
            .toSorted((one, other) => Number(one.isRare ?? false) - Number(other.isRare ?? false))
            .map(({ name, label }) => (
              <MenuItem key={name} onClick={() => setAdded(name)}>
                {words(label)}
              </MenuItem>
            ))}
        </Menu>
      )}
      {!isFixed && filters.some(({ name }) => values[name] !== undefined) && (
        <button
          type="button"
          class={styles['clear']}
          onClick={() => remove(...filters.map(({ name }) => name))}
        >
          {words('filter.clear')}
        </button>
      )}
    </form>
  );
}

interface ValueProps {
  name: string;
  value: string;
  onChange: (value: string) => void;
}

interface ChipProps extends Omit<ValueProps, 'name'> {
  filter: Filter;
  /** It was chosen in the menu just now, and takes the focus. */
  isNew: boolean;
  onRemove?: () => void;
}

function Chip({ filter, value, isNew, onChange, onRemove }: ChipProps) {
  const chip = useRef<HTMLSpanElement>(null);
  const options = useOptions(filter, value);
  useEffect(() => {
    if (!isNew) return;
    const field = chip.current?.querySelector<HTMLElement>('select, input');
    field?.focus();
    if (field instanceof HTMLSelectElement) field.showPicker?.();
  }, [isNew]);
  const { name, label, type } = filter;
  return (
    <span ref={chip} class={[styles['filter'], value !== '' && styles['set']].filter(Boolean).join(' ')}>
      <label>
        <span>{words(label)}</span>
        {options ? (
          <Choice name={name} value={value} options={options} onChange={onChange} />
        ) : type === 'datetime-local' ? (
          <Moment name={name} value={value} onChange={onChange} />
        ) : (
          <Typed name={name} value={value} type={type ?? 'text'} onChange={onChange} />
        )}
      </label>
      {onRemove && (
        <button
          type="button"
          class={styles['remove']}
          aria-label={words('filter.remove', { filter: words(label) })}
          onClick={({ currentTarget }) => {
            // The chip goes, and the focus with it.
            currentTarget.closest('form')?.querySelector<HTMLElement>(':scope > button')?.focus();
            onRemove();
          }}
        >
          <Icon name="close" />
        </button>
      )}
    </span>
  );
}

interface ChoiceProps extends ValueProps {
  options: readonly Option[];
  none?: TextKey;
}

export function Choice({ name, value, options, none = 'filter.any', onChange }: ChoiceProps) {
  return (
    <select name={name} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
      <option value="">{words(none)}</option>
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.words}
        </option>
      ))}
    </select>
  );
}

/** The beginnings of a time that are offered, in hours before now. */
const HOURS = [1, 24, 168] as const;
const HOUR_MS = 3_600_000;

/** A time. That from which something happened is mostly a while ago, which is quicker to choose than to type. */
function Moment({ name, value, onChange }: ValueProps) {
  const [isTyped, setTyped] = useState(!/from$/i.test(name));
  if (isTyped) return <Typed name={name} value={value} type="datetime-local" onChange={onChange} />;
  const choose = (chosen: string): void => {
    if (chosen === 'typed') setTyped(true);
    else onChange(chosen === '' ? '' : new Date(Date.now() - Number(chosen) * HOUR_MS).toISOString());
  };
  const options = HOURS.map((hours) => ({ value: String(hours), words: words(`filter.last.${hours}`) }));
  const format = new Intl.DateTimeFormat(pageData.Locale, { dateStyle: 'medium', timeStyle: 'short' });
  const isTime = !Number.isNaN(Date.parse(value));
  // What is set is a time, also after it was chosen as a while ago: the address means the same tomorrow.
  const present = value === '' ? [] : [{ value, words: isTime ? format.format(new Date(value)) : value }];
  return (
    <Choice
      name={name}
      value={value}
      options={[...present, ...options, { value: 'typed', words: words('filter.time') }]}
      onChange={choose}
    />
  );
}

/** A value that is typed, and applied shortly after the last keystroke. */
function Typed({ name, value, type, onChange }: ValueProps & { type: string }) {
  const afterTyping = usePause();
  const isMoment = type === 'datetime-local';
  const shown = isMoment ? localTime(value) : value;
  const [typed, setTyped] = useState(shown);
  // The address can also change in other ways, for example with the Back button.
  useEffect(() => {
    if (!isMoment || momentOf(typed) !== momentOf(value)) setTyped(shown);
  }, [value]);
  const onTyped = (text: string): void => {
    setTyped(text);
    // The address contains times in UTC, so that a shared link means the same time in every time zone.
    const parsed = isMoment ? (momentOf(text) ?? '') : text.trim();
    afterTyping(() => onChange(parsed));
  };
  return (
    <input
      name={name}
      // Preact has different attribute types for each input type; the attributes here are valid for all of them.
      type={type as 'text'}
      {...(isMoment && { step: 1 })}
      value={typed}
      maxLength={254}
      spellcheck={false}
      autocomplete="off"
      onInput={(event) => onTyped(event.currentTarget.value)}
    />
  );
}

/** The options of a choice; `undefined` if the filter is a field. */
function useOptions({ type, texts, ...filter }: Filter, value: string): readonly Option[] | undefined {
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

const TYPING_MS = 300;

/** Returns a function that does something when it was not called again for a moment: after the last keystroke. */
export function usePause(afterMs = TYPING_MS): (run: () => void) => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (run) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(run, afterMs);
  };
}
