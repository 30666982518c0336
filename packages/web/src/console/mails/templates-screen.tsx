import { usePageData } from '../../ui/api/page-data.ts';
import { useQuery } from '../api/use-query.ts';
import { useWords } from '../text.ts';
import { FilterBar } from '../ui/table/filter-bar.tsx';
import { useFilters } from '../ui/table/filters.ts';
import { Card, ScreenPage } from '../ui/layout/screen-page.tsx';
import { Loaded } from '../ui/layout/state.tsx';
import styles from './templates.module.css';
import { useMailKinds } from './use-mail-kinds.ts';

/** Every mail in every language, with example data. The HTML is shown as source: the console renders no such markup. */
export function TemplatesScreen() {
  const words = useWords();
  const kinds = useMailKinds();
  const { Locale, Locales } = usePageData();
  const { values } = useFilters();
  const kind = kinds.find(({ value }) => value === values['kind'])?.value ?? 'invitation';
  const locale = values['locale'] ?? Locale;
  const result = useQuery('GET /admin/mail-template/{kind}', { path: { kind }, query: { locale } });
  const languages = new Intl.DisplayNames(Locale, { type: 'language' });
  return (
    <ScreenPage title={words('mails.templates')}>
      <p>{words('mails.templates.lead')}</p>
      <FilterBar
        filters={[
          { name: 'kind', label: 'mails.kind', options: kinds },
          {
            name: 'locale',
            label: 'mails.language',
            options: Locales.map((value) => ({ value, words: languages.of(value) ?? value })),
          },
        ]}
      />
      <Loaded result={result}>
        {({ Subject, Text, Html }) => (
          <Card title={Subject}>
            <pre
              class={styles['text']}
              lang={locale}
              tabIndex={0}
              role="region"
              aria-label={words('mails.text')}
            >
              {Text}
            </pre>
            <details>
              <summary>{words('mails.html')}</summary>
              <pre class={styles['text']} tabIndex={0} role="region" aria-label={words('mails.html')}>
                {Html}
              </pre>
            </details>
          </Card>
        )}
      </Loaded>
      <p>
        <a href="/console/mails">{words('mails.all')}</a>
      </p>
    </ScreenPage>
  );
}
