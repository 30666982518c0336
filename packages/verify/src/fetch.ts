/** The part of `fetch` (Node 20 and later) that is used here. */
export type Fetch = (url: string, init?: RequestInit) => Promise<Response>;
