import { mailKinds } from '@gatehouse/events';
import { sampleMails } from '@gatehouse/mails';
import { Locale, NameOf, Type } from '@gatehouse/schema';
import { route } from '../deps.ts';

export const getMailTemplate = route({
  method: 'get',
  path: '/admin/mail-template/:kind',
  operationId: 'getMailTemplate',
  tag: 'Mails',
  summary: 'Preview an email with sample data',
  description:
    'Renders an email as the mail worker does, with sample names, codes and links that do not work. `locale` is ' +
    'the locale of the recipient; English is used for locales without texts.',
  access: ['Admin'],
  params: Type.Object({ kind: NameOf(mailKinds) }),
  query: Type.Object({ locale: Type.Optional(Locale()) }),
  response: Type.Object({ Subject: Type.String(), Text: Type.String(), Html: Type.String() }),
  handler: ({ params, query, deps }) => {
    const content = { ...sampleMails[params.kind], Locale: query.locale ?? 'en' };
    const { subject, text, html } = deps.writeMail(params.kind, content);
    return { Subject: subject, Text: text, Html: html };
  },
});
