/** What `fetch` of Node 20 and later does, as far as it is used here. */
export type Fetch = (url: string, init?: RequestInit) => Promise<Response>;
