/** A service that checks its callers' tokens itself, with jose. It accepts those of ended sessions until they expire. */
import { createServer } from 'node:http';
import { createRemoteJWKSet, errors, jwtVerify } from 'jose';

// oxlint-disable-next-line no-restricted-properties -- its own settings
const { GATEHOUSE = 'https://auth.example.com', ISSUER = GATEHOUSE, PORT = '3000' } = process.env;
// Fetched when first needed and for a key that is not in it, at most every 5 s; kept for 30 s.
const keys = createRemoteJWKSet(new URL('/.well-known/jwks.json', GATEHOUSE), {
  timeoutDuration: 3000,
  cooldownDuration: 5000,
  cacheMaxAge: 30_000,
});
const rules = {
  algorithms: ['ES256'],
  typ: 'at+jwt',
  issuer: ISSUER,
  audience: 'gatehouse',
  requiredClaims: ['sub', 'sid', 'jti', 'iat', 'exp', 'role'],
  maxTokenAge: '24h',
  // Clocks differ: without this, a token is refused in the second in which it was issued.
  clockTolerance: 5,
};

/** The claims of a good token; otherwise the status to answer with. */
async function whoCalls(authorization = '') {
  const token = /^Bearer ([\w.-]{1,8000})$/i.exec(authorization)?.[1];
  if (token === undefined) return { status: 401 };
  try {
    return { status: 200, claims: (await jwtVerify(token, keys, rules)).payload };
  } catch (error) {
    // Keys that cannot be fetched say nothing about the token.
    return { status: REFUSALS.some((refusal) => error instanceof refusal) ? 401 : 503 };
  }
}

const REFUSALS = [
  errors.JWTInvalid,
  errors.JWTExpired,
  errors.JWTClaimValidationFailed,
  errors.JWSInvalid,
  errors.JWSSignatureVerificationFailed,
  errors.JWKSNoMatchingKey,
  errors.JOSEAlgNotAllowed,
  errors.JOSENotSupported,
];

async function answer(request, response) {
  const { status, claims } = await whoCalls(request.headers.authorization);
  response.writeHead(status, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify(status === 200 ? { Account: claims.sub, Session: claims.sid } : { status }));
}

createServer((request, response) => void answer(request, response)).listen(Number(PORT), '127.0.0.1');
