export { addressRanges } from './address-ranges.ts';
export { ConfigError, optionalSecret, readConfig, readServiceConfig, secret, setting } from './config.ts';
export { NO_DEADLINE, withinSeconds, type Deadline } from './deadline.ts';
export { deriveKey } from './derive-key.ts';
export { createKeyedMutex, type KeyedMutex } from './keyed-mutex.ts';
export { createLimiter, QueueFull, type Limiter } from './limiter.ts';
export { createLog, type Log } from './log.ts';
export { mailKeysOf, mailPublicKeyOf } from './mail-key.ts';
export { Counter, createMetrics, Gauge, Histogram, type Metrics } from './metrics.ts';
export { createInternalServer } from './internal-server.ts';
export {
  pageAddressSettings,
  readPageAddresses,
  readReturnUrls,
  returnUrlSettings,
  type PageAddresses,
} from './page-addresses.ts';
export { redactText } from './redact.ts';
export { run, type Life } from './run.ts';
export { runService } from './run-service.ts';
export { createSecretBox, type SecretBox } from './secret-box.ts';
export { openSealed, sealTo, type SealContext } from './sealed-box.ts';
export { authoritySetting, trustOf, type Trust } from './trust.ts';
export { Unavailable } from './unavailable.ts';
export { Unstorable } from './unstorable.ts';
