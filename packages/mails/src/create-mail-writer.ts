import type { Brand, Locales } from '@gatehouse/brand';
import type { MailContent, MailContentOf, MailKind } from '@gatehouse/events';
import type { MailText } from './en.ts';
import type { Block } from './draft.ts';
import { letterOf, type Letter } from './letter.ts';
import { mailLogoOf } from './logo/mail-logo.ts';
import { createLinks, type Links } from './links.ts';
import { createPhrasebook, type Phrasebook } from './phrasebook.ts';
import { writers } from './writers.ts';

/** What all mails of an installation have in common. */
export interface MailOptions {
  brand: Brand;
  locales: Locales<MailText>;
  /** Where account pages are. */
  publicUrl: string;
  /** Where shared content is opened, with `{ContentDefinitionId}` in the place of its id. */
  contentUrl?: string | undefined;
  /** Where people find help, unless the brand says. */
  supportUrl?: string | undefined;
}

export type WriteMail = <K extends MailKind>(kind: K, content: MailContentOf<K>) => Letter;

/** Gives the one who writes mails: each is made of its content and of what is configured, and of nothing else. */
export function createMailWriter({ brand, locales, supportUrl, ...addresses }: MailOptions): WriteMail {
  const links = createLinks(addresses);
  const style = { brand, logo: mailLogoOf(brand) };
  // Made once, as making one costs more than all the rest of a letter.
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
    // The compiler does not see that both are of the same kind.
    const write = writers[kind] as (content: MailContent, book: Phrasebook, links: Links) => Block[];
    const draft = {
      locale: book.locale,
      subject: book.say(`mail.${kind}.subject`),
      blocks: [book.greet(content.DisplayName), ...write(content, book, links)],
      footer: {
        sender: book.say('mail.sender'),
        support: help === undefined ? undefined : { label: book.say('mail.support'), address: help },
      },
    };
    return letterOf(draft, style);
  };
}
