export * from './addresses.ts';
export {
  ConfigError,
  listed,
  optionalSecret,
  readConfig,
  readServiceConfig,
  secret,
  setting,
} from './settings/config.ts';
export * from './deadline.ts';
export { createGathered } from './gathered.ts';
export { groupedBy } from './grouped-by.ts';
export * from './json.ts';
export { sendBounded } from './egress/bounded-request.ts';
export * from './egress/look-up-name.ts';
export * from './egress/egress-rules.ts';
export { createProxyFor, proxySettings, type ProxyFor } from './egress/proxy.ts';
export * from './due-work.ts';
export * from './work-by-key.ts';
export type { Path } from './fair-queue.ts';
export * from './limiter.ts';
export { createLog, type Log } from './log/log.ts';
export {
  Counter,
  createMetrics,
  Gauge,
  Histogram,
  type Metrics,
  type ReadinessChecks,
} from './process/internal-server.ts';
export { listen } from './process/listen.ts';
export * from './settings/page-addresses.ts';
export { redactText } from './log/redact.ts';
export * from './process/run-service.ts';
export * from './process/run.ts';
export * from './tracing/tracing.ts';
export * from './settings/trust.ts';
export * from './unavailable.ts';
export { VERSION } from './version.ts';
export * from './wakeable-loop.ts';
export * from './crypto/secrets.ts';
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
export * from './crypto/new-jwk.ts';
