import type { IncomingMessage, ServerResponse } from 'node:http';

/** What your API says of itself, besides its address and who issues its tokens (RFC 9728 §2). */
export interface ResourceOptions {
  /** What applications may ask for in order to call it. */
  scopes?: readonly string[];
  /** Its name, for people. */
  name?: string;
  /** The URL of a page for developers. */
  documentation?: string;
}

/** By its metadata, applications find out where they get tokens for an API (RFC 9728). */
export interface ProtectedResource {
  readonly metadataUrl: string;
  readonly metadata: Readonly<{
    resource: string;
    authorization_servers: readonly string[];
    scopes_supported?: readonly string[];
    bearer_methods_supported: readonly string[];
    resource_name?: string;
    resource_documentation?: string;
  }>;
}

export type IncomingRequest = Partial<Pick<IncomingMessage, 'method' | 'url'>> & {
  /** In Express, also within a router that has a path of its own. */
  originalUrl?: string;
};
export type Answer = Pick<ServerResponse, 'statusCode' | 'setHeader' | 'end'>;
type Next = (error?: unknown) => void;

const WELL_KNOWN = '/.well-known/oauth-protected-resource';
const READING: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** @throws {TypeError} for an audience that is not the URL of an API, and for scopes that no request can name. */
export function describeResource(
  issuer: string,
  audience: string,
  { scopes, name, documentation }: ResourceOptions,
): ProtectedResource {
  if (!/^https?:\/\/[^#]+$/.test(audience) || !URL.canParse(audience))
    throw new TypeError('createVerifier: with a resource, audience must be the URL of your API');
  // The path goes after the well-known one (RFC 9728 §3.1).
  const { origin, pathname, search } = new URL(audience);
  return {
    metadataUrl: `${origin}${WELL_KNOWN}${pathname === '/' ? '' : pathname}${search}`,
    metadata: {
      resource: audience,
      authorization_servers: [issuer],
      ...(scopes !== undefined && { scopes_supported: readScopes(scopes) }),
      bearer_methods_supported: ['header'],
      ...(name !== undefined && { resource_name: name }),
      ...(documentation !== undefined && { resource_documentation: documentation }),
    },
  };
}

/** @throws {TypeError} for what is no scope (RFC 6749 §3.3): they stand between quotes in a header. */
export function readScopes(scopes: readonly string[]): readonly string[] {
  const wrong = scopes.find((scope) => !/^[!#-[\]-~]+$/.test(scope));
  if (wrong !== undefined) throw new TypeError(`gatehouse-verify: not a scope: ${JSON.stringify(wrong)}`);
  return scopes;
}

/**
 * Responds to requests for the metadata of the verifier's resource, at both of its paths, and passes on all others. For
 * Express and Node's own server; pages of any origin may read it.
 */
export function resourceMetadata({
  resource,
}: {
  readonly resource?: ProtectedResource | undefined;
}): (request: IncomingRequest, response: Answer, next: Next) => void {
  if (resource === undefined) throw new TypeError('resourceMetadata: the verifier has no resource');
  const paths = [WELL_KNOWN, new URL(resource.metadataUrl).pathname];
  const body = JSON.stringify(resource.metadata);
  return ({ method = 'GET', url = '', originalUrl = url }, response, next) => {
    const [path = ''] = originalUrl.split('?');
    if (!paths.includes(path) || !READING.has(method)) return next();
    response.statusCode = 200;
    response.setHeader('Content-Type', 'application/json');
    response.setHeader('Cache-Control', 'public, max-age=300');
    response.setHeader('Access-Control-Allow-Origin', '*');
    response.setHeader('Access-Control-Allow-Headers', '*');
    response.end(body);
  };
}
