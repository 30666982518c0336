/** The placeholder in `CONTENT_URL` for the id of a content definition. */
export const CONTENT_PLACE = '{ContentDefinitionId}';

/** The URL at which shared content is opened, according to `CONTENT_URL`. */
export function contentAddress(contentUrl: string, contentDefinitionId: string): string {
  return contentUrl.replace(CONTENT_PLACE, () => encodeURIComponent(contentDefinitionId));
}
