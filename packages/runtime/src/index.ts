export { addressGroup, countedFor, networkOf, plainAddress, addressRanges } from './addresses.ts';
export {
  ConfigError,
  optionalSecret,
  readConfig,
  readServiceConfig,
  secret,
  setting,
} from './settings/config.ts';
export { NO_DEADLINE, withinSeconds, withMinimumDuration, type Deadline } from './deadline.ts';
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
export { createSharedReads, createKeyedMutex, type SharedReads, type KeyedMutex } from './work-by-key.ts';
export type { Path } from './fair-queue.ts';
export { createLimiter, QueueFull, type Limiter } from './limiter.ts';
export { createLog, type Log } from './log/log.ts';
export {
  Counter,
  createMetrics,
  Gauge,
  Histogram,
  createInternalServer,
  type Metrics,
  type ReadinessChecks,
} from './process/internal-server.ts';
export {
  pageAddressSettings,
  readPageAddresses,
  readReturnUrls,
  returnUrlSettings,
  type PageAddresses,
} from './settings/page-addresses.ts';
export { redactText } from './log/redact.ts';
export {
  processSettings,
  runService,
  type ProcessSettings,
  type ServiceParts,
} from './process/run-service.ts';
export { run, type Lifecycle } from './process/run.ts';
export { tracingSettings } from './tracing/open-tracing.ts';
export { faultOf, NO_TRACING, spanning, type Span, type SpanFacts, type Tracing } from './tracing/tracing.ts';
export { authoritySetting, trustOf, type Trust } from './settings/trust.ts';
export { Unavailable, Unstorable } from './unavailable.ts';
export { VERSION } from './version.ts';
export { startWakeableLoop, type WakeableLoop } from './wakeable-loop.ts';
export { deriveKey, hashLongSecret, createSecretBox, type SecretBox } from './crypto/secrets.ts';
export {
  hookKeysOf,
  hookPublicKeyOf,
  mailKeysOf,
  mailPublicKeyOf,
  publicKeyOf,
  openSealed,
  sealTo,
  type SealContext,
} from './crypto/sealed-box.ts';
export { newP256Jwk, newRsaJwk } from './crypto/new-jwk.ts';
