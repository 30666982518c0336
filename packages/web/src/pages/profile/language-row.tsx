import { useState } from 'preact/hooks';
import { call } from '../../ui/api/api.ts';
import { usePageData } from '../../ui/api/page-data.ts';
import { Form } from '../../ui/form/form.tsx';
import { Select } from '../../ui/form/select.tsx';
import { LanguageIcon } from '../../ui/icon.tsx';
import { Row } from '../../ui/layout/row.tsx';
import { forgetLanguage } from '../../ui/locale/chosen-language.ts';
import { nameOfLanguage } from '../../ui/locale/language-menu.tsx';
import { useText } from '../../ui/locale/locale.ts';
import { languageOf } from '../account/account-language.ts';
import { useSignedOut, type Profile } from '../account/own-account.ts';

/** The language of mails and pages. */
export function LanguageRow({ profile, reload }: { profile: Profile; reload: () => Promise<void> }) {
  const text = useText();
  const leave = useSignedOut();
  const { Locale: pageLocale, Locales } = usePageData();
  const [isOpen, setOpen] = useState(false);
  const spoken = languageOf(profile.Locale, Locales) ?? pageLocale;
  return (
    <Row
      icon={<LanguageIcon />}
      title={text('profile.language')}
      state={<span lang={spoken}>{nameOfLanguage(spoken)}</span>}
      action={{ words: text('row.change'), onPress: () => setOpen(true) }}
      onCancel={() => setOpen(false)}
    >
      {isOpen && (
        <Form
          submit={text('profile.save')}
          busyWords={text('profile.saving')}
          onSubmit={async ({ Locale = spoken }) => {
            const result = await call('PUT', '/account/profile', Locale === spoken ? {} : { Locale });
            if (!result.ok) return leave(result.problem) ? undefined : result.problem;
            if (Locale !== spoken) forgetLanguage(() => localStorage);
            // The page must be reloaded, because its texts are in the language in which it was loaded.
            if (Locale !== spoken && Locale !== pageLocale) location.assign(`?locale=${Locale}`);
            await reload();
            setOpen(false);
            return undefined;
          }}
        >
          <Select
            name="Locale"
            label={text('profile.language.label')}
            defaultValue={spoken}
            options={Locales.map((locale) => ({
              value: locale,
              words: nameOfLanguage(locale),
              lang: locale,
            }))}
          />
        </Form>
      )}
    </Row>
  );
}
