import { useEffect, useState } from 'preact/hooks';
import { useConsole } from '../api/console-context.ts';
import { useWords } from '../text.ts';
import { isAddress, isText } from './find.ts';

export interface Suggestion {
  href: string;
  words: string;
  more?: string | undefined;
}

const TYPING_MS = 200;
const CHARACTERS_MIN = 2;
const SHOWN_MAX = 6;

/** What a search may mean: accounts with this text, or what came from this address. */
export function useSuggestions(typed: string): readonly Suggestion[] {
  const words = useWords();
  const { callApi } = useConsole();
  const [found, setFound] = useState<{ text: string; suggestions: readonly Suggestion[] }>();
  const text = typed.trim();
  useEffect(() => {
    if (text.length < CHARACTERS_MIN || !isText(text)) return undefined;
    let isOver = false;
    const timer = setTimeout(() => {
      void callApi('GET /admin/account', { query: { search: text, limit: SHOWN_MAX } }).then((result) => {
        if (isOver || !result.ok) return;
        const suggestions = result.value.Items.map(({ Id, Email, DisplayName }) => ({
          href: `/console/accounts/${Id}`,
          words: Email,
          more: DisplayName ?? undefined,
        }));
        setFound({ text, suggestions });
      });
    }, TYPING_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [text]);
  if (isAddress(text)) {
    const query = new URLSearchParams({ ipAddress: text }).toString();
    return [
      { href: `/console/sessions?${query}`, words: words('search.sessionsFrom', { address: text }) },
      { href: `/console/sign-ins?${query}`, words: words('search.signInsFrom', { address: text }) },
    ];
  }
  return found?.text === text ? found.suggestions : [];
}
