import { useLocation } from 'preact-iso';
import { useState } from 'preact/hooks';
import { Button } from '../../ui/form/button.tsx';
import type { CallApi } from '../api/call-api.ts';
import { useConsole } from '../api/console-context.ts';
import { useWords } from '../text.ts';

const PAGE = 200;
/** Limits the search: if this many pages contain no faces to review, searching by name is better. */
const PAGES_MAX = 10;

/** Opens another person who has faces to review. */
export function NextToReview({ exceptId }: { exceptId?: string }) {
  const words = useWords();
  const { callApi, toast } = useConsole();
  const { route } = useLocation();
  const [isBusy, setBusy] = useState(false);
  const go = async (): Promise<void> => {
    setBusy(true);
    const id = await findNext(callApi, exceptId);
    setBusy(false);
    if (id === undefined) toast(words('persons.review.nobody'));
    else route(`/console/persons/${id}`);
  };
  return (
    <Button busy={isBusy} onClick={() => void go()}>
      {words(exceptId === undefined ? 'persons.review' : 'persons.review.next')}
    </Button>
  );
}

async function findNext(callApi: CallApi, exceptId: string | undefined): Promise<string | undefined> {
  let cursor: string | undefined;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const result = await callApi('GET /person', { query: { limit: PAGE, ...(cursor && { cursor }) } });
    if (!result.ok) return undefined;
    const found = result.value.Items.find(
      ({ Id, FaceMatchCounts }) => Id !== exceptId && FaceMatchCounts.ProbableMatch > 0,
    );
    if (found !== undefined) return found.Id;
    cursor = result.value.NextCursor;
    if (cursor === undefined) return undefined;
  }
  return undefined;
}
