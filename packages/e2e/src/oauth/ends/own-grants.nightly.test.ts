import { privateRedisCluster } from '@gatehouse/dev/testing';
import { during, eventually } from '@gatehouse/runtime/testing';
import { createVerifier } from 'gatehouse-verify';
import { startOAuthCore } from '../../../../../services/core/src/oauth/testing.ts';
import { codeOf } from '../../verify/installation.ts';
import { itEndsOnlyWithWhatIsItsOwn, type Checker } from './own-grants.ts';
import { startInstallation } from './ways.ts';

/** Two instances of Core with a Redis Cluster. */
async function startTwo() {
  const cluster = await privateRedisCluster();
  const at = await startInstallation({ REDIS_URL: cluster.urls.join(','), REDIS_CLUSTER: true });
  const other = await startOAuthCore({}, at);
  await other.app.relay.stop();
  const { Token: feedToken } = await at.newToken({ role: 'Feed' });
  return {
    ...at,
    other,
    feedToken,
    stop: async () => {
      await other.stop();
      await at.stop();
      await cluster.stop();
    },
  };
}

describe('a sign-in that has no session, on two instances with a Redis Cluster,', function () {
  this.timeout(60_000);
  const at = during(startTwo);

  /** One that follows the feed of each instance. */
  const checkersFor = (audience: string): Promise<Checker[]> =>
    Promise.all(
      [at.url, at.other.url].map(async (url) => {
        const revocation = { feed: { token: at.feedToken } };
        const verifier = createVerifier({ issuer: at.app.settings.ISSUER, url, audience, revocation });
        await eventually(() => verifier.isFresh);
        return {
          accepts: async (token: string) => codeOf(await verifier.verify(token)) === 'caller',
          close: () => verifier.close(),
        };
      }),
    );
  itEndsOnlyWithWhatIsItsOwn({ at, cores: () => [at, at.other], checkersFor });
});
