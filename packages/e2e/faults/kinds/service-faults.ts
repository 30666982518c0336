import type { FaultWorld } from '../fault-world.ts';
import type { Fault } from '../run-fault.ts';

/** Faults of the services themselves: each is killed, and each is frozen for a while. */
export function serviceFaults(given: () => FaultWorld): Fault[] {
  return (['core', 'portal', 'admin', 'mail-worker'] as const).flatMap((service) => {
    const isCalled = service === 'core' || service === 'portal';
    const each = {
      seconds: 1,
      breaksConnections: isCalled,
      ...(!isCalled && { undisturbed: 'calls' as const }),
    };
    const faults: Fault[] = [
      {
        ...each,
        name: `${service} is killed and started again`,
        begin: () => given().stack.hold(service),
        end: () => given().stack.release(service),
      },
      {
        ...each,
        name: `${service} is frozen and goes on`,
        begin: () => given().stack.kill(service, 'SIGSTOP'),
        end: () => given().stack.kill(service, 'SIGCONT'),
      },
    ];
    return faults;
  });
}
