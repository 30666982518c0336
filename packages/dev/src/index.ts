export { onInterrupt, quiet, StackError } from './command.ts';
export { findBinaries } from './install/programs.ts';
export { provide } from './install/provide.ts';
export { freePorts, planPorts, type Ports } from './stack/ports.ts';
export { type Servers } from './servers/servers.ts';
export { type StackFile } from './stack/stack-file.ts';
export { startStack, type Stack, type StackOptions } from './stack/start-stack.ts';
