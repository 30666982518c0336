import { pageData } from '../../ui/locale.ts';
import { type Input, useQuery } from '../api/call-api.ts';
import { All } from '../kit/define-screen.tsx';
import { choicesOf, named, words } from '../text.ts';
import { FilterBar } from '../ui/filter-bar.tsx';
import { useFilters } from '../ui/filters.ts';
import { Card, Loaded, ScreenPage } from '../ui/screen-page.tsx';
import styles from './templates.module.css';

type MailKind = NonNullable<Input<'GET /admin/mail-template/{kind}'>['path']>['kind'];

/** Every kind of mail, with its name in the reader's language. Admin adds these names to the texts of the page. */
export const mailKinds = () => choicesOf('mails.kind', named('mails.kind'));

/** Every mail in every language as it looks, with example data. Its HTML is in a frame that can run and load nothing. */
export function TemplatesScreen() {
  const kinds = mailKinds();
  const { Locale, Locales } = pageData;
  const { values } = useFilters();
  const chosen = kinds.find(({ value }) => value === values['kind'])?.value ?? 'invitation';
  const kind = chosen as MailKind; // Admin adds one text for each kind
  const locale = values['locale'] ?? Locale;
  const result = useQuery('GET /admin/mail-template/{kind}', { path: { kind }, query: { locale } });
  const languages = new Intl.DisplayNames(Locale, { type: 'language' });
  return (
    <ScreenPage title={words('mails.templates')}>
      <p>{words('mails.templates.lead')}</p>
      <FilterBar
        isFixed
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
            <iframe
              class={styles['look']}
              sandbox=""
              title={words('mails.look')}
              src={`/admin/mail-template/${kind}/page?${new URLSearchParams({ locale }).toString()}`}
            />
            <Source title={words('mails.text')} lang={locale} text={Text} />
            <Source title={words('mails.html')} text={Html} />
          </Card>
        )}
      </Loaded>
      <All path="mails" label="mails.all" />
    </ScreenPage>
  );
}

function Source({ title, text, lang }: { title: string; text: string; lang?: string }) {
  return (
    <details>
      <summary>{title}</summary>
      <pre class={styles['text']} lang={lang} tabIndex={0} role="region" aria-label={title}>
        {text}
      </pre>
    </details>
  );
}
