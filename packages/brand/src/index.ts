export { BACKGROUNDS, readBrand, brandCss, brandSettings, type Brand } from './read-brand.ts';
export { contrastOf } from './contrast.ts';
export { readLocales, type Locales, type LocaleTexts } from './read-locales.ts';
export { sizeOfPng, type Logo } from './read-logo.ts';
