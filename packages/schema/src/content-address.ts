/** What stands in `CONTENT_URL` in the place of a content's id. */
export const CONTENT_PLACE = '{ContentDefinitionId}';

/** Where shared content is opened, by `CONTENT_URL`. */
export function contentAddress(contentUrl: string, contentDefinitionId: string): string {
  return contentUrl.replace(CONTENT_PLACE, () => encodeURIComponent(contentDefinitionId));
}
