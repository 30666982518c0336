import type { ListOwnContentResponse, OwnContent } from 'gatehouse-client';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { Field, Select } from '../../ui/fields.tsx';
import { type FieldValues, Form } from '../../ui/form.tsx';
import { Icon } from '../../ui/icon.tsx';
import { languageOf } from '../../ui/languages.ts';
import { forgetLanguage, pageData, text } from '../../ui/locale.ts';
import { breakable, nameOfLanguage } from '../../ui/page.tsx';
import { Item, Items, Row, type RowProps, Rows, Section } from '../../ui/row.tsx';
import { When } from '../../ui/time.tsx';
import { useAccountOptions } from '../account-options.ts';
import { AccountPage, Loaded, useAccount, useOwn } from '../account/own-account.tsx';
import { ProvenRow, useProven } from '../account/proof.tsx';
import { PATHS } from '../page.ts';
import styles from './profile.module.css';

export function ProfilePage() {
  return (
    <AccountPage title={text('profile.title')} lead={text('profile.lead')}>
      <Person />
      <Rows>
        <NameRow />
        <EmailRow />
        <LanguageRow />
      </Rows>
      <Advice />
      <ContentSections />
    </AccountPage>
  );
}

function Person() {
  const { DisplayName, Email, CreatedAt } = useAccount().profile;
  const name = DisplayName ?? Email;
  const since = new Intl.DateTimeFormat(pageData.Locale, { month: 'long', year: 'numeric' });
  return (
    <div class={styles['person']}>
      <Avatar name={name} size="large" />
      <div class={styles['words']}>
        <p class={styles['name']}>{breakable(name)}</p>
        <p class={styles['since']}>{text('profile.since', { date: since.format(new Date(CreatedAt)) })}</p>
      </div>
    </div>
  );
}

function NameRow() {
  const { DisplayName } = useAccount().profile;
  return (
    <OwnRow icon="user" title={text('field.name')} state={DisplayName ?? text('profile.name.none')}>
      <Field
        name="DisplayName"
        label={text('profile.name.label')}
        hint={text('profile.name.hint')}
        autocomplete="name"
        defaultValue={DisplayName ?? ''}
        required
      />
    </OwnRow>
  );
}

function EmailRow() {
  return (
    <Row
      icon="mail"
      title={text('security.email.title')}
      state={useAccount().profile.Email}
      action={{ words: text('row.change'), href: PATHS.profileSecurity }}
    />
  );
}

interface OwnRowProps extends Pick<RowProps, 'icon' | 'title' | 'state'> {
  /** The change that the field asks for; by default what was typed. */
  changeOf?: (typed: FieldValues) => object;
  onSaved?: (typed: FieldValues) => void;
  children: ComponentChildren;
}

function OwnRow({ changeOf = (typed) => typed, onSaved, children, ...row }: OwnRowProps) {
  const { reload } = useAccount();
  const proven = useProven();
  return (
    <ProvenRow {...row} proven={proven}>
      <Form
        submit={text('profile.save')}
        busyWords={text('profile.saving')}
        onSubmit={(typed) =>
          proven.send('PUT /account/profile', changeOf(typed), async () => {
            onSaved?.(typed);
            await reload();
            proven.close();
          })
        }
      >
        {children}
      </Form>
    </ProvenRow>
  );
}

function LanguageRow() {
  const { profile } = useAccount();
  const { Locale: pageLocale, Locales } = pageData;
  const spoken = languageOf(profile.Locale, Locales) ?? pageLocale;
  return (
    <OwnRow
      icon="language"
      title={text('profile.language')}
      state={<span lang={spoken}>{nameOfLanguage(spoken)}</span>}
      changeOf={({ Locale = spoken }) => (Locale === spoken ? {} : { Locale })}
      onSaved={({ Locale = spoken }) => {
        if (Locale !== spoken) forgetLanguage();
        // The page must be reloaded, because its texts are in the language in which it was loaded.
        if (Locale !== spoken && Locale !== pageLocale) location.assign(`?locale=${Locale}`);
      }}
    >
      <Select
        name="Locale"
        label={text('profile.language.label')}
        defaultValue={spoken}
        options={Locales.map((locale) => ({ value: locale, words: nameOfLanguage(locale), lang: locale }))}
      />
    </OwnRow>
  );
}

const SHOWN = 10;

/** The account's own content, and what others share with it; nothing if there is none. */
function ContentSections() {
  const own = useOwn<ListOwnContentResponse>('/account/content?limit=100');
  const { value, problem } = own;
  const items = value?.Items ?? [];
  return (
    <>
      {problem !== undefined && <Loaded own={own}>{() => null}</Loaded>}
      <ContentSection words="owned" items={items.filter(({ Relation }) => Relation === 'Owner')} />
      <ContentSection words="shared" items={items.filter(({ Relation }) => Relation === 'Access')} />
    </>
  );
}

function ContentSection({ words, items }: { words: 'owned' | 'shared'; items: readonly OwnContent[] }) {
  const [isOpen, setOpen] = useState(false);
  if (items.length === 0) return null;
  // Without an address of content, only the app knows where it is.
  const isLinked = items.some(({ Url }) => Url !== undefined);
  return (
    <Section title={text(`${words}.title`)} lead={text(isLinked ? `${words}.lead` : `${words}.inApp`)}>
      <Items>
        {(isOpen ? items : items.slice(0, SHOWN)).map(({ Id, Name, Kind, Since, ExpiresAt, Url }) => (
          <Item
            key={Id}
            title={Url === undefined ? Name : <a href={Url}>{Name}</a>}
            facts={[
              <>
                {text(`shared.kind.${Kind}`)} · <When words="shared.since" at={Since} />
              </>,
              ExpiresAt !== null && <When words="shared.until" at={ExpiresAt} />,
            ]}
          />
        ))}
      </Items>
      {!isOpen && items.length > SHOWN && (
        <div>
          <Button onClick={() => setOpen(true)}>{text('shared.all', { count: items.length })}</Button>
        </div>
      )}
    </Section>
  );
}

/** What protects the account, how much of it there is, and where to add the rest. */
function Advice() {
  const { profile } = useAccount();
  const options = useAccountOptions();
  const passkeys = useOwn<{ Items: readonly unknown[] }>('/account/passkey').value?.Items.length;
  if (options === undefined || passkeys === undefined) return null;
  const passkey = { title: 'passkey.title', why: 'advice.passkey', begin: 'passkey.begin' } as const;
  const twoFactor = { title: 'twoFactor.title', why: 'advice.twoFactor', begin: 'twoFactor.setUp' } as const;
  const steps = [
    // Nobody signs in before.
    { title: 'advice.email', why: 'advice.done', begin: 'row.change', isDone: true } as const,
    ...(options.Passkeys || passkeys > 0 ? [{ ...passkey, isDone: passkeys > 0 }] : []),
    { ...twoFactor, isDone: profile.TwoFactorEnabled },
  ];
  const done = steps.filter(({ isDone }) => isDone).length;
  const tick = (
    <span class={styles['done']}>
      <Icon name="success" />
    </span>
  );
  return (
    <Section title={text('advice.title')} lead={text('advice.count', { done, all: steps.length })}>
      <Rows>
        {steps.map(({ title, why, begin, isDone }) => (
          <Row
            key={title}
            icon={isDone ? tick : 'circle'}
            title={text(title)}
            state={text(isDone ? 'advice.done' : why)}
            action={isDone ? undefined : { words: text(begin), href: PATHS.profileSecurity }}
          />
        ))}
      </Rows>
    </Section>
  );
}
