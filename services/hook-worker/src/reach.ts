import { isIP } from 'node:net';
import { rootCertificates } from 'node:tls';
import { lookUpName, nameOf, sendBounded, VERSION } from '@gatehouse/runtime';
import type { EgressRules, LookUpName, ProxyFor } from '@gatehouse/runtime';
import type { HookError } from '@gatehouse/db';

type Reached =
  | { kind: 'answered'; answer: Awaited<ReturnType<typeof sendBounded>> }
  | { kind: 'failed'; fault: CallFault };

interface Request {
  method: 'GET' | 'POST';
  headers: Record<string, string | number>;
  body?: string;
  /** More than this of an answer is not read. */
  bytesMax: number;
  /** How long all of it may take. */
  timeMs: number;
}

/** For so long a name is not looked up again whose servers did not answer: less than the shortest wait for a second try. */
const DEAD_MS = 3000;

export interface ReachOptions {
  rules: EgressRules;
  /** Authorities besides those that Node trusts, as PEM. */
  ca?: string | undefined;
  lookUp?: LookUpName;
  proxyFor?: ProxyFor;
}

/**
 * Creates what sends one request to an address that somebody else chose, and never throws. A name is looked up once,
 * and the connection goes to an address that was checked: a name server that changes its answer gets no connection
 * inside.
 */
export function createReach(options: ReachOptions) {
  const { rules, ca, lookUp = lookUpName, proxyFor = () => undefined } = options;
  const trusted = ca === undefined ? undefined : [...rootCertificates, ca];
  const find = sharing(lookUp);

  return async (
    url: string,
    { method, headers: given, body: text = '', bytesMax, timeMs }: Request,
  ): Promise<Reached> => {
    const fault = rules.faultOf(url);
    if (fault !== undefined) return { kind: 'failed', fault: 'address_not_allowed' };
    const target = new URL(url);
    const signal = AbortSignal.timeout(timeMs);
    try {
      const name = nameOf(target);
      const addresses = rules.allowedOf(target, isIP(name) === 0 ? await find(name) : [name]);
      if (addresses.length === 0) return { kind: 'failed', fault: 'address_not_allowed' };
      const body = Buffer.from(text);
      const headers = { 'user-agent': `Gatehouse/${VERSION}`, ...given };
      const request = { method, headers, body, addresses, bytesMax, signal };
      // A proxy, too, is told the address that was checked, and not the name.
      const answer = await sendBounded(target, { ...request, ca: trusted, proxy: proxyFor(target) });
      return { kind: 'answered', answer };
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
