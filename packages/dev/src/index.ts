export { onInterrupt, quiet, StackError } from './command.ts';
export { findBinaries } from './install/programs.ts';
export { provide } from './install/provide.ts';
export { freePorts, planPorts, type Ports } from './stack/ports.ts';
export { privatePgbouncer, type PrivatePgbouncer } from './private-servers/private-pgbouncer.ts';
export { privatePostgresPair, type PrivatePostgresPair } from './private-servers/private-postgres-pair.ts';
export {
  privateRabbitmqCluster,
  type PrivateRabbitmqCluster,
} from './private-servers/private-rabbitmq-cluster.ts';
export { privateRedisCluster, type PrivateRedisCluster } from './private-servers/private-redis-cluster.ts';
export { splitRedisCluster, type SplitRedisCluster } from './private-servers/split-redis-cluster.ts';
export { type Servers } from './servers/servers.ts';
export { type StackFile } from './stack/stack-file.ts';
export { startStack, type Stack, type StackOptions } from './stack/start-stack.ts';
