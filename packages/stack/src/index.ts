export { onInterrupt } from './interrupts.ts';
export { freePorts, planPorts, type Ports } from './ports.ts';
export { privateRedisCluster, type PrivateRedisCluster } from './private-redis-cluster.ts';
export { type Servers } from './servers.ts';
export { StackError } from './stack-error.ts';
export { type StackFile } from './stack-file.ts';
export { startStack, type Stack, type StackOptions } from './start-stack.ts';
