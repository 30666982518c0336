export { onInterrupt } from './processes/interrupts.ts';
export { findBinaries } from './install/binaries.ts';
export { freePorts, planPorts, type Ports } from './servers/ports.ts';
export { privateRedisCluster, type PrivateRedisCluster } from './servers/private-redis-cluster.ts';
export { type Servers } from './servers/servers.ts';
export { StackError } from './output/stack-error.ts';
export { type StackFile } from './stack/stack-file.ts';
export { startStack, type Stack, type StackOptions } from './stack/start-stack.ts';
