import { useState } from 'preact/hooks';
import { call } from '../../ui/api/api.ts';
import { Field } from '../../ui/form/field.tsx';
import { Form } from '../../ui/form/form.tsx';
import { forgetLanguage } from '../../ui/locale/chosen-language.ts';
import { nameOfLanguage } from '../../ui/locale/language-menu.tsx';
import { useText } from '../../ui/locale/locale.ts';
import { Notice } from '../../ui/layout/notice.tsx';
import { usePageData } from '../../ui/api/page-data.ts';
import { Section } from '../../ui/layout/section.tsx';
import { Select } from '../../ui/form/select.tsx';
import { languageOf } from '../account/account-language.ts';
import { useSignedOut, type Profile } from '../account/own-account.ts';

/** Name and language. */
export function PersonSection({ profile, reload }: { profile: Profile; reload: () => Promise<void> }) {
  const text = useText();
  const leave = useSignedOut();
  const { Locale: pageLocale, Locales } = usePageData();
  const [isSaved, setSaved] = useState(false);
  const spoken = languageOf(profile.Locale, Locales) ?? pageLocale;
  return (
    <Section
      title={text('profile.person.title')}
      lead={text('profile.person.lead', { email: profile.Email })}
    >
      <Form
        submit={text('profile.person.submit')}
        onSubmit={async ({ DisplayName, Locale = spoken }) => {
          setSaved(false);
          const body = { ...(DisplayName && { DisplayName }), ...(Locale !== spoken && { Locale }) };
          const result = await call('PUT', '/account/profile', body);
          if (!result.ok) return leave(result.problem) ? undefined : result.problem;
          if (Locale !== spoken) forgetLanguage(() => localStorage);
          // The page must be reloaded, because its texts are in the language in which it was loaded.
          if (Locale !== spoken && Locale !== pageLocale) location.assign(`?locale=${Locale}`);
          setSaved(true);
          await reload();
          return undefined;
        }}
      >
        <Field
          name="DisplayName"
          label={text('field.name')}
          hint={text('profile.person.name.hint')}
          autocomplete="name"
          defaultValue={profile.DisplayName ?? ''}
          required={profile.DisplayName !== null}
        />
        <Select
          name="Locale"
          label={text('profile.person.language')}
          defaultValue={spoken}
          options={Locales.map((locale) => ({ value: locale, words: nameOfLanguage(locale), lang: locale }))}
        />
      </Form>
      {isSaved && (
        <Notice meaning="success">
          <p>{text('profile.person.saved')}</p>
        </Notice>
      )}
    </Section>
  );
}
