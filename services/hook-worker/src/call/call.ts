import { isIP } from 'node:net';
import { rootCertificates } from 'node:tls';
import {
  lookUpName,
  nameOf,
  sendBounded,
  VERSION,
  type EgressRules,
  type LookUpName,
  type ProxyFor,
} from '@gatehouse/runtime';
import type { HookError } from '@gatehouse/db';

/** How a receiver was called, and what it answered. */
export type CallResult =
  | { kind: 'answered'; status: number; retryAfterSeconds: number | undefined }
  | { kind: 'failed'; fault: CallFault };

/** Calls a receiver once. It never throws. */
export type Call = (url: string, body: string, headers: Record<string, string>) => Promise<CallResult>;

const CALL_MS = 10_000;
/** More than this of an answer is not read. Nothing of it is kept. */
const ANSWER_BYTES_MAX = 65_536;
/** For so long a name is not looked up again whose servers did not answer: less than the shortest wait for a second try. */
const DEAD_MS = 3000;

/**
 * Creates the caller. A name is looked up once, and the connection goes to an address that was checked: a name server that
 * changes its answer gets no connection inside.
 */
export function createCall(options: {
  rules: EgressRules;
  /** Authorities besides those that Node trusts, as PEM. */
  ca?: string | undefined;
  callMs?: number;
  lookUp?: LookUpName;
  proxyFor?: ProxyFor;
}): Call {
  const { rules, ca, callMs = CALL_MS, lookUp = lookUpName, proxyFor = () => undefined } = options;
  const trusted = ca === undefined ? undefined : [...rootCertificates, ca];
  const find = sharing(lookUp);

  return async (url, text, given) => {
    const fault = rules.faultOf(url);
    if (fault !== undefined) return { kind: 'failed', fault: 'address_not_allowed' };
    const target = new URL(url);
    const signal = AbortSignal.timeout(callMs);
    try {
      const name = nameOf(target);
      const addresses = rules.allowedOf(target, isIP(name) === 0 ? await find(name) : [name]);
      if (addresses.length === 0) return { kind: 'failed', fault: 'address_not_allowed' };
      const body = Buffer.from(text);
      const headers = { 'content-length': body.length, 'user-agent': `Gatehouse/${VERSION}`, ...given };
      const request = { method: 'POST', headers, body, addresses, bytesMax: ANSWER_BYTES_MAX, signal };
      // A proxy, too, is told the address that was checked, and not the name.
      const answer = await sendBounded(target, { ...request, ca: trusted, proxy: proxyFor(target) });
      const retryAfterSeconds = secondsOf(answer.headers['retry-after']);
      return { kind: 'answered', status: answer.status, retryAfterSeconds };
    } catch (error) {
      return { kind: 'failed', fault: signal.aborted ? 'timeout' : faultWord(error) };
    }
  };
}

/** Calls that wait for the same name share one look-up, and for some time its failure if no server answered. */
function sharing(lookUp: LookUpName): LookUpName {
  const open = new Map<string, Promise<string[]>>();
  return (name) => {
    const known = open.get(name);
    if (known !== undefined) return known;
    const found = lookUp(name);
    open.set(name, found);
    const forget = (): boolean => open.delete(name);
    found.then(forget, (error) => {
      if (faultWord(error) === 'timeout') setTimeout(forget, DEAD_MS).unref();
      else forget();
    });
    return found;
  };
}

/** `Retry-After` as seconds (RFC 9110 §10.2.3). */
function secondsOf(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value);
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, (at - Date.now()) / 1000);
}

/** Why no answer came. */
export type CallFault = Extract<
  HookError,
  'address_not_allowed' | 'name_not_found' | 'certificate_invalid' | 'timeout' | 'connection_failed'
>;

/** The word for an error of the look-up, TLS or HTTP. Its message is not kept: it may quote the receiver. */
function faultWord(error: unknown): CallFault {
  const { code = '' } = error as { code?: string }; // an error of Node
  if (code === 'ENOTFOUND') return 'name_not_found';
  if (code === 'ETIMEDOUT') return 'timeout';
  return CERTIFICATE.test(code) ? 'certificate_invalid' : 'connection_failed';
}

/** The codes of OpenSSL for certificates, and Node's for a wrong name or protocol. */
const CERTIFICATE =
  /^(ERR_TLS|ERR_SSL|EPROTO$|CERT_|CRL_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|INVALID_CA|PATH_LENGTH|HOSTNAME_MISMATCH|ERROR_IN_CERT)/;
