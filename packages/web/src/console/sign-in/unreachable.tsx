import type { Problem } from '../../ui/api.ts';
import { Page } from '../../ui/page.tsx';
import { useWords } from '../text.ts';
import { ProblemBox } from '../ui/state.tsx';

/** Nobody can tell who is signed in just now. */
export function Unreachable({ problem, again }: { problem: Problem; again: () => void }) {
  const words = useWords();
  return (
    <Page title={words('signIn.unreachable')}>
      <ProblemBox problem={problem} again={again} />
    </Page>
  );
}
