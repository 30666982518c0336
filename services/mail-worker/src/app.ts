export { configSchema } from './config.ts';
export { createMailer, type Mailer } from './smtp/transport.ts';
export { startWorker, type Worker } from './worker.ts';
