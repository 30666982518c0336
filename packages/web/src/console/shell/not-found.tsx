import { useWords } from '../text.ts';
import { ScreenPage } from '../ui/layout/screen-page.tsx';
import { Empty } from '../ui/layout/state.tsx';

/** Shown for addresses without a screen. */
export function NotFound() {
  const words = useWords();
  return (
    <ScreenPage title={words('shell.notFound')}>
      <Empty title={words('shell.notFound.lead')}>
        <a href="/console">{words('shell.home')}</a>
      </Empty>
    </ScreenPage>
  );
}
