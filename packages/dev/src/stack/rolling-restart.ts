import { configureGateway, type GatewayOptions } from '../gateway/gateway.ts';
import type { Supervisor } from '../processes/supervisor.ts';

/**
 * Restarts one instance while the others of its service keep working. The gateway is reconfigured first, because
 * requests on their way to a process that stops listening are lost. A single instance is simply restarted.
 */
export function rollingRestart({ supervisor, gate }: { supervisor: Supervisor; gate: GatewayOptions }) {
  const out = new Set<string>();
  const reloadGateway = (): void => {
    if (gate.scale === undefined || gate.scale === 1) return;
    configureGateway({ ...gate, without: [...out] });
    supervisor.kill('gateway', 'SIGHUP');
  };
  return async (name: string, args?: readonly string[]): Promise<void> => {
    out.add(name);
    reloadGateway();
    await supervisor.restart(name, args);
    out.delete(name);
    reloadGateway();
  };
}
