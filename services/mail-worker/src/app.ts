export { configSchema } from './config.ts';
export { createMailer, type Mailer } from './transport.ts';
export { startWorker, type Worker } from './worker.ts';
