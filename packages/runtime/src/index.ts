export { addressGroup, countedFor, networkOf, plainAddress } from './address-group.ts';
export { addressRanges } from './settings/address-ranges.ts';
export {
  ConfigError,
  optionalSecret,
  readConfig,
  readServiceConfig,
  secret,
  setting,
} from './settings/config.ts';
export { NO_DEADLINE, withinSeconds, type Deadline } from './deadline.ts';
export { sendBounded } from './egress/bounded-request.ts';
export { lookUpName, type LookUpName } from './egress/look-up-name.ts';
export {
  createEgressRules,
  egressSettings,
  webhooksSettings,
  nameOf,
  type EgressFault,
  type EgressRules,
} from './egress/egress-rules.ts';
export { recordUntilDone, startDueWork, type DueWork } from './due-work.ts';
export { createSharedReads, type SharedReads } from './shared-reads.ts';
export { createKeyedMutex, type KeyedMutex } from './keyed-mutex.ts';
export type { Path } from './fair-queue.ts';
export { createLimiter, QueueFull, type Limiter } from './limiter.ts';
export { createLog, type Log } from './log/log.ts';
export { withMinimumDuration } from './minimum-duration.ts';
export { Counter, createMetrics, Gauge, Histogram, type Metrics } from './metrics.ts';
export { createInternalServer, type ReadinessChecks } from './process/internal-server.ts';
export {
  pageAddressSettings,
  readPageAddresses,
  readReturnUrls,
  returnUrlSettings,
  type PageAddresses,
} from './settings/page-addresses.ts';
export { redactText } from './log/redact.ts';
export { processSettings, type ProcessSettings } from './process/process-settings.ts';
export { run, type Lifecycle } from './process/run.ts';
export { runService, type ServiceParts } from './process/run-service.ts';
export { tracingSettings } from './tracing/tracing-settings.ts';
export { faultOf, NO_TRACING, spanning, type Span, type SpanFacts, type Tracing } from './tracing/tracing.ts';
export { authoritySetting, trustOf, type Trust } from './settings/trust.ts';
export { Unavailable } from './unavailable.ts';
export { Unstorable } from './unstorable.ts';
export { VERSION } from './version.ts';
export { startWakeableLoop, type WakeableLoop } from './wakeable-loop.ts';
export { deriveKey } from './crypto/derive-key.ts';
export { hashLongSecret } from './crypto/hash-long-secret.ts';
export { hookKeysOf, hookPublicKeyOf } from './crypto/hook-key.ts';
export { mailKeysOf, mailPublicKeyOf } from './crypto/mail-key.ts';
export { newP256Jwk } from './crypto/new-p256-jwk.ts';
export { newRsaJwk } from './crypto/new-rsa-jwk.ts';
export { publicKeyOf } from './crypto/public-key.ts';
export { openSealed, sealTo, type SealContext } from './crypto/sealed-box.ts';
export { createSecretBox, type SecretBox } from './crypto/secret-box.ts';
