import { betterAuth } from 'better-auth';
import { getMigrations } from 'better-auth/db/migration';
import { fromNodeHeaders } from 'better-auth/node';
import express from 'express';
import { Redis } from 'ioredis';
import { Client, Pool } from 'pg';
import { announce } from './announce.mjs';

// better-auth configured for speed according to its documentation: sessions only in Redis, no telemetry, no rate
// limits. With `hasCookieCache` the session is in a signed cookie: it is not looked up, and so an ended session is not
// refused at once.
const [connectionString, redisUrl, users, schema, hasCookieCache] = process.argv.slice(2);
const admin = new Client({ connectionString });
await admin.connect();
await admin.query(`create schema ${schema}`);
await admin.end();
const redis = new Redis(redisUrl, { keyPrefix: `${schema}:` });
const options = {
  baseURL: 'http://127.0.0.1',
  secret: 'a secret that protects the sessions of a throw-away server, and nobody else',
  database: new Pool({ connectionString, max: 10, options: `-c search_path=${schema}` }),
  secondaryStorage: {
    get: (key) => redis.get(key),
    set: (key, value, ttl) => (ttl ? redis.set(key, value, 'EX', ttl) : redis.set(key, value)),
    delete: (key) => redis.del(key),
  },
  session: { cookieCache: { enabled: hasCookieCache === 'true', maxAge: 3600 } },
  emailAndPassword: {
    enabled: true,
    // Signing up is not measured.
    password: { hash: async (password) => password, verify: async ({ hash, password }) => hash === password },
  },
  rateLimit: { enabled: false },
  telemetry: { enabled: false },
  logger: { level: 'error' },
};
const { runMigrations } = await getMigrations(options);
await runMigrations();
const auth = betterAuth(options);
const cookies = [];
for (let n = 0; n < Number(users); n++) {
  const { headers } = await auth.api.signUpEmail({
    body: { email: `person${n}@gatehouse.example`, password: 'correct horse battery', name: 'Bench' },
    returnHeaders: true,
  });
  const set = headers.getSetCookie().map((cookie) => cookie.slice(0, cookie.indexOf(';')));
  cookies.push(set.join('; '));
}

const app = express();
app.get('/check', async (message, response) => {
  const session = await auth.api.getSession({ headers: fromNodeHeaders(message.headers) });
  if (session === null) response.status(401).end();
  else response.send('Pong Auth');
});
const server = app.listen(0, '127.0.0.1', () => announce(server, { cookies }));
