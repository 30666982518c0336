import { createServer } from 'node:http';
import { betterAuth } from 'better-auth';
import { getMigrations } from 'better-auth/db/migration';
import { fromNodeHeaders } from 'better-auth/node';
import express from 'express';
import { Redis } from 'ioredis';
import { Pool } from 'pg';
import { announce } from './announce.mjs';

// better-auth configured for speed according to its documentation: sessions only in Redis, no telemetry, no rate limits.
const [connectionString, redisUrl, users, way] = process.argv.slice(2);
const hasCookieCache = way === 'cookie cache';
const schema = `better_auth_${hasCookieCache ? 'cached' : 'stored'}`;
const database = new Pool({ connectionString, max: 10, options: `-c search_path=${schema}` });
await database.query(`create schema ${schema}`);
const redis = new Redis(redisUrl, { keyPrefix: `${schema}:` });
const options = {
  baseURL: 'http://127.0.0.1',
  secret: 'a secret that protects the sessions of a throw-away server, and nobody else',
  database,
  secondaryStorage: {
    get: (key) => redis.get(key),
    set: (key, value, ttl) => (ttl ? redis.set(key, value, 'EX', ttl) : redis.set(key, value)),
    delete: (key) => redis.del(key),
  },
  session: { cookieCache: { enabled: hasCookieCache, maxAge: 3600 } },
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
await announce(createServer(app), { cookies });
