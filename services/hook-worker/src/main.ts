import { runService } from '@gatehouse/runtime';
import { readHookConfig } from './config.ts';
import { openHookWorker } from './deps.ts';

const service = 'hook-worker';

runService(service, readHookConfig, async (parts) => ({ checks: openHookWorker({ service, ...parts }) }));
