import type { Problem } from '../../ui/api/api.ts';
import { Page } from '../../ui/layout/page.tsx';
import { useWords } from '../text.ts';
import { ProblemBox } from '../ui/layout/state.tsx';

/** Nobody can tell who is signed in just now. */
export function Unreachable({ problem, retry }: { problem: Problem; retry: () => void }) {
  const words = useWords();
  return (
    <Page title={words('signIn.unreachable')}>
      <ProblemBox problem={problem} retry={retry} />
    </Page>
  );
}
