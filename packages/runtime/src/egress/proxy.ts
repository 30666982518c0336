import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { BlockList, isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { Type } from '@gatehouse/schema';
import { ConfigError, optionalSecret } from '../settings/config.ts';
import { nameOf } from './egress-rules.ts';

export function proxySettings() {
  return {
    HTTPS_PROXY: optionalSecret(
      'The proxy for https calls to the outside: a URL, maybe with user and password',
    ),
    NO_PROXY: Type.String({
      default: '',
      maxLength: 4096,
      description:
        'Names and addresses that are called without the proxy, with commas; a name includes all below it',
    }),
  };
}

/** The proxy through which a URL is called; `undefined` if it is called directly. */
export type ProxyFor = (url: URL) => URL | undefined;

/** Https to other machines, except `NO_PROXY`. @throws {ConfigError} for a proxy that is no http(s) URL, not quoted. */
export function createProxyFor(settings: {
  readonly HTTPS_PROXY?: string | undefined;
  readonly NO_PROXY?: string | undefined;
}): ProxyFor {
  const { HTTPS_PROXY: address, NO_PROXY: excepted = '' } = settings;
  if (address === undefined) return () => undefined;
  if (!/^https?:\/\/./.test(address) || !URL.canParse(address))
    throw new ConfigError('HTTPS_PROXY must be a URL, as http://proxy.example.com:3128');
  const proxy = new URL(address);
  const names = excepted
    .toLowerCase()
    .split(/[\s,]+/)
    .map((one) => one.replace(/^\*?\./, ''))
    .filter((one) => one !== '');
  return (url) => {
    const name = nameOf(url);
    const isExcepted = names.some(
      (one) => one === '*' || name === one || name.endsWith(`.${one}`) || isInRange(name, one),
    );
    return url.protocol !== 'https:' || isExcepted || LOCAL.test(name) ? undefined : proxy;
  };
}

/** Whether an address is in a range such as `10.0.0.0/8`, as many installations list them. */
function isInRange(address: string, range: string): boolean {
  const [start = '', bits = ''] = range.split('/');
  const family = isIP(start);
  if (family === 0 || isIP(address) !== family || !/^\d{1,3}$/.test(bits)) return false;
  if (Number(bits) > (family === 6 ? 128 : 32)) return false;
  const kind = family === 6 ? 'ipv6' : 'ipv4';
  const list = new BlockList();
  list.addSubnet(start, Number(bits), kind);
  return list.check(address, kind);
}

const LOCAL = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/;

/** Opens a tunnel to the host and port `authority` (RFC 9110 §9.3.6), which the proxy can read: encrypt in it. */
export function openTunnel(proxy: URL, authority: string, signal: AbortSignal): Promise<Duplex> {
  return new Promise((resolve, reject) => {
    const { username, password } = proxy;
    const begin = proxy.protocol === 'https:' ? requestHttps : requestHttp;
    const request = begin(new URL('/', proxy), {
      ...{ method: 'CONNECT', path: authority, signal, agent: false, auth: null },
      headers: {
        host: authority,
        ...((username !== '' || password !== '') && { 'proxy-authorization': basic(username, password) }),
      },
    });
    request.on('connect', ({ statusCode }, socket) => {
      if (statusCode === 200) {
        // What breaks the tunnel ends the connection inside it, which says so.
        socket.on('error', () => undefined);
        resolve(socket);
        return;
      }
      socket.destroy();
      reject(new Error(`the proxy answered ${statusCode}`));
    });
    request.on('response', ({ statusCode }) => {
      request.destroy();
      reject(new Error(`the proxy answered ${statusCode}`));
    });
    request.on('error', reject);
    request.end();
  });
}

function basic(username: string, password: string): string {
  const text = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return `Basic ${Buffer.from(text).toString('base64')}`;
}
