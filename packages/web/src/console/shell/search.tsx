import { useLocation } from 'preact-iso';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Result } from '../../ui/api.ts';
import { type Answer, type CallApi, useConsole, useQuery } from '../api/call-api.ts';
import { PLACES } from '../objects.tsx';
import { type TextKey, words } from '../text.ts';
import { usePause } from '../ui/filter-bar.tsx';
import { listAt } from '../ui/filters.ts';
import { Icon } from '../ui/icon.tsx';
import { canLeave } from './leaving.ts';
import styles from './search.module.css';

const LIST = 'search-suggestions';

/**
 * The global search: opens the object with an id, the audit entries with a trace id, or what came from an IP address;
 * else suggests accounts while one types, and searches them. A combobox as in the ARIA patterns: the focus stays in the
 * field, and the arrows move through the suggestions.
 */
export function Search() {
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
        return void find();
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

function useSearch() {
  const { route } = useLocation();
  const { callApi, toast } = useConsole();
  const [typed, setTyped] = useState('');
  const [state, setState] = useState<'ready' | 'looking' | 'nothing'>('ready');
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
  const type = (text: string): void => {
    setTyped(text);
    setState('ready');
    choice.open();
  };
  const find = async (): Promise<void> => {
    const searched = typed.trim();
    if (searched === '' || !canLeave()) return;
    const kind = kindOf(searched);
    if (kind !== 'id') return go(addressOf(kind, searched));
    setState('looking');
    const place = await placeOfId(callApi, searched.toLowerCase());
    setState(place === undefined ? 'nothing' : 'ready');
    if (place === undefined) return;
    go(place.address);
    if (place.says) toast(words(place.says));
  };
  return { field, typed, type, choice, choose, state, find };
}

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

function Suggestions({ choice, onChoose }: { choice: Choice; onChoose: (href: string) => void }) {
  const { suggestions, isShown, active } = choice;
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
          {said} {more && <span class="quiet">{more}</span>}
        </li>
      ))}
    </ul>
  );
}

type Choice = ReturnType<typeof useChoice>;

interface Suggestion {
  href: string;
  words: string;
  more?: string | null;
}

const TYPING_MS = 200;
const CHARACTERS_MIN = 2;
const SHOWN_MAX = 6;

/** What a search may mean: accounts with this text, or what came from this address. */
function useSuggestions(typed: string): readonly Suggestion[] {
  const text = typed.trim();
  const [search, setSearch] = useState('');
  const afterTyping = usePause(TYPING_MS);
  useEffect(() => afterTyping(() => setSearch(text)), [text]);
  const enabled = search.length >= CHARACTERS_MIN && kindOf(search) === 'text';
  const { data, isOld } = useQuery(
    'GET /admin/account',
    { query: { search, limit: SHOWN_MAX } },
    { enabled },
  );
  if (kindOf(text) === 'ip') {
    const from = { ipAddress: text };
    return [
      { href: listAt('sessions', from), words: words('search.sessionsFrom', { address: text }) },
      { href: listAt('sign-ins', from), words: words('search.signInsFrom', { address: text }) },
    ];
  }
  if (text !== search || !enabled || isOld) return [];
  const accounts = data?.Items ?? [];
  return accounts.map(({ Id, Email, DisplayName }) => ({
    href: `/console/accounts/${Id}`,
    words: Email,
    more: DisplayName,
  }));
}

/** What a search is: an id, a trace id, an IP address or a network by its looks (the API decides), or a text. */
function kindOf(text: string): 'id' | 'trace' | 'ip' | 'text' {
  if (UUID.test(text)) return 'id';
  if (TRACE.test(text)) return 'trace';
  return IP_ADDRESS.test(text) ? 'ip' : 'text';
}

function addressOf(kind: 'trace' | 'ip' | 'text', text: string): string {
  if (kind === 'trace') return listAt('audit', { traceId: text.toLowerCase() });
  return kind === 'ip' ? listAt('sessions', { ipAddress: text }) : listAt('accounts', { search: text });
}

const IP_ADDRESS = /^(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f]*(?::[0-9a-f]*){2,7})(?:\/\d{1,3})?$/i;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const TRACE = /^[0-9a-f]{32}$/i;

interface Place {
  address: string;
  says?: TextKey;
}

/** The address that shows the object with this id; `undefined` if no object has, or ever had, this id. */
async function placeOfId(callApi: CallApi, id: string): Promise<Place | undefined> {
  const [screens, invitation, erasures, changes] = await Promise.all([
    Promise.all(PLACES.map(([, operation]) => callApi(operation, { path: { id } }))),
    callApi('GET /admin/invitation/{id}', { path: { id } }),
    callApi('GET /admin/erasure', { query: { userId: id } }),
    callApi('GET /admin/audit', { query: { targetId: id, limit: 1 } }),
  ]);
  const screen = PLACES[screens.findIndex(({ ok }) => ok)];
  if (screen !== undefined) return { address: `${screen[2]}/${id}` };
  if (invitation.ok) return placeOfInvitation(invitation.value);
  // Only if every response is 404 does the object no longer exist: access may be denied, or an API unavailable.
  const isCertain = screens.every((result) => !result.ok && result.problem.status === 404);
  const place = (address: string, says: TextKey): Place => ({ address, ...(isCertain && { says }) });
  if (hasItems(erasures)) return place(`/console/erasures?userId=${id}`, 'search.erased');
  if (hasItems(changes)) return place(`/console/audit?targetId=${id}`, 'search.changes');
  return undefined;
}

function hasItems(result: Result<{ Items: readonly unknown[] }>): boolean {
  return result.ok && result.value.Items.length > 0;
}

/** A pending invitation is in the list, an accepted one has become an account, and a deleted one is only in the audit. */
function placeOfInvitation(invitation: Answer<'GET /admin/invitation/{id}'>): Place {
  const { Id, UserId, AcceptedAt, DeletedAt } = invitation;
  if (AcceptedAt !== null) return { address: `/console/accounts/${UserId}`, says: 'search.accepted' };
  if (DeletedAt !== null)
    return { address: `/console/audit?targetId=${Id}`, says: 'search.deletedInvitation' };
  return { address: `/console/invitations?id=${Id}`, says: 'search.invitation' };
}
