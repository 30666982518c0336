import { Type } from '@gatehouse/schema';

/** The environment variables of every service that shows something to people. */
export const brandSettings = {
  BRAND_FILE: Type.Optional(
    Type.String({ description: 'JSON file with the name, accent and logo that pages and mails show' }),
  ),
  LOCALES_DIRECTORY: Type.Optional(
    Type.String({
      description:
        'directory of <locale>.json files that add to the texts of pages and mails, or change them',
    }),
  ),
};
