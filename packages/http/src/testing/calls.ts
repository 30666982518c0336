import type supertest from 'supertest';

/** The caller: a token, the result of a login, or nobody. */
export type Who = string | { Token: string } | undefined;

/** Functions that call an API from one client address, with a token or without. */
export function callsOver(http: ReturnType<typeof supertest>, address: string) {
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
  const call = (method: Method, path: string, who: Who, body?: object) => {
    const token = typeof who === 'string' ? who : who?.Token;
    const headers = { 'x-forwarded-for': address, ...(token !== undefined && bearer(token)) };
    const request = http[method](path).set(headers);
    return body === undefined ? request : request.send(body);
  };
  return {
    bearer,
    call,
    get: (path: string, who?: Who) => call('get', path, who),
    post: (path: string, who: Who, body: object = {}) => call('post', path, who, body),
  };
}
