export { ConfigError, optionalSecret, readConfig, secret, setting } from './config.ts';
export { deriveKey } from './derive-key.ts';
export { createLog, type Log } from './log.ts';
export { Counter, createMetrics, Gauge, Histogram, type Metrics } from './metrics.ts';
export { createInternalServer } from './internal-server.ts';
export { run, type Life } from './run.ts';
export { runService } from './run-service.ts';
export { createSecretBox, type SecretBox } from './secret-box.ts';
export { Unavailable } from './unavailable.ts';
