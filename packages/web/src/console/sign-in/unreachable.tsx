import type { Problem } from '../../ui/api/api.ts';
import { Page } from '../../ui/layout/page.tsx';
import { useWords } from '../text.ts';
import { ProblemBox } from '../ui/layout/state.tsx';

/** Shown if the API does not answer, so that it is unknown whether the user is signed in. */
export function Unreachable({ problem, retry }: { problem: Problem; retry: () => void }) {
  const words = useWords();
  return (
    <Page title={words('signIn.unreachable')}>
      <ProblemBox problem={problem} retry={retry} />
    </Page>
  );
}
