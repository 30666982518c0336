import { runService } from '@gatehouse/runtime';
import { readWorkerConfig } from './config.ts';
import { openWorker } from './deps.ts';

const service = 'mail-worker';

runService(service, readWorkerConfig, async (parts) => ({ checks: openWorker({ service, ...parts }) }));
