import { Button } from '../../../ui/form/button.tsx';
import { usePageData } from '../../../ui/api/page-data.ts';
import { useWords } from '../../text.ts';
import { useFilters } from './filters.ts';
import { Icon } from '../icon.tsx';
import styles from './pager.module.css';

interface PagerProps {
  /** The cursor of the next page, if there is one. */
  next: string | undefined;
  /** The total, if it was counted. */
  count?: number | undefined;
  isExact?: boolean | undefined;
}

/** Buttons for newer and older pages of a list. The page is in the address, so that Back opens the newer one. */
export function Pager({ next, count, isExact = true }: PagerProps) {
  const words = useWords();
  const { Locale } = usePageData();
  const { values, set } = useFilters();
  // An empty list says so itself.
  const number = count === undefined || count === 0 ? undefined : new Intl.NumberFormat(Locale).format(count);
  return (
    <nav class={styles['pager']} aria-label={words('pager.label')}>
      <span class="quiet" role="status">
        {number !== undefined && words(isExact ? 'pager.count' : 'pager.count.more', { count: number })}
      </span>
      {values['cursor'] !== undefined && (
        <>
          <Button icon={<Icon name="newer" />} onClick={() => set({ cursor: undefined })}>
            {words('pager.newest')}
          </Button>
          <Button onClick={() => history.back()}>{words('pager.newer')}</Button>
        </>
      )}
      {next !== undefined && (
        <Button onClick={() => set({ cursor: next }, { keepPage: true })}>{words('pager.older')}</Button>
      )}
    </nav>
  );
}
