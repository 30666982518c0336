export { createMailWriter, type WriteMail } from './create-mail-writer.ts';
export type { Letter } from './letter.ts';
export { readMailLocales, shownCode } from './phrasebook.ts';
export { mailNames } from './mail-names.ts';
export { sampleMails } from './sample-mails.ts';
