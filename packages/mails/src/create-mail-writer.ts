import type { Brand, Locales } from '@gatehouse/brand';
import type { MailContent, MailContentOf, MailKind } from '@gatehouse/events';
import type { MailText } from './en.ts';
import { letterOf, type Block, type Letter } from './letter.ts';
import { mailLogoOf } from './logo/mail-logo.ts';
import { createPhrasebook, shownCode, type Phrasebook } from './phrasebook.ts';
import { createLinks, writers, type Links } from './writers.ts';

export interface MailOptions {
  brand: Brand;
  locales: Locales<MailText>;
  /** The address of the account pages. */
  publicUrl: string;
  /** The address of shared content, with `{ContentDefinitionId}` as the placeholder of its id. */
  contentUrl?: string | undefined;
  /** Where users find help, unless the brand has its own address. */
  supportUrl?: string | undefined;
}

export type WriteMail = <K extends MailKind>(kind: K, content: MailContentOf<K>) => Letter;

/** Creates the function that writes mails. A mail depends only on its content and the configuration. */
export function createMailWriter({ brand, locales, supportUrl, ...addresses }: MailOptions): WriteMail {
  const links = createLinks(addresses);
  const style = { brand, logo: mailLogoOf(brand) };
  // Created once, as that costs more than the rest of a mail.
  const books = new Map(
    locales.names.map((name) => {
      const texts = locales.textsFor(name);
      return [texts.locale, createPhrasebook(texts, brand.name)];
    }),
  );
  const help = brand.supportUrl ?? supportUrl;
  return (kind, content) => {
    const book = books.get(locales.textsFor(content.Locale).locale);
    if (book === undefined) throw new Error(`no texts for ${content.Locale}`);
    // The compiler cannot see that both are of the same kind.
    const write = writers[kind] as (content: MailContent, book: Phrasebook, links: Links) => Block[];
    const title = book.say(`mail.${kind}.subject`);
    const draft = {
      locale: book.locale,
      subject: 'Code' in content && IN_SUBJECT.has(kind) ? `${shownCode(content.Code)}: ${title}` : title,
      title,
      blocks: [book.greet(content.DisplayName), ...write(content, book, links)],
      footer: {
        sender: book.say('mail.sender'),
        support: help === undefined ? undefined : { label: book.say('mail.support'), address: help },
      },
    };
    return letterOf(draft, style);
  };
}

/**
 * The mails whose subject begins with the code, so that people find it without opening the mail. A locked phone shows
 * subjects: codes that change how an account is protected, or erase it, are only in the mail.
 */
const IN_SUBJECT: ReadonlySet<MailKind> = new Set(['verification-code', 'login-code', 'email-change-code']);
