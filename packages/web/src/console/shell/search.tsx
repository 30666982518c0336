import { useLocation } from 'preact-iso';
import { useState } from 'preact/hooks';
import { useConsole } from '../api/console-context.ts';
import { useWords } from '../text.ts';
import { Icon } from '../ui/icon.tsx';
import { placeOfId, readSearch } from './find.ts';
import { canLeave } from './leaving.ts';
import styles from './search.module.css';

/** The global search: opens the object with an id, or the audit entries with a trace id; else searches accounts. */
export function Search() {
  const words = useWords();
  const { callApi, toast } = useConsole();
  const { route } = useLocation();
  const [state, setState] = useState<'ready' | 'looking' | 'nothing'>('ready');
  const find = async (typed: string): Promise<void> => {
    const target = readSearch(typed);
    if (target === undefined || !canLeave()) return;
    if (target.kind !== 'id') return route(target.address);
    setState('looking');
    const place = await placeOfId(callApi, target.id);
    setState(place === undefined ? 'nothing' : 'ready');
    if (place === undefined) return;
    route(place.address);
    if (place.says) toast(words(place.says));
  };
  return (
    <form
      class={styles['search']}
      role="search"
      aria-label={words('search.label')}
      onSubmit={(event) => {
        event.preventDefault();
        const typed = new FormData(event.currentTarget).get('find');
        if (typeof typed === 'string') void find(typed);
      }}
    >
      <Icon name="search" />
      <input
        class={styles['input']}
        name="find"
        type="search"
        aria-label={words('search.label')}
        placeholder={words('search.placeholder')}
        aria-keyshortcuts="/"
        autocomplete="off"
        spellcheck={false}
        maxLength={254}
        onInput={() => setState('ready')}
      />
      <kbd class={styles['key']} aria-hidden="true">
        /
      </kbd>
      <span class={styles['said']} role="status">
        {state === 'looking' && words('search.looking')}
        {state === 'nothing' && words('search.nothing')}
      </span>
    </form>
  );
}
