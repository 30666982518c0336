import { createCookieJar } from '@gatehouse/http/testing';

export interface Page {
  url: string;
  status: number;
  headers: Headers;
  text: string;
}

const HOPS_MAX = 20;

/** The parts of a browser that a login needs: cookies, redirects and forms. It stops before it loads `home`. */
export function openBrowser(home: string) {
  const jar = createCookieJar();

  const go = async (url: string, form?: URLSearchParams): Promise<Page> => {
    let [next, body] = [url, form];
    for (let hop = 0; hop < HOPS_MAX; hop += 1) {
      const cookie = jar.header(next);
      const answer = await fetch(next, {
        redirect: 'manual',
        headers: cookie === '' ? {} : { cookie },
        ...(body !== undefined && { method: 'POST', body }),
        signal: AbortSignal.timeout(10_000),
      });
      const text = await answer.text();
      jar.take(next, answer.headers.getSetCookie());
      const location = answer.headers.get('location');
      if (location === null) return { url: next, status: answer.status, headers: answer.headers, text };
      [next, body] = [new URL(location, next).href, undefined];
      if (next.startsWith(home)) return { url: next, status: answer.status, headers: answer.headers, text };
    }
    throw new Error(`redirected without end, at last to ${new URL(next).pathname}`);
  };

  const submit = (page: Page, values: Record<string, string>): Promise<Page> => {
    const action = /<form[^>]*\saction="([^"]*)"/.exec(page.text)?.[1];
    if (action === undefined) throw new Error(`no form at ${page.url}: ${page.status} ${page.text}`);
    for (const name of Object.keys(values)) {
      if (!page.text.includes(` name="${name}"`)) throw new Error(`the form has no field ${name}`);
    }
    return go(new URL(action, page.url).href, new URLSearchParams(values));
  };

  return { jar, go, submit };
}
