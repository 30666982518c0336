import { createServer } from 'node:http';
import express from 'express';
import { Redis } from 'ioredis';
import { exportJWK, generateKeyPair, jwtVerify, SignJWT } from 'jose';
import { announce } from './announce.mjs';

// A session check as one would write it: Express 5, jose and ioredis as in their documentation. It verifies the access
// token, and reads the session in Redis; a ping also stores when the session was seen. No log, no metrics, nothing for
// the time when Redis is away. Express 5 waits for what a handler returns, and answers 500 if that fails.
const [redisUrl, count] = process.argv.slice(2);
const [issuer, audience] = ['https://auth.example.com', 'https://api.example.com'];
const redis = new Redis(redisUrl, { keyPrefix: 'by-hand:' });
const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
const { kid = 'one' } = await exportJWK(publicKey);
const tokens = [];
for (let at = 0; at < Number(count); at += 1) {
  const sid = crypto.randomUUID();
  await redis.set(sid, JSON.stringify({ userId: at, status: 'active', seenAt: Date.now() }), 'EX', 3600);
  tokens.push(
    await new SignJWT({ sid, role: 'User' })
      .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid })
      .setIssuer(issuer)
      .setAudience(audience)
      .setSubject(crypto.randomUUID())
      .setJti(crypto.randomUUID())
      .setIssuedAt()
      .setExpirationTime('1h')
      .sign(privateKey),
  );
}

async function sessionOf({ headers }) {
  const [, token = ''] = /^Bearer (.+)$/.exec(headers.authorization ?? '') ?? [];
  try {
    const { payload } = await jwtVerify(token, publicKey, {
      algorithms: ['ES256'],
      typ: 'at+jwt',
      issuer,
      audience,
    });
    const session = JSON.parse((await redis.get(payload.sid)) ?? 'null');
    return session?.status === 'active' ? { sid: payload.sid, ...session } : undefined;
  } catch {
    return undefined;
  }
}

/* oxlint-disable oxc/no-async-endpoint-handlers -- for Express 4 */
const app = express();
app.use(express.json());
app.get('/ping/auth', async (request, response) => {
  const session = await sessionOf(request);
  if (session === undefined) response.status(401).json({ error: 'unauthorized' });
  else response.send('Pong Auth');
});
app.post('/account/ping', async (request, response) => {
  const session = await sessionOf(request);
  if (session === undefined) return response.status(401).json({ error: 'unauthorized' });
  const { sid, ...stored } = session;
  await redis.set(sid, JSON.stringify({ ...stored, seenAt: Date.now() }), 'EX', 3600);
  response.json({ PingStatus: 1 });
});
await announce(createServer(app), { tokens });
