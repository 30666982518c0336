export { configSchema } from './config.ts';
export { createCall } from './call/call.ts';
export { startHookWorker, type HookWorker } from './worker.ts';
