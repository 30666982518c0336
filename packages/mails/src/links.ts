import { contentAddress, PAGE_FRAGMENTS, type PageFragment, type PagePath } from '@gatehouse/schema';

export type Links = ReturnType<typeof createLinks>;

/**
 * The links of mails. They depend only on the configuration: no request and no mail content can choose a host.
 * `contentUrl` contains `{ContentDefinitionId}` as the placeholder of the id.
 */
export function createLinks(options: { publicUrl: string; contentUrl?: string | undefined }) {
  const { publicUrl, contentUrl } = options;
  return {
    /** A page below `PUBLIC_URL`, with its parameters after the `#`. */
    link: (path: PagePath, fragment: PageFragment = {}): string => {
      const url = new URL(publicUrl);
      url.pathname = url.pathname.replace(/\/$/, '') + path;
      url.hash = PAGE_FRAGMENTS.flatMap((name) => {
        const value = fragment[name];
        return value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`];
      }).join('&');
      return url.href;
    },

    /** Shared content at `CONTENT_URL`; `undefined` if that is not set. */
    contentLink: (contentDefinitionId: string): string | undefined =>
      contentUrl === undefined ? undefined : contentAddress(contentUrl, contentDefinitionId),
  };
}
