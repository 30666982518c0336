import { readBrand } from '@gatehouse/brand';
import { mailKinds, type MailKind } from '@gatehouse/events';
import { textAs } from '@gatehouse/http';
import { createMailWriter, readMailLocales, sampleMails } from '@gatehouse/mails';
import type { Letter, WriteMail } from '@gatehouse/mails';
import { readPageAddresses } from '@gatehouse/runtime';
import { Locale, NameOf, Type } from '@gatehouse/schema';
import { routeOf } from '../deps.ts';

const route = routeOf({ tag: 'Mails', access: ['Admin'] });

export type MailWriterSettings = Parameters<typeof readPageAddresses>[0] & {
  readonly BRAND_FILE?: string | undefined;
  readonly LOCALES_DIRECTORY?: string | undefined;
  readonly PUBLIC_URL?: string | undefined;
  readonly ISSUER: string;
};

/**
 * Creates a mail writer that is identical to that of a mail worker with the same settings.
 *
 * @throws {ConfigError} that says what is wrong with them.
 */
export function openMailWriter(settings: MailWriterSettings): WriteMail {
  return createMailWriter({
    brand: readBrand(settings.BRAND_FILE),
    locales: readMailLocales(settings.LOCALES_DIRECTORY),
    publicUrl: new URL(settings.PUBLIC_URL ?? settings.ISSUER).href,
    ...readPageAddresses(settings),
  });
}

const ByKind = { kind: NameOf(mailKinds) };
const TemplateQuery = Type.Object({ locale: Type.Optional(Locale()) });

export const mailTemplateRoutes = [
  route('GET /admin/mail-template/:kind', {
    operationId: 'getMailTemplate',
    summary: 'Preview an email with sample data',
    description:
      'Renders an email as the mail worker does, with sample names, codes and links that do not work. `locale` is ' +
      'the locale of the recipient; English is used for locales without texts.',
    params: ByKind,
    query: TemplateQuery,
    response: Type.Object({ Subject: Type.String(), Text: Type.String(), Html: Type.String() }),
    handler: ({ params, query, deps }) => {
      const { subject, text, html } = sample(deps.writeMail, params.kind, query.locale);
      return { Subject: subject, Text: text, Html: html };
    },
  }),

  route('GET /admin/mail-template/:kind/page', {
    operationId: 'showMailTemplate',
    summary: 'Show the HTML of an email with sample data',
    description: 'As a page for a frame of the console: it runs no scripts, loads nothing and leads nowhere.',
    params: ByKind,
    query: TemplateQuery,
    response: textAs('text/html; charset=utf-8'),
    headers: {
      fixed: {
        'Cache-Control': 'no-store',
        'Content-Security-Policy':
          "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox; frame-ancestors 'self'",
      },
    },
    handler: ({ params, query, deps }) => {
      const { html, pictures } = sample(deps.writeMail, params.kind, query.locale);
      // Mails attach their pictures (RFC 2392), which a browser would not find.
      return pictures.reduce(
        (page, { cid, png }) =>
          page.replaceAll(`cid:${cid}`, `data:image/png;base64,${png.toString('base64')}`),
        html,
      );
    },
  }),
];

function sample(writeMail: WriteMail, kind: MailKind, locale = 'en'): Letter {
  return writeMail(kind, { ...sampleMails[kind], Locale: locale });
}
