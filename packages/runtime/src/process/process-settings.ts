import { Enum, Type, type Static, type TObject } from '@gatehouse/schema';
import { setting } from '../settings/config.ts';
import { tracingSettings } from '../tracing/tracing-settings.ts';

/** The settings of every process, which `runService` uses. */
export function processSettings({ internalPort }: { internalPort: number }) {
  return {
    LOG_LEVEL: Enum(['error', 'warn', 'info', 'debug'], {
      default: 'info',
      description: 'The least important lines that are logged',
    }),
    INTERNAL_HOST: setting('127.0.0.1', 'The address that health and metrics listen on'),
    INTERNAL_PORT: Type.Integer({
      default: internalPort,
      minimum: 0,
      maximum: 65_535,
      description: 'The port of health and metrics, for operators alone',
    }),
    ...tracingSettings(),
  };
}

export type ProcessSettings = Readonly<Static<TObject<ReturnType<typeof processSettings>>>>;
