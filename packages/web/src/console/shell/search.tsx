import { useLocation } from 'preact-iso';
import { useRef, useState } from 'preact/hooks';
import { useConsole } from '../api/console-context.ts';
import { useWords } from '../text.ts';
import { Icon } from '../ui/icon.tsx';
import { placeOfId, readSearch } from './find.ts';
import { canLeave } from './leaving.ts';
import styles from './search.module.css';
import { useSuggestions, type Suggestion } from './use-suggestions.ts';

const LIST = 'search-suggestions';

/**
 * The global search: opens the object with an id, the audit entries with a trace id, or what came from an IP address;
 * else suggests accounts while one types, and searches them. A combobox as in the ARIA patterns: the focus stays in the
 * field, and the arrows move through the suggestions.
 */
export function Search() {
  const words = useWords();
  const { field, typed, type, choice, choose, state, find } = useSearch();
  return (
    <form
      class={styles['search']}
      role="search"
      aria-label={words('search.label')}
      onSubmit={(event) => {
        event.preventDefault();
        if (choice.chosen) return choose(choice.chosen.href);
        choice.close();
        return void find(typed);
      }}
      onFocusOut={({ currentTarget, relatedTarget }) => {
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) choice.close();
      }}
    >
      <Icon name="search" />
      <input
        class={styles['input']}
        ref={field}
        name="find"
        type="text"
        role="combobox"
        enterkeyhint="search"
        aria-label={words('search.label')}
        {...choice.aria}
        placeholder={words('search.placeholder')}
        aria-keyshortcuts="/"
        autocomplete="off"
        spellcheck={false}
        maxLength={254}
        value={typed}
        onKeyDown={choice.onKey}
        onInput={(event) => type(event.currentTarget.value)}
      />
      <kbd class={styles['key']} aria-hidden="true">
        /
      </kbd>
      <Suggestions choice={choice} onChoose={choose} />
      <span class={styles['said']} role="status">
        {state !== 'ready' && words(`search.${state}`)}
      </span>
    </form>
  );
}

/** What is typed, what it may mean, and where it leads. */
function useSearch() {
  const { route } = useLocation();
  const [typed, setTyped] = useState('');
  const choice = useChoice(useSuggestions(typed));
  const field = useRef<HTMLInputElement>(null);
  const go = (href: string): void => {
    choice.close();
    // The title of the screen takes the focus if no element has it.
    field.current?.blur();
    route(href);
  };
  const choose = (href: string): void => {
    if (canLeave()) go(href);
  };
  const { state, find, reset } = useFind(go);
  const type = (text: string): void => {
    setTyped(text);
    reset();
    choice.open();
  };
  return { field, typed, type, choice, choose, state, find };
}

/** Opens what a search means, and says if there is nothing. */
function useFind(go: (href: string) => void) {
  const words = useWords();
  const { callApi, toast } = useConsole();
  const [state, setState] = useState<'ready' | 'looking' | 'nothing'>('ready');
  const find = async (text: string): Promise<void> => {
    const target = readSearch(text);
    if (target === undefined || !canLeave()) return;
    if (target.kind !== 'id') return go(target.address);
    setState('looking');
    const place = await placeOfId(callApi, target.id);
    setState(place === undefined ? 'nothing' : 'ready');
    if (place === undefined) return;
    go(place.address);
    if (place.says) toast(words(place.says));
  };
  return { state, find, reset: () => setState('ready') };
}

/** Which suggestion is chosen, and whether they are shown. */
function useChoice(suggestions: readonly Suggestion[]) {
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const isShown = isOpen && suggestions.length > 0;
  const show = (is: boolean): void => {
    setOpen(is);
    setActive(-1);
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && isShown) {
      event.preventDefault();
      show(false);
    }
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step === 0 || suggestions.length === 0) return;
    event.preventDefault();
    setOpen(true);
    const places = suggestions.length + 1;
    // Before the first one is the field itself.
    setActive(((active + 1 + step + places) % places) - 1);
  };
  return {
    suggestions,
    isShown,
    active,
    chosen: isShown ? suggestions[active] : undefined,
    open: () => show(true),
    close: () => show(false),
    onKey,
    aria: {
      'aria-expanded': isShown,
      'aria-controls': LIST,
      'aria-autocomplete': 'list',
      'aria-activedescendant': isShown && active >= 0 ? `${LIST}-${active}` : undefined,
    },
  } as const;
}

interface SuggestionsProps {
  choice: ReturnType<typeof useChoice>;
  onChoose: (href: string) => void;
}

function Suggestions({ choice: { suggestions, isShown, active }, onChoose }: SuggestionsProps) {
  const words = useWords();
  return (
    <ul id={LIST} class={styles['list']} role="listbox" aria-label={words('search.label')} hidden={!isShown}>
      {suggestions.map(({ href, words: said, more }, index) => (
        <li
          key={href}
          id={`${LIST}-${index}`}
          role="option"
          aria-selected={index === active}
          // Otherwise the field loses the focus before the click.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(href)}
        >
          {said} {more !== undefined && <span class="quiet">{more}</span>}
        </li>
      ))}
    </ul>
  );
}
