import { contentAddress, PAGE_FRAGMENTS, type PageFragment, type PagePath } from '@gatehouse/schema';

/** The links of mails. They depend only on the configuration: no request and no mail content can choose a host. */
export interface Links {
  /** A page below `PUBLIC_URL`, with its parameters after the `#`. */
  link(path: PagePath, fragment?: PageFragment): string;
  /** Shared content at `CONTENT_URL`; `undefined` if that is not set. */
  contentLink(contentDefinitionId: string): string | undefined;
}

/** `contentUrl` contains `{ContentDefinitionId}` as the placeholder of the id. */
export function createLinks(options: { publicUrl: string; contentUrl?: string | undefined }): Links {
  const { publicUrl, contentUrl } = options;
  return {
    link: (path, fragment = {}) => {
      const url = new URL(publicUrl);
      url.pathname = url.pathname.replace(/\/$/, '') + path;
      url.hash = PAGE_FRAGMENTS.flatMap((name) => {
        const value = fragment[name];
        return value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`];
      }).join('&');
      return url.href;
    },
    contentLink: (contentDefinitionId) =>
      contentUrl === undefined ? undefined : contentAddress(contentUrl, contentDefinitionId),
  };
}
