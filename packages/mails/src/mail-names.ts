import type { MailKind } from '@gatehouse/events';
import { namesInGerman } from './de.ts';
import { namesInEnglish } from './en.ts';

/** What administrators read in the place of a kind, by language. */
export const mailNames: Readonly<Record<'en' | 'de', Readonly<Record<MailKind, string>>>> = {
  en: namesInEnglish,
  de: namesInGerman,
};
