import { createServer } from 'node:http';
import { Redis } from 'ioredis';
import { exportJWK, generateKeyPair } from 'jose';
import { Provider } from 'oidc-provider';
import { announce } from './announce.mjs';

// oidc-provider with Redis as in its documentation: opaque access tokens for itself, JWTs for an API, ES256, refresh
// tokens that rotate.
const [redisUrl, count, client_id, client_secret, api] = process.argv.slice(2);
const redis = new Redis(redisUrl, { keyPrefix: 'oidc-provider:' });

/** The documented adapter for Redis, without what these requests do not use. */
class RedisAdapter {
  constructor(name) {
    this.name = name;
  }
  key(id) {
    return `${this.name}:${id}`;
  }
  async upsert(id, payload, expiresIn) {
    const multi = redis.multi();
    multi.set(this.key(id), JSON.stringify(payload));
    if (expiresIn) multi.expire(this.key(id), expiresIn);
    if (payload.grantId) {
      multi.rpush(`grant:${payload.grantId}`, this.key(id));
      multi.expire(`grant:${payload.grantId}`, 14 * 86_400);
    }
    await multi.exec();
  }
  async find(id) {
    const text = await redis.get(this.key(id));
    return text === null ? undefined : JSON.parse(text);
  }
  async consume(id) {
    const payload = await this.find(id);
    await redis.set(
      this.key(id),
      JSON.stringify({ ...payload, consumed: Math.floor(Date.now() / 1000) }),
      'KEEPTTL',
    );
  }
  async destroy(id) {
    await redis.del(this.key(id));
  }
  async revokeByGrantId(grantId) {
    const keys = await redis.lrange(`grant:${grantId}`, 0, -1);
    await redis.del(`grant:${grantId}`, ...keys);
  }
}

const { privateKey } = await generateKeyPair('ES256', { extractable: true });
const provider = new Provider('http://127.0.0.1', {
  adapter: RedisAdapter,
  jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'ES256', use: 'sig' }] },
  clients: [
    {
      client_id,
      client_secret,
      grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
      redirect_uris: ['https://app.example.com/callback'],
      id_token_signed_response_alg: 'ES256',
      token_endpoint_auth_method: 'client_secret_post',
    },
  ],
  scopes: ['openid', 'offline_access', 'read'],
  features: {
    devInteractions: { enabled: false },
    clientCredentials: { enabled: true },
    introspection: { enabled: true, allowedPolicy: () => true },
    resourceIndicators: {
      enabled: true,
      defaultResource: (_context, _client, oneOf) => oneOf,
      useGrantedResource: () => true,
      getResourceServerInfo: () => ({
        scope: 'read',
        audience: api,
        accessTokenFormat: 'jwt',
        jwt: { sign: { alg: 'ES256' } },
      }),
    },
  },
  rotateRefreshToken: true,
  ttl: { AccessToken: 600, ClientCredentials: 600, Grant: 86_400, IdToken: 600, RefreshToken: 86_400 },
  findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ sub }) }),
});
provider.on('server_error', (_context, error) => process.stderr.write(`${error.stack}\n`));

const client = await provider.Client.find(client_id);
const [accessTokens, refreshTokens] = [[], []];
for (let at = 0; at < Number(count); at += 1) {
  const accountId = crypto.randomUUID();
  const grant = new provider.Grant({ accountId, clientId: client_id });
  grant.addOIDCScope('openid offline_access');
  grant.addResourceScope(api, 'read');
  const grantId = await grant.save();
  const shared = {
    accountId,
    client,
    grantId,
    gty: 'authorization_code',
    authTime: Math.floor(Date.now() / 1000),
  };
  accessTokens.push(await new provider.AccessToken({ ...shared, scope: 'openid' }).save());
  const refreshed = { ...shared, scope: 'openid offline_access read', resource: api, rotations: 0 };
  refreshTokens.push(await new provider.RefreshToken(refreshed).save());
}
await announce(createServer(provider.callback()), { accessTokens, refreshTokens });
