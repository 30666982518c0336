import { signingKey, type Keys } from '@gatehouse/auth-core';
import { Gauge, type Metrics } from '@gatehouse/runtime';

/** Measures when the current signing key was created, for an alert on old keys. */
export function measureSigningKey(keys: Keys, metrics: Metrics): void {
  const created = new Gauge({
    name: 'gatehouse_signing_key_created_seconds',
    help: 'When the key was created that signs access tokens now, in seconds since the epoch',
    registers: [],
    collect() {
      this.set(signingKey(keys.current(), Math.floor(Date.now() / 1000)).issuedAt);
    },
  });
  metrics.registerMetric(created);
}
